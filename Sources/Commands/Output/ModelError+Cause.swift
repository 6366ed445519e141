import OcellusEngine
import OcellusVision

extension ModelError {
  /// What is wrong with a model, where that is what an error is about.
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
