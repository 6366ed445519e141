/// `ocellus help`: explains the program or a command, and prints the manual page.
struct HelpCommand: Command {
  private static let manual = Option.flag(
    "man", help: "Print the page of the manual about all commands, as 'man -l -' shows it.")

  static let definition = CommandDefinition(
    name: "help", summary: "Explain the program, or a command.",
    operand: OperandDefinition(
      "COMMAND", count: 0...1, accepts: .commandName, help: "the command to explain"),
    options: [manual.definition],
    examples: [
      .init(arguments: "detect", purpose: "The same as 'ocellus detect --help'."),
      .init(arguments: "--man | man -l -", purpose: "All of it."),
    ])

  private let topic: String?
  private let isManual: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    topic = arguments.operands.first
    isManual = try arguments[Self.manual]
    if isManual, topic != nil { throw UsageError("--man is one page about all commands") }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let page =
      try topic.map { HelpPage.page(for: try Program.command(named: $0).definition) }
      ?? (isManual ? ManualPage.source : HelpPage.program)
    try context.write(page)
    return .success
  }
}
