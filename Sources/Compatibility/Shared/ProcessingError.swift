public import Foundation

/// Why there is no answer for a picture.
public enum ProcessingError: Error, Hashable, Sendable {
  /// A detector's models cannot be used; the text says which and why.
  case failedToInitializeDetector(String)
  /// A labeler's model cannot be used; the text says why.
  case failedToInitializeLabeler(String)
  /// An interpreter's model cannot be used; the text says why.
  case failedToInitializeInterpreter(String)
  /// Something that was given fits neither the model nor the rest; the text says what.
  case invalidArgument(String)
  /// The hosted model with this name is not on this machine.
  case modelNotDownloaded(name: String)
  /// The hosted model with this name cannot be downloaded; the text says why.
  case downloadFailed(name: String, reason: String)
  /// There are no pixels.
  case invalidImage
  /// Pictures of the stream came faster than they could be looked at, and a newer one took this one's
  /// place.
  case dropped
  /// The models cannot be run on the picture, or the picture does not fit those before it.
  case failedToProcess(String)
}

extension ProcessingError: LocalizedError {
  /// What is wrong, and what to do about it.
  public var errorDescription: String? {
    switch self {
    case .failedToInitializeDetector(let reason): "Failed to initialize detector. \(reason)"
    case .failedToInitializeLabeler(let reason): "Failed to initialize labeler. \(reason)"
    case .failedToInitializeInterpreter(let reason): "Failed to initialize interpreter. \(reason)"
    case .invalidArgument(let reason): "Invalid argument: \(reason)."
    case .modelNotDownloaded(let name):
      "The remote model '\(name)' is not downloaded. Download it with the model manager, or use a local "
        + "model."
    case .downloadFailed(let name, let reason):
      "The remote model '\(name)' cannot be downloaded. \(reason)"
    case .invalidImage: "Input image must not be nil."
    case .dropped: "A newer image took this one's place before it could be processed."
    case .failedToProcess(let reason): "Failed to process the image. \(reason)"
    }
  }
}

extension ProcessingError: CustomStringConvertible {
  /// The same text as `errorDescription`.
  public var description: String { errorDescription ?? "Unknown error." }
}
