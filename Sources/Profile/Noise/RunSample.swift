/// Runs of one kind, and those among them that count because nothing disturbed them.
public struct RunSample: Sendable {
  /// All runs, in their order.
  public let runs: [Interference]
  /// The indices of the runs that count, in ascending order.
  public let kept: [Int]
  /// Whether enough runs were undisturbed; otherwise the least disturbed ones count.
  public let isUndisturbed: Bool
  /// The durations of the runs that count, in milliseconds.
  public let time: TimeStatistics

  /// The number of runs that are enough, if so many were asked for.
  private static let sufficientCount = 3

  /// Selects the undisturbed runs.
  ///
  /// If fewer than three runs were undisturbed (of a dozen or more; a quarter of fewer), the least
  /// disturbed quarter of all runs counts, at least three.
  ///
  /// - Precondition: there is at least one run.
  public init(_ runs: [Interference]) {
    self.runs = runs
    let undisturbed = runs.indices.filter { !runs[$0].isDisturbed }
    isUndisturbed = undisturbed.count >= min(Self.sufficientCount, max(runs.count / 4, 1))
    kept =
      isUndisturbed
      ? undisturbed
      : runs.indices.sorted { Self.disturbance(of: runs[$0]) < Self.disturbance(of: runs[$1]) }
        .prefix(max(runs.count / 4, Self.sufficientCount)).sorted()
    time = TimeStatistics(kept.map { runs[$0].milliseconds })
  }

  /// The order of runs by disturbance; noise only adds time, so the shorter of equals is better.
  private static func disturbance(of run: Interference) -> (Double, Int, Double) {
    (
      run.waitingMilliseconds + run.stolenShare * run.milliseconds, run.involuntarySwitches,
      run.milliseconds
    )
  }

  /// The number of runs that do not count.
  public var leftOutCount: Int { runs.count - kept.count }

  /// The index of the run that counts and whose duration is the median, the shorter of two.
  public var medianRun: Int {
    kept.sorted { (runs[$0].milliseconds, $0) < (runs[$1].milliseconds, $1) }[(kept.count - 1) / 2]
  }
}
