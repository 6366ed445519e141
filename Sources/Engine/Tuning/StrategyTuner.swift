/// The tuning of one interpreter: what it may spend, and where it remembers the outcome.
final class StrategyTuner {
  let clock: TuningClock
  let strategies: TunedStrategies
  /// Whether the program has asked for a plan; during runs nothing is measured.
  var isOpen = false
  private let path: String?
  private(set) var nanosecondsLeft: Int
  /// The answers that are not in the file yet.
  private var news: [StrategyQuestion: String] = [:]

  /// Makes the tuning that options ask for, and reads the file that they name.
  ///
  /// - Returns: `nil` if they ask for none.
  init?(_ options: Interpreter.Options, for model: Model) throws(ModelError) {
    if options.tuning == .off { return nil }
    clock = options.tuningClock
    strategies = model.tunedStrategies
    path = options.tuning.path
    nanosecondsLeft = options.tuning.nanoseconds
    guard let path else { return }
    let isRequired = if case .remembered = options.tuning { true } else { false }
    strategies.add(try TuningFile(path).answers(isRequired: isRequired))
  }

  /// Records an answer.
  func record(_ strategy: String, for question: StrategyQuestion) {
    strategies[question] = strategy
    news[question] = strategy
  }

  /// Takes off the time that was spent.
  func spend(_ nanoseconds: Int) { nanosecondsLeft = max(nanosecondsLeft - nanoseconds, 0) }

  /// Adds new answers to the file.
  func remember() throws(ModelError) {
    guard let path, !news.isEmpty else { return }
    try TuningFile(path).add(news)
    news = [:]
  }
}
