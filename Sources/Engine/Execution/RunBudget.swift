/// The limits on memory, arithmetic and time of a model, a guard against untrusted files and
/// inputs.
public struct RunBudget: Sendable {
  /// The number of bytes that tensors, working memory, folded constants and packed weights may take
  /// together.
  ///
  /// The size of the model's file is added to this limit. A run may use at most half of the sum on
  /// top of what planning took.
  public var bytes: Int
  /// The number of multiply-adds that one run may take.
  public var multiplyAdds: Int
  /// The time that planning or one run may take; `nil` for no limit.
  ///
  /// Long steps read the clock too, so a run exceeds the limit by some milliseconds at most. With a
  /// limit of ten seconds or more the clock is read less often between steps, and a run of many
  /// short steps may exceed it by some tenths of a second. `Interpreter.resetState()` repairs the
  /// state that a stopped run left incomplete.
  public var time: Duration?
  /// The time that planning may take, where it differs from `time`.
  public var planningTime: Duration?

  /// Makes a budget; the defaults are far above what real models need.
  ///
  /// They are 4 GiB, 10¹³ multiply-adds, and a minute for planning and for each run.
  public init(
    bytes: Int = 4 << 30, multiplyAdds: Int = 10_000_000_000_000, time: Duration? = .seconds(60)
  ) {
    self.bytes = bytes
    self.multiplyAdds = multiplyAdds
    self.time = time
  }

  /// No limits, for trusted models only: a loop in the model may run for ever and take all memory.
  public static let unlimited = RunBudget(bytes: .max, multiplyAdds: .max, time: nil)

  /// The least time that counts as a guard against endless runs, not as a deadline for each run.
  ///
  /// Tests lower it to see such a limit exceeded.
  package var shortestLenientTime = Duration.seconds(10)

  /// Whether the time is short enough to be a deadline that each run has to meet.
  package var hasDeadlinePerRun: Bool { time.map { $0 < shortestLenientTime } ?? false }
}
