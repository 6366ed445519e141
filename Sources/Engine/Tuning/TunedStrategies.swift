import Synchronization

/// The strategies that measurements have found to be the fastest, shared by all interpreters of a
/// model.
final class TunedStrategies: Sendable {
  private let answers: Mutex<[StrategyQuestion: String]>
  /// Held while an interpreter measures: two at a time would disturb each other.
  private let measuring = Mutex(())

  init(_ answers: [StrategyQuestion: String] = [:]) { self.answers = Mutex(answers) }

  subscript(question: StrategyQuestion) -> String? {
    get { answers.withLock { $0[question] } }
    set { answers.withLock { $0[question] = newValue } }
  }

  var all: [StrategyQuestion: String] { answers.withLock { $0 } }

  /// Adds answers, which replace those to the same questions.
  func add(_ others: [StrategyQuestion: String]) {
    answers.withLock { $0.merge(others) { $1 } }
  }

  /// Returns a copy with another answer to one question.
  func answering(_ question: StrategyQuestion, with strategy: String) -> TunedStrategies {
    TunedStrategies(all.merging([question: strategy]) { $1 })
  }

  /// Calls `body` when no other interpreter of the model measures.
  func withTurn(_ body: () throws(ModelError) -> Void) throws(ModelError) {
    try measuring.withLock { _ throws(ModelError) in try body() }
  }
}
