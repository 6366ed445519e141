import OcellusEngine

/// What a model may use: not much more than machines have, since models come from strangers.
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
      Run a model that you trust without limits: it may take all memory there is, and never end.
      """)

  private static func limitOfRuns(default text: String) -> Option<Int?> {
    .integer(
      "run-limit", "S", in: 1...1 << 30,
      help: "How long planning, and each run, may take, in seconds. Default: \(text).")
  }

  /// In the order of the help page.
  static let definitions = [memory.definition, runLimit.definition, unlimited.definition]

  /// The same of commands whose runs have another limit.
  static let definitionsOfOpenRuns = [
    memory.definition, openRunLimit.definition, unlimited.definition,
  ]

  /// What planning and a run may take by default.
  static let defaultTime = Duration.seconds(defaultSeconds)

  /// What was asked for; `time` is what a run may take by default.
  static func read(
    _ arguments: ParsedArguments, time: Duration? = defaultTime
  ) throws(UsageError) -> RunBudget {
    let mebibytes = try arguments[memory]
    let seconds = try arguments[runLimit]
    guard try arguments[unlimited] else {
      var budget = RunBudget(
        bytes: (mebibytes ?? defaultMebibytes) << 20, time: seconds.map { .seconds($0) } ?? time)
      // Planning has no other limit.
      if budget.time == nil { budget.planningTime = defaultTime }
      return budget
    }
    guard mebibytes == nil, seconds == nil else {
      throw UsageError("--unlimited leaves nothing for --memory and --run-limit to limit")
    }
    return .unlimited
  }

  /// What to do where a model needs more than it may use; `nil` for other errors, and commands without these options.
  static func wayOut(of error: any Error, in command: CommandDefinition) -> String? {
    guard command.options.contains(where: { $0.name == unlimited.definition.name }) else {
      return nil
    }
    return switch ModelError(behind: error)?.kind {
    case .overBudget: "for a model that you trust, --memory MIB and --unlimited allow more"
    case .deadlineExceeded: "for a model that you trust, --run-limit S and --unlimited allow more"
    default: nil
    }
  }

  /// The budget of commands that do not ask.
  static let usual = RunBudget(bytes: defaultMebibytes << 20, time: defaultTime)
}
