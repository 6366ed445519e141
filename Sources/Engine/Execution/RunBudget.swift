/// What a model may use: the guard against files and inputs from strangers.
public struct RunBudget: Sendable {
  /// The bytes that tensors, working memory, folded constants and packed weights may take together,
  /// beside as many as the model's file has.
  ///
  /// A run may add half of them to what planning took.
  public var bytes: Int
  /// The multiply-adds that one run may take.
  public var multiplyAdds: Int
  /// The time that planning or one run may take; `nil` for no limit.
  ///
  /// The clock is read in the middle of long steps too: a run goes on for some milliseconds at most. Of ten
  /// seconds and more it is read less often between steps, so that a run of many short ones goes on for some
  /// tenths of a second. `Interpreter.resetState()` puts right what a run that was stopped left half done.
  public var time: Duration?
  /// The time that planning may take, where it differs from `time`.
  public var planningTime: Duration?

  /// A budget that real models stay far below: 4 GiB, 10¹³ multiply-adds, and a minute for planning and for each run.
  public init(
    bytes: Int = 4 << 30, multiplyAdds: Int = 10_000_000_000_000, time: Duration? = .seconds(60)
  ) {
    self.bytes = bytes
    self.multiplyAdds = multiplyAdds
    self.time = time
  }

  /// No limits, for models that one trusts: a loop in such a model may run for ever, and take all memory there is.
  public static let unlimited = RunBudget(bytes: .max, multiplyAdds: .max, time: nil)

  /// From here on a time is a guard against runs without end, not one that somebody waits for.
  ///
  /// Tests take less, to see such a time end.
  package var shortestUnhurried = Duration.seconds(10)

  /// Whether every run has to be over within a time that somebody waits for.
  package var isHurried: Bool { time.map { $0 < shortestUnhurried } ?? false }
}
