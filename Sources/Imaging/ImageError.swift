import OcellusPlatform

/// Why a picture or a video cannot be read, written or converted.
public struct ImageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The sort of thing that went wrong.
  public enum Kind: Sendable {
    /// The file cannot be opened, read or written.
    case unreadable
    /// The bytes contradict the format.
    case malformed
    /// Well-formed, but a feature that is not read or written here.
    case unsupported
    /// Beyond a limit that keeps hostile files from using up memory or time.
    case tooLarge
    /// The parts do not fit each other: sizes, formats, options.
    case mismatched
  }

  /// The sort of thing that went wrong.
  public var kind: Kind
  /// What went wrong, and what to do about it.
  public var message: String
  /// The file, where the picture comes from one.
  public var path: String?
  /// Position in the file, where one byte can be blamed.
  public var byteOffset: Int?

  /// An error of this kind; `message` says what went wrong, and what to do about it.
  public init(_ kind: Kind, _ message: String, byteOffset: Int? = nil, path: String? = nil) {
    self.kind = kind
    self.message = message.shortened
    self.byteOffset = byteOffset
    self.path = path
  }

  /// The file, the kind, the byte and the message, in one line.
  public var description: String {
    let place = byteOffset.map { "at byte \($0)" }
    let problem = [kind.words, place].compactMap(\.self).joined(separator: " ")
    return [path, problem.isEmpty ? nil : problem, message].compactMap(\.self)
      .joined(separator: ": ")
  }

  /// The same error, saying which file it is about unless it does so already.
  package func inFile(_ path: String?) -> Self {
    var error = self
    error.path = error.path ?? path
    return error
  }
}

extension ImageError.Kind {
  /// How messages begin; those about what cannot be opened, read or written say so themselves.
  fileprivate var words: String? {
    switch self {
    case .unreadable: nil
    case .tooLarge: "too large"
    case .malformed, .unsupported, .mismatched: "\(self)"
    }
  }
}
