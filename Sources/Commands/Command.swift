/// One command of the program: its definition as data, its settings as properties, its work as `run`.
protocol Command {
  /// What the command accepts; parsing and help read nothing else.
  static var definition: CommandDefinition { get }

  /// Reads the settings, and refuses wrong ones before any work starts.
  init(_ arguments: ParsedArguments) throws(UsageError)

  /// Does the work; an error thrown here is reported and ends with `ExitCode.failure`.
  func run(in context: CommandContext) throws -> ExitCode
}
