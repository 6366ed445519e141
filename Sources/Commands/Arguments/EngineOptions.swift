import OcellusEngine

extension Option where Value == Interpreter.Backend? {
  /// The library that multiplies float matrices.
  static var backend: Self {
    .choice(
      "backend", "NAME", of: Interpreter.Backend.allCases.map { ($0.rawValue, $0) },
      help: """
        The library for float matrix multiplications: 'ocellus', or 'blas' for OpenBLAS, which \
        must be installed. Default: ocellus.
        """)
  }
}

/// The options of commands that examine how the engine runs a model.
struct EngineOptions {
  private static let reference = Option.flag(
    "reference", help: "Run the reference kernel of every operator instead of tuned kernels.")
  private static let backend = Option<Interpreter.Backend?>.backend
  private static let strategy = Option<[String]>.texts(
    "strategy", "FAMILY=NAME",
    help: """
      Take this strategy of a family of kernels where it accepts a node, for comparison; 'kernel list' \
      shows what there is. May be repeated.
      """)

  /// The options in the order of the help page.
  static let definitions = own + BudgetOptions.definitions
  /// The options of commands whose runs have no time limit by default.
  static let definitionsWithoutTimeLimit = own + BudgetOptions.definitionsWithoutTimeLimit

  private static let own =
    [reference.definition] + NumericsOptions.definitions + [
      backend.definition, strategy.definition,
    ] + TuningOptions.definitions

  /// Returns the requested options; `time` is the default limit of a run.
  static func read(
    _ arguments: ParsedArguments, threads: Int, time: Duration? = BudgetOptions.defaultTime
  ) throws(UsageError) -> Interpreter.Options {
    var options = Interpreter.Options(
      threads: threads, budget: try BudgetOptions.read(arguments, time: time),
      usesReferenceKernels: try arguments[reference],
      backend: try arguments[backend] ?? .ocellus,
      numerics: try NumericsOptions.read(arguments))
    options.strategies = try StrategyArguments.read(try arguments[strategy])
    options.tuning = try TuningOptions.read(arguments)
    return options
  }
}
