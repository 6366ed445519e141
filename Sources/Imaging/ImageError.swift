import OcellusPlatform

/// A failure to read, write or convert a picture or a video.
public struct ImageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The category of a failure.
  public enum Kind: Sendable {
    /// The file cannot be opened, read or written.
    case unreadable
    /// The bytes contradict the format.
    case malformed
    /// The data is well-formed, but uses a feature that is not supported.
    case unsupported
    /// A limit is exceeded that keeps hostile files from using up memory or time.
    case tooLarge
    /// The sizes, formats or options do not fit each other.
    case mismatched
  }

  /// The category of the failure.
  public var kind: Kind
  /// A description of the failure, with advice where there is any.
  public var message: String
  /// The path of the file, if the picture comes from one.
  public var path: String?
  /// The position in the file, if the failure has one.
  public var byteOffset: Int?

  /// Creates an error; `message` says what went wrong, and what to do about it.
  public init(_ kind: Kind, _ message: String, byteOffset: Int? = nil, path: String? = nil) {
    self.kind = kind
    self.message = message.shortened
    self.byteOffset = byteOffset
    self.path = path
  }

  /// The path, the category, the position and the message, in one line.
  public var description: String {
    let position = byteOffset.map { "at byte \($0)" }
    let problem = [kind.words, position].compactMap(\.self).joined(separator: " ")
    return [path, problem.isEmpty ? nil : problem, message].compactMap(\.self)
      .joined(separator: ": ")
  }

  /// Returns this error with the path of its file, unless it has a path already.
  package func inFile(_ path: String?) -> Self {
    var error = self
    error.path = error.path ?? path
    return error
  }
}

extension ImageError.Kind {
  /// The beginning of the message; messages about unreadable files need none.
  fileprivate var words: String? {
    switch self {
    case .unreadable: nil
    case .tooLarge: "too large"
    case .malformed, .unsupported, .mismatched: "\(self)"
    }
  }
}
