public import Foundation

/// A failure to process a picture.
public enum ProcessingError: Error, Hashable, Sendable {
  /// A detector's models cannot be loaded; the text tells which one and why.
  case failedToInitializeDetector(String)
  /// A labeler's model cannot be loaded; the text tells why.
  case failedToInitializeLabeler(String)
  /// An interpreter's model cannot be loaded; the text tells why.
  case failedToInitializeInterpreter(String)
  /// An argument is invalid or does not fit the model; the text tells which one.
  case invalidArgument(String)
  /// The hosted model with this name is not on this machine.
  case modelNotDownloaded(name: String)
  /// The hosted model with this name cannot be downloaded; the text tells why.
  case downloadFailed(name: String, reason: String)
  /// The picture has no pixels.
  case invalidImage
  /// The picture was replaced by a newer one, because the stream is faster than the processing.
  case dropped
  /// The models cannot run on the picture, or it does not fit the earlier pictures of its stream.
  case failedToProcess(String)
}

extension ProcessingError: LocalizedError {
  /// A description of the failure, with advice where there is any.
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
    case .dropped: "A newer image replaced this one before it could be processed."
    case .failedToProcess(let reason): "Failed to process the image. \(reason)"
    }
  }
}

extension ProcessingError: CustomStringConvertible {
  /// The same text as `errorDescription`.
  public var description: String { errorDescription ?? "Unknown error." }
}
