import OcellusPlatform

/// The options of a run that may change its results, as each result of a shard records them.
struct ShardOptions: Equatable {
  /// Options that change no result, and the model, whose hash every result contains.
  private static let leftOut: Set = [
    "csv", "csv-spreadsheet", "dump-input", "explain", "force", "help", "json", "jsonl", "model",
    "record", "resume", "shard", "threads",
  ]

  /// The options as words of a command line, with hashes in place of files.
  let words: [String]

  /// Takes the options that a result records.
  init(recorded words: [String]) { self.words = words }

  /// Takes the options of a command line.
  init(_ arguments: ParsedArguments, of definition: CommandDefinition) throws {
    var arguments = arguments
    for option in definition.options where option.accepted == .file || option.accepted == .model {
      // A file may have another name on another machine.
      arguments.texts[option.name] = try arguments.texts[option.name]?.map { path in
        guard FileSystem.exists(path), !FileSystem.isDirectory(path) else { return path }
        return "sha256:\(try FileSystem.sha256(of: path))"
      }
    }
    words = arguments.words(of: definition, without: Self.leftOut)
  }

  /// Returns how this run and another one were made, for the first option in which they differ.
  func difference(from other: ShardOptions) -> (own: String, other: String)? {
    let names = (words + other.words).map(Self.name)
    guard let name = names.first(where: { words(of: $0) != other.words(of: $0) }) else {
      return nil
    }
    return (text(of: name), other.text(of: name))
  }

  private static func name(of word: String) -> String { String(word.prefix { $0 != "=" }) }

  private func words(of name: String) -> [String] { words.filter { Self.name(of: $0) == name } }

  private func text(of name: String) -> String {
    let words = words(of: name)
    return words.isEmpty ? "without \(name)" : "with \(words.joined(separator: " "))"
  }
}
