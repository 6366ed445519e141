import OcellusEngine

/// The options for a model's limits on memory and time, since models come from untrusted sources.
struct BudgetOptions {
  private static let defaultMebibytes = 1024
  private static let defaultSeconds = 60

  private static let memory = Option<Int?>.integer(
    "memory", "MIB", in: 1...1 << 30,
    help: """
      What the model may take beside its file, in MiB; a run may add half of it. Default: \
      \(defaultMebibytes).
      """)
  private static let runLimit = limitOfRuns(default: "\(defaultSeconds)")
  private static let openRunLimit = limitOfRuns(
    default: "\(defaultSeconds) for planning, and none for a run")
  private static let unlimited = Option.flag(
    "unlimited",
    help: """
      Run a trusted model without limits: it may use all memory, and may never end.
      """)

  private static func limitOfRuns(default text: String) -> Option<Int?> {
    .integer(
      "run-limit", "S", in: 1...1 << 30,
      help: "How long planning, and each run, may take, in seconds. Default: \(text).")
  }

  /// The options in the order of the help page.
  static let definitions = [memory.definition, runLimit.definition, unlimited.definition]

  /// The options of commands whose runs have no time limit by default.
  static let definitionsWithoutTimeLimit = [
    memory.definition, openRunLimit.definition, unlimited.definition,
  ]

  /// The default time limit of planning and of a run.
  static let defaultTime = Duration.seconds(defaultSeconds)

  /// Returns the requested budget; `time` is the default limit of a run.
  static func read(
    _ arguments: ParsedArguments, time: Duration? = defaultTime
  ) throws(UsageError) -> RunBudget {
    let mebibytes = try arguments[memory]
    let seconds = try arguments[runLimit]
    guard try arguments[unlimited] else {
      var budget = RunBudget(
        bytes: (mebibytes ?? defaultMebibytes) << 20, time: seconds.map { .seconds($0) } ?? time)
      // A budget without a time limit for runs still limits planning.
      if budget.time == nil { budget.planningTime = defaultTime }
      return budget
    }
    guard mebibytes == nil, seconds == nil else {
      throw UsageError("--unlimited cannot be combined with --memory or --run-limit")
    }
    return .unlimited
  }

  /// Returns the remedy for an error about exceeded limits.
  ///
  /// Returns `nil` for other errors, and for commands without these options.
  static func remedy(of error: any Error, in command: CommandDefinition) -> String? {
    guard command.options.contains(where: { $0.name == unlimited.definition.name }) else {
      return nil
    }
    return switch ModelError(behind: error)?.kind {
    case .overBudget: "for a model that you trust, --memory MIB and --unlimited allow more"
    case .deadlineExceeded: "for a model that you trust, --run-limit S and --unlimited allow more"
    default: nil
    }
  }

  /// The budget of commands without these options.
  static let usual = RunBudget(bytes: defaultMebibytes << 20, time: defaultTime)
}
