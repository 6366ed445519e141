public import OcellusEngine
public import OcellusImaging

/// Why a picture cannot be looked at with a model.
public enum VisionError: Error, Sendable, CustomStringConvertible {
  /// The model cannot be read or run.
  case model(ModelError)
  /// The picture cannot be read or converted.
  case image(ImageError)
  /// The picture does not fit those before it.
  case tracking(TrackingError)
  /// Several readings of the model are possible; the message names them, and how to choose.
  case ambiguous(String)
  /// Things that were given do not fit each other or the model.
  case mismatched(String)
  /// What the model says cannot be: it is read in a wrong way, or broken.
  case implausible(String)
  /// A label file, an anchor file or a manifest cannot be read.
  case unreadable(String)
  /// So many calls wait for a pool already that one more is refused at once; later there may be room.
  case busy(String)

  /// What is wrong, and what to do about it.
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
