import OcellusPlatform

/// The destinations of a command's output, checked before any work starts.
///
/// A destination must not be a file that the command reads, unless `--force` permits it. No two
/// outputs may share one, a directory must not look like a file, and standard output takes one
/// output only.
struct OutputClaims {
  /// The option of commands that write files.
  static let force = Option.flag("force", help: "Overwrite files even if the command reads them.")

  /// The paths of the files that are read, by file identity.
  private let inputs: [String: String]
  private let isForced: Bool
  /// The option that writes to each destination, by file identity.
  private var owners: [String: String] = [:]

  /// Makes the claims of a command that reads these files.
  init(reading paths: [String], isForced: Bool) {
    inputs = Dictionary(
      paths.map { (FileSystem.identity(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    self.isForced = isForced
  }

  /// Whether another output than the reports takes standard output.
  private(set) var standardOutputIsTaken = false

  /// Claims a file, or standard output if the path is `-`, for an option.
  mutating func claim(_ path: String, for owner: String) throws(UsageError) {
    if path == "-" {
      standardOutputIsTaken = true
      return try take("-", known: "standard output", for: owner)
    }
    switch FileSystem.kind(of: path) {
    case .directory: throw UsageError("\(owner): \(path) is a folder; name a file in it")
    // Users who name devices or pipes know what happens to several outputs in one.
    case .device, .pipe: return
    case .file, nil: break
    }
    let identity = FileSystem.identity(of: path)
    if !isForced, let input = inputs[identity] {
      throw UsageError("\(owner) would replace \(input), which is read; --force does it")
    }
    try take(identity, known: path, for: owner)
  }

  /// Claims standard output for results in a format that permits nothing else beside it.
  mutating func claimStandardOutput(for format: String?) throws(UsageError) {
    if let format { try take("-", known: "standard output", for: format) }
  }

  private mutating func take(
    _ identity: String, known name: String, for owner: String
  ) throws(UsageError) {
    if let other = owners.updateValue(owner, forKey: identity) {
      throw UsageError("\(other) and \(owner) both want \(name)")
    }
  }

  /// Throws an error if the path is a file or looks like one; `hint` says what would be right.
  static func requireFolder(_ path: String, for owner: String, hint: String) throws(UsageError) {
    switch FileSystem.kind(of: path) {
    case .directory: return
    case nil where !looksLikeFile(path): return
    case nil:
      throw UsageError(
        "\(owner): '\(path)' looks like a file; \(hint), or write '\(path)/' if this is one")
    default: throw UsageError("\(owner): \(path) is a file; \(hint)")
    }
  }

  private static func looksLikeFile(_ path: String) -> Bool {
    !path.hasSuffix("/") && path.lastPathComponent.dropFirst().contains(".")
      && path.lastPathComponent != ".."
  }
}

extension CommandContext {
  /// Returns a context whose reports avoid standard output if another output has claimed it.
  func reporting(beside claims: OutputClaims) -> CommandContext {
    claims.standardOutputIsTaken ? withReportsInErrorOutput : self
  }
}
