import OcellusPlatform

/// The reason why a model, or something inside it, cannot be read.
public struct ModelFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The category of an error.
  public enum Kind: Sendable {
    /// The path cannot be opened or mapped.
    case unreadable
    /// The bytes violate the format.
    case malformed
    /// The file is valid but has a feature that this reader lacks, or was asked not to use.
    case unsupported
    /// The file exceeds a limit that keeps hostile files from using up memory or time.
    case tooLarge
  }

  /// The category of the error.
  public var kind: Kind
  /// The position of the error in the file, if it belongs to one byte.
  public var byteOffset: Int?
  /// The description of the error.
  public var message: String
  /// The path of the file, if the bytes come from one.
  public var path: String?

  package init(
    _ kind: Kind, _ message: String, byteOffset: Int? = nil, path: String? = nil
  ) {
    self.kind = kind
    self.byteOffset = byteOffset
    self.message = message.shortened
    self.path = path
  }

  /// The path, category, position and message.
  public var description: String {
    var text = path.map { "\($0): " } ?? ""
    text += "\(kind)"
    if let byteOffset { text += " at byte \(byteOffset)" }
    return text + ": " + message
  }

  static func malformed(_ message: String, at byteOffset: Int? = nil) -> Self {
    Self(.malformed, message, byteOffset: byteOffset)
  }

  static func unsupported(_ message: String, at byteOffset: Int? = nil) -> Self {
    Self(.unsupported, message, byteOffset: byteOffset)
  }

  static func tooLarge(_ message: String, at byteOffset: Int? = nil) -> Self {
    Self(.tooLarge, message, byteOffset: byteOffset)
  }
}

extension ModelFileError {
  /// Returns the error with the name of the part of the model that it is about.
  func inside(_ part: @autoclosure () -> String) -> Self {
    var error = self
    error.message = "\(part()): \(message)".shortened
    return error
  }

  /// Returns the error with a position.
  func at(_ byteOffset: Int) -> Self {
    var error = self
    error.byteOffset = byteOffset
    return error
  }

  /// Returns the error with a position, unless it has one already or is about another file.
  func at(unlessPlaced byteOffset: Int) -> Self {
    self.byteOffset == nil && path == nil ? at(byteOffset) : self
  }

  /// Returns the error with the path of the file, unless it has one already.
  func inFile(_ path: String?) -> Self {
    var error = self
    error.path = self.path ?? path
    return error
  }
}
