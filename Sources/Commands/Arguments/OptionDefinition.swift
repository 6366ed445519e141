/// One named option of a command, as data.
struct OptionDefinition: Sendable {
  /// The long name, without dashes.
  let name: String
  /// The one-letter name, if there is one.
  let letter: Character?
  /// How help pages call the value, in capitals; nil for a flag, which takes none.
  let placeholder: String?
  /// What the value may be.
  let accepted: AcceptedValues
  /// Whether it may come more than once.
  let isRepeatable: Bool
  /// What it does, and its default.
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

  /// The names by which it can be given, with their dashes: the letter, then the long one.
  var spellings: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(name)"] }

  /// How the option is written.
  var usage: String {
    spellings.joined(separator: ", ") + (placeholder.map { " \($0)" } ?? "")
  }

  /// The first sentence of the help, as a menu has it: without its full stop, and without the words
  /// that the menu offers anyway.
  var brief: String {
    var text = help[...]
    var stops = ["\n", ". "]
    if case .words = accepted { stops.append(": ") }
    for stop in stops {
      if let found = text.firstRange(of: stop) { text = text[..<found.lowerBound] }
    }
    return String(text.hasSuffix(".") ? text.dropLast() : text)
  }

  /// The option that every command has.
  static let help = Option.flag("help", letter: "h", help: "Show this page.").definition
}
