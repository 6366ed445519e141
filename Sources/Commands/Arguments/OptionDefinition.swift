/// One named option of a command, as data.
struct OptionDefinition: Sendable {
  /// The long name, without dashes.
  let name: String
  /// The one-letter name, if there is one.
  let letter: Character?
  /// How help pages call the value, in capitals; nil for a flag, which takes none.
  let placeholder: String?
  /// Whether it may come more than once.
  let isRepeatable: Bool
  /// What it does, and its default.
  let help: String

  /// How the option is written.
  var spelling: String {
    let short = letter.map { "-\($0), " } ?? ""
    return short + "--\(name)" + (placeholder.map { " \($0)" } ?? "")
  }

  /// The option that every command has.
  static let help = Option.flag("help", letter: "h", help: "Show this page.").definition
}
