public import Foundation

/// Why there is no answer for a picture.
public enum ProcessingError: Error, Hashable, Sendable {
  /// A detector's models cannot be used; the text says which and why.
  case failedToInitializeDetector(String)
  /// A labeler's model cannot be used; the text says why.
  case failedToInitializeLabeler(String)
  /// The hosted model with this name is not on this machine.
  case modelNotDownloaded(name: String)
  /// The hosted model with this name cannot be downloaded; the text says why.
  case downloadFailed(name: String, reason: String)
  /// There are no pixels.
  case invalidImage
  /// The models cannot be run on the picture, or the picture does not fit those before it.
  case failedToProcess(String)
}

extension ProcessingError: LocalizedError {
  /// What is wrong, and what to do about it.
  public var errorDescription: String? {
    switch self {
    case .failedToInitializeDetector(let reason): "Failed to initialize detector. \(reason)"
    case .failedToInitializeLabeler(let reason): "Failed to initialize labeler. \(reason)"
    case .modelNotDownloaded(let name):
      "The remote model '\(name)' is not downloaded. Download it with the model manager, or use a local "
        + "model."
    case .downloadFailed(let name, let reason):
      "The remote model '\(name)' cannot be downloaded. \(reason)"
    case .invalidImage: "Input image must not be nil."
    case .failedToProcess(let reason): "Failed to process the image. \(reason)"
    }
  }
}

extension ProcessingError: CustomStringConvertible {
  /// The same text as `errorDescription`.
  public var description: String { errorDescription ?? "Unknown error." }
}
