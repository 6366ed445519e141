import OcellusEngine
import OcellusJSON
import OcellusKernelDispatch
import OcellusPlatform
import OcellusStore

/// The `ocellus` program: its commands, and the dispatch from arguments to an exit code.
package enum Program {
  /// The version, which `--version` and JSON results state.
  static let version = Release.version

  /// The version of the schema of JSON results; any change but an added member increments it.
  static let schemaVersion = 1

  /// Returns the members at the start of every JSON result of a command.
  static func signature(of command: String) -> JSONObject {
    let kernels = KernelChoice.current.candidates.first(where: \.isAvailable)
    return [
      "schema_version": .integer(schemaVersion), "program_version": .string(version),
      "instruction_set": .string(orNull: kernels?.name), "command": .string(command),
    ]
  }

  /// A one-line description.
  static let summary = "Runs TensorFlow Lite models, and shows what they are and do."

  /// The options that replace a command, with their help.
  static let options: [(name: String, help: String)] = [
    ("--help", "Show what there is"),
    ("--version", "Print the version, the commit and the instruction sets"),
  ]

  /// All commands, in the order of the help page.
  static var commands: [any Command.Type] {
    [
      DetectCommand.self, LabelCommand.self, SegmentCommand.self, PoseCommand.self,
      EmbedCommand.self, TrackCommand.self, EvaluateCommand.self,
      ServeCommand.self, WorkerCommand.self, MergeCommand.self,
      ImageCommand.self,
      InspectCommand.self, RunCommand.self, TraceCommand.self, DiffCommand.self,
      ReceiptCommand.self, ArbitrateCommand.self, IdentifyCommand.self, ProveCommand.self,
      BoundCommand.self,
      AuditCommand.self, VerifyCommand.self, ProfileCommand.self,
      BenchCommand.self, KernelCommand.self,
      CompareCommand.self,
      ModelsCommand.self, OperatorsCommand.self, CPUCommand.self, FuzzCommand.self,
      HuntCommand.self, ReduceCommand.self,
      HelpCommand.self, CompletionCommand.self,
    ]
  }

  /// Returns the command with a name.
  static func command(named name: String) throws(UsageError) -> any Command.Type {
    if let command = commands.first(where: { $0.definition.name == name }) { return command }
    let hint = Suggestion.text(for: name, among: commands.map { $0.definition.name })
    throw UsageError("there is no command '\(name)'\(hint)")
  }

  /// Runs the program with the arguments of the process, and exits.
  package static func main() -> Never {
    OpenFile.prepareStandardStreams()
    exit(run(processArguments, in: .process()).rawValue)
  }

  /// Runs the command `serve` with the arguments of the process, and exits.
  ///
  /// `serve` is the server, which this library does not contain.
  package static func main(serving serve: @escaping ServerRun) -> Never {
    OpenFile.prepareStandardStreams()
    var context = CommandContext.process()
    context.serve = serve
    exit(run([ServeCommand.definition.name] + processArguments, in: context).rawValue)
  }

  /// The arguments of the process; they may contain file names that are not UTF-8.
  static var processArguments: [String] {
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst()
      .compactMap { $0.map { String(fileName: $0) } }
  }

  /// Runs the command in `arguments`, which exclude the program's own name.
  package static func run(_ arguments: [String], in context: CommandContext) -> ExitCode {
    let code = report(in: context) { try dispatch(arguments, in: context) }
    // A failed write is a failure of the program, whatever the lost output said.
    let end = report(in: context) {
      try context.output.close()
      return .success
    }
    return end == .success || code == .wrongUsage ? code : end
  }

  /// Runs a closure and reports its error.
  private static func report(in context: CommandContext, of work: () throws -> ExitCode) -> ExitCode
  {
    do {
      return try work()
    } catch let error as UsageError {
      context.complain(error.message)
      let topic = error.command.map { " \($0)" } ?? ""
      context.note("Try 'ocellus help\(topic)'.\n")
      return .wrongUsage
    } catch {
      context.complain(error)
      return .failure
    }
  }

  private static func dispatch(
    _ arguments: [String], in context: CommandContext
  ) throws -> ExitCode {
    guard let name = arguments.first else {
      context.note(HelpPage.program)
      return .wrongUsage
    }
    let rest = Array(arguments.dropFirst())
    switch name {
    case "--version":
      let sets = KernelChoice.current.candidates.map(\.name)
      for line in Commit.versionLines(hash: Commit.hash, instructionSets: sets) {
        try context.print(line)
      }
      if !Interpreter.isOptimized { try context.print("optimized: the kernels only") }
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
    do {
      let parsed = try ArgumentParser(definition).parse(arguments)
      if parsed.wantsHelp {
        try context.write(HelpPage.page(for: definition))
        return .success
      }
      let resolved = try resolved(parsed, for: command)
      return try command.init(resolved).run(in: context.running(definition.name))
    } catch let error as UsageError {
      throw UsageError(error.message, command: error.command ?? definition.name)
    } catch {
      guard let remedy = BudgetOptions.remedy(of: error, in: definition) else { throw error }
      context.complain(error, adding: "; \(remedy)")
      return .failure
    }
  }

  /// Returns the arguments with names of models replaced by paths.
  private static func resolved(
    _ arguments: ParsedArguments, for command: any Command.Type
  ) throws -> ParsedArguments {
    do {
      return try StoredModelNames.resolved(arguments, of: command.definition)
    } catch {
      // Other errors in the command line are reported first.
      _ = try command.init(arguments)
      throw error
    }
  }
}
