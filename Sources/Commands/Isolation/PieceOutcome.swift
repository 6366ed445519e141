/// What became of one piece of isolated work.
enum PieceOutcome: Equatable, Sendable {
  /// It came to its end and left this answer.
  case answered([UInt8])
  /// Its process died: of a signal or by leaving, with what it said last.
  case died(reason: String)
  /// It ran into the time limit.
  case timedOut
  /// Nobody began it, because too many processes died before.
  case neverRun
}
