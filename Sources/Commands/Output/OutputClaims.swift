import OcellusPlatform

/// The places that a command is going to write to, looked at before there is any work to lose.
///
/// None may be a file that the command reads, unless `--force` says so; no two may be the same; a folder
/// is none that looks like a file; and standard output takes one thing only.
struct OutputClaims {
  /// The option of commands that write files.
  static let force = Option.flag("force", help: "Write even over files that are read.")

  /// The paths of what is read, by the identity of the file.
  private let inputs: [String: String]
  private let isForced: Bool
  /// Who writes, by the identity of the file.
  private var owners: [String: String] = [:]

  /// Claims of a command that reads these files.
  init(reading paths: [String], isForced: Bool) {
    inputs = Dictionary(
      paths.map { (FileSystem.identity(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    self.isForced = isForced
  }

  /// Whether something other than reports goes to standard output, so that these have to go elsewhere.
  private(set) var standardOutputIsTaken = false

  /// Claims a file, or standard output by the name `-`, for what an option asks for.
  mutating func claim(_ path: String, for owner: String) throws(UsageError) {
    if path == "-" {
      standardOutputIsTaken = true
      return try take("-", known: "standard output", for: owner)
    }
    switch FileSystem.kind(of: path) {
    case .directory: throw UsageError("\(owner): \(path) is a folder; name a file in it")
    // Whoever names these knows what becomes of several things in one.
    case .device, .pipe: return
    case .file, nil: break
    }
    let place = FileSystem.identity(of: path)
    if !isForced, let input = inputs[place] {
      throw UsageError("\(owner) would replace \(input), which is read; --force does it")
    }
    try take(place, known: path, for: owner)
  }

  /// Claims standard output for results in a form that tolerates nothing else beside it.
  mutating func claimStandardOutput(for format: String?) throws(UsageError) {
    if let format { try take("-", known: "standard output", for: format) }
  }

  private mutating func take(
    _ place: String, known name: String, for owner: String
  ) throws(UsageError) {
    if let other = owners.updateValue(owner, forKey: place) {
      throw UsageError("\(other) and \(owner) both want \(name)")
    }
  }

  /// Refuses what cannot be a folder, or does not look like one; `hint` says what would be right.
  static func requireFolder(_ path: String, for owner: String, hint: String) throws(UsageError) {
    switch FileSystem.kind(of: path) {
    case .directory: return
    case nil where !looksLikeFile(path): return
    case nil: throw UsageError("\(owner): '\(path)' looks like a file; \(hint)")
    default: throw UsageError("\(owner): \(path) is a file; \(hint)")
    }
  }

  private static func looksLikeFile(_ path: String) -> Bool {
    !path.hasSuffix("/") && path.lastPathComponent.dropFirst().contains(".")
      && path.lastPathComponent != ".."
  }
}

extension CommandContext {
  /// Where reports go when results of another kind have standard output for themselves.
  func reporting(beside claims: OutputClaims) -> CommandContext {
    claims.standardOutputIsTaken ? withReportsAmongErrors : self
  }
}
