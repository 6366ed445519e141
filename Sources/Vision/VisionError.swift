public import OcellusEngine
public import OcellusImaging

/// An error that keeps a model from being applied to a picture.
public enum VisionError: Error, Sendable, CustomStringConvertible {
  /// The model cannot be read or run.
  case model(ModelError)
  /// The picture cannot be read or converted.
  case image(ImageError)
  /// The picture does not fit the pictures before it in its stream.
  case tracking(TrackingError)
  /// The model can be read in several ways; the message lists them and says how to choose one.
  case ambiguous(String)
  /// The given options, files and pictures do not fit each other or the model.
  case mismatched(String)
  /// The model's output has impossible values: it is decoded wrongly, or the model is broken.
  case implausible(String)
  /// A label file, an anchor file or a manifest cannot be read.
  case unreadable(String)
  /// The call is refused because too many calls wait for the pool; later calls may succeed.
  case busy(String)

  /// The problem, and what the user can do about it.
  public var description: String {
    switch self {
    case .model(let error): error.description
    case .image(let error): error.description
    case .tracking(let error): error.description
    case .ambiguous(let message): "ambiguous: \(message)"
    case .mismatched(let message): "mismatched: \(message)"
    case .implausible(let message): "implausible: \(message)"
    case .unreadable(let message), .busy(let message): message
    }
  }
}
