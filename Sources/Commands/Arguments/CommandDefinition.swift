/// What a command accepts, as data.
struct CommandDefinition: Sendable {
  /// The word that selects the command.
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// What comes without a name: files, mostly.
  let operand: OperandDefinition?
  /// The named options, in the order of the help page.
  let options: [OptionDefinition]
  /// What a person needs to know that no single option can say.
  let discussion: String
  /// Command lines that are worth copying.
  let examples: [Example]

  /// A command line and what it is for.
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
