/// The syntax and help of a command, as data.
struct CommandDefinition: Sendable {
  /// The word that selects the command.
  let name: String
  /// A one-line summary for the list of commands.
  let summary: String
  /// The operand, usually files.
  let operand: OperandDefinition?
  /// The named options, in the order of the help page.
  let options: [OptionDefinition]
  /// Information for the user that belongs to no single option.
  let discussion: String
  /// Typical command lines.
  let examples: [Example]

  /// A command line and its purpose.
  struct Example: Sendable {
    let arguments: String
    let purpose: String
  }

  init(
    name: String, summary: String, operand: OperandDefinition? = nil,
    options: [OptionDefinition] = [], discussion: String = "", examples: [Example] = []
  ) {
    self.name = name
    self.summary = summary
    self.operand = operand
    self.options = options + [.help]
    self.discussion = discussion
    self.examples = examples
  }
}
