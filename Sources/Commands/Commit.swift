/// The commit that the program's sources are from.
enum Commit {
  /// The hash, if the sources were exported with `git archive`, as releases are; otherwise `nil`.
  ///
  /// A checkout does not know: to state its commit, each commit would build the program anew.
  static let hash = hash(exported: "$Format:%H$")

  /// Returns the hash that `git archive` puts in the place of its pattern; the pattern is no hash.
  static func hash(exported: String) -> String? {
    exported.isEmpty || !exported.allSatisfy(\.isHexDigit) ? nil : exported
  }

  /// Returns the lines of `--version` for these instruction sets, the best first.
  static func versionLines(hash: String?, instructionSets: [String]) -> [String] {
    let origin = hash.map { "commit \($0.prefix(12))" } ?? "from a checkout"
    return [
      "ocellus \(Program.version) (\(origin))",
      "instruction sets: \(instructionSets.joined(separator: ", "))",
    ]
  }
}
