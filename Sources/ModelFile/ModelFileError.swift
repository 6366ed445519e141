import OcellusPlatform

/// Why a model, or something inside it, cannot be read.
public struct ModelFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of trouble it is.
  public enum Kind: Sendable {
    /// The path cannot be opened or mapped.
    case unreadable
    /// The bytes contradict the format.
    case malformed
    /// Well-formed, but a feature this reader does not have or was asked not to use.
    case unsupported
    /// Beyond a limit that keeps hostile files from using up memory or time.
    case tooLarge
  }

  /// What kind of trouble it is.
  public var kind: Kind
  /// Position in the file, where one byte can be blamed.
  public var byteOffset: Int?
  /// What is wrong, in words.
  public var message: String
  /// The file, where the bytes come from one.
  public var path: String?

  package init(
    _ kind: Kind, _ message: String, byteOffset: Int? = nil, path: String? = nil
  ) {
    self.kind = kind
    self.byteOffset = byteOffset
    self.message = message.shortened
    self.path = path
  }

  /// File, kind, position and message.
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
  /// The same error, saying which part of the model it is about.
  func inside(_ place: @autoclosure () -> String) -> Self {
    var error = self
    error.message = "\(place()): \(message)".shortened
    return error
  }

  /// The same error, blaming a byte.
  func at(_ byteOffset: Int) -> Self {
    var error = self
    error.byteOffset = byteOffset
    return error
  }

  /// The same error, blaming a byte unless it blames one already, or another file.
  func at(unlessPlaced byteOffset: Int) -> Self {
    self.byteOffset == nil && path == nil ? at(byteOffset) : self
  }

  /// The same error, saying which file it is about unless it does so already.
  func inFile(_ path: String?) -> Self {
    var error = self
    error.path = self.path ?? path
    return error
  }
}
