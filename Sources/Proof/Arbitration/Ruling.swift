import OcellusAudit

/// What a court says about two receipts.
package struct Ruling: Sendable {
  package enum Outcome: String, Sendable {
    /// The receipts state the same.
    case same
    /// They are about different models, inputs or pictures.
    case otherQuestions = "other_questions"
    case firstIsWrong = "a_is_wrong"
    case secondIsWrong = "b_is_wrong"
    case bothAreWrong = "both_are_wrong"
    /// Each has the bits of its own setting, and the settings round differently.
    case bothAreRight = "both_are_right"
    case undecided
  }

  package var outcome: Outcome
  /// Why, as a sentence without its end.
  package var reason: String
  /// The dispute; `nil` if there is none.
  package var dispute: Dispute?
  /// How often the parties were asked in all, the exchange of operands included.
  package var exchangeCount: Int
  /// The size of the operands that were exchanged.
  package var operandByteCount = 0

  /// Makes the ruling about what two parties say, each right, wrong, or (`nil`) not to be judged.
  init(_ first: Bool?, _ second: Bool?, because reason: String, _ dispute: Dispute) {
    outcome =
      switch (first, second) {
      case (false, false): .bothAreWrong
      case (true, true): .bothAreRight
      // Whoever is wrong is wrong, whatever the other one is.
      case (false, _): .firstIsWrong
      case (_, false): .secondIsWrong
      default: .undecided
      }
    self.reason = reason
    self.dispute = dispute
    exchangeCount = dispute.exchangeCount
  }

  init(_ outcome: Outcome, because reason: String, dispute: Dispute? = nil) {
    self.outcome = outcome
    self.reason = reason
    self.dispute = dispute
    exchangeCount = dispute?.exchangeCount ?? 1
  }
}
