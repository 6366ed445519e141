import OcellusEngine
import OcellusVision

extension ModelError {
  /// Takes the error about a model that another error wraps; `nil` for other errors.
  init?(behind error: any Error) {
    if case .model(let inner) = error as? VisionError {
      self = inner
    } else if let error = error as? ModelError {
      self = error
    } else {
      return nil
    }
  }
}
