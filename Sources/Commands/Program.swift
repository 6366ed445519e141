import OcellusPlatform

/// The `ocellus` program: the list of its commands, and the way from arguments to an exit code.
package enum Program {
  /// The version that `--version` prints.
  static let version = "0.1.0"

  /// What it is, in one line.
  static let summary = "Runs TensorFlow Lite models, and shows what they are and do."

  /// What it takes in place of a command, with what that does.
  static let options: [(name: String, help: String)] = [
    ("--help", "Show what there is"), ("--version", "Print the version"),
  ]

  /// Every command, in the order of the help page: see, look, run, check, measure, attack, explain.
  static var commands: [any Command.Type] {
    [
      DetectCommand.self, LabelCommand.self, EmbedCommand.self, TrackCommand.self,
      ImageCommand.self,
      InspectCommand.self, RunCommand.self, TraceCommand.self, DiffCommand.self,
      ReceiptCommand.self, AuditCommand.self, VerifyCommand.self, BenchCommand.self,
      CompareCommand.self,
      ModelsCommand.self, OperatorsCommand.self, CPUCommand.self, FuzzCommand.self,
      HelpCommand.self, CompletionCommand.self,
    ]
  }

  /// The command that somebody named.
  static func command(named name: String) throws(UsageError) -> any Command.Type {
    if let command = commands.first(where: { $0.definition.name == name }) { return command }
    let hint = Suggestion.text(for: name, among: commands.map { $0.definition.name })
    throw UsageError("there is no command '\(name)'\(hint)")
  }

  /// Runs the program with the arguments of the process, and ends the process.
  package static func main() -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    exit(run(arguments, in: .process()).rawValue)
  }

  /// Runs the command that the arguments name; `arguments` are without the program's own name.
  package static func run(_ arguments: [String], in context: CommandContext) -> ExitCode {
    defer {
      context.output.flush()
      context.errors.flush()
    }
    do {
      return try dispatch(arguments, in: context)
    } catch let error as UsageError {
      context.complain(error.message)
      let topic = error.command.map { " \($0)" } ?? ""
      context.errors.write("Try 'ocellus help\(topic)'.\n")
      return .wrongUsage
    } catch {
      context.complain("\(error)")
      return .failure
    }
  }

  private static func dispatch(
    _ arguments: [String], in context: CommandContext
  ) throws -> ExitCode {
    guard let name = arguments.first else {
      context.errors.write(HelpPage.program)
      return .wrongUsage
    }
    let rest = Array(arguments.dropFirst())
    switch name {
    case "--version":
      context.print("ocellus \(version)")
      return .success
    case "--help", "-h":
      return try run(HelpCommand.self, with: rest, in: context)
    default:
      return try run(command(named: name), with: rest, in: context)
    }
  }

  private static func run(
    _ command: any Command.Type, with arguments: [String], in context: CommandContext
  ) throws -> ExitCode {
    let definition = command.definition
    let ready: any Command
    do throws(UsageError) {
      let parsed = try ArgumentParser(definition).parse(arguments)
      if parsed.wantsHelp {
        context.output.write(HelpPage.page(for: definition))
        return .success
      }
      ready = try command.init(parsed)
    } catch {
      throw UsageError(error.message, command: definition.name)
    }
    return try ready.run(in: context)
  }
}
