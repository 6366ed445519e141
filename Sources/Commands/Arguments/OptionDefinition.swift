/// A named option of a command, as data.
struct OptionDefinition: Sendable {
  /// The long name, without dashes.
  let name: String
  /// The one-letter name, if there is one.
  let letter: Character?
  /// The name of the value in help pages, in capitals; `nil` for a flag.
  let placeholder: String?
  /// The accepted values, for completion.
  let accepted: AcceptedValues
  /// Whether the option may be given more than once.
  let isRepeatable: Bool
  /// The option's effect and its default.
  let help: String

  init(
    name: String, letter: Character? = nil, placeholder: String? = nil,
    accepts accepted: AcceptedValues = .text, isRepeatable: Bool = false, help: String
  ) {
    self.name = name
    self.letter = letter
    self.placeholder = placeholder
    self.accepted = accepted
    self.isRepeatable = isRepeatable
    self.help = help
  }

  /// The spellings with dashes: the letter, then the long name.
  var spellings: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(name)"] }

  /// The option as help pages show it.
  var usage: String {
    spellings.joined(separator: ", ") + (placeholder.map { " \($0)" } ?? "")
  }

  /// The first sentence of the help, for menus of completion.
  ///
  /// It omits the full stop, and words that the menu lists anyway.
  var brief: String {
    var text = help[...]
    var stops = ["\n", ". "]
    if case .words = accepted { stops.append(": ") }
    for stop in stops {
      if let found = text.firstRange(of: stop) { text = text[..<found.lowerBound] }
    }
    return String(text.hasSuffix(".") ? text.dropLast() : text)
  }

  /// The option of every command that shows its help page.
  static let help = Option.flag("help", letter: "h", help: "Show this page.").definition
}
