import OcellusPlatform
import Synchronization

/// Stops a run from outside, at its deadline or because it was cancelled.
///
/// The threads of a run poll it in the middle of long steps, and skip the rest of a step once the
/// run is stopped.
package final class RunControl: Sendable {
  /// The flags that a run has to act on; nearly always zero, so that a step costs one comparison.
  private let concerns = Atomic<UInt8>(0)
  /// The end of the run's time, in nanoseconds of the system's clock, if it has a limit.
  private let deadline = Atomic(UInt64.max)

  private static let cancelled: UInt8 = 1
  private static let timed: UInt8 = 2
  /// Some work was skipped.
  private static let cutShort: UInt8 = 4
  /// The deadline is so far away that only long steps read the clock, not the checks before each
  /// step.
  private static let unhurried: UInt8 = 8

  package init() {}

  package func cancel() { raise(Self.cancelled) }
  package func clear() { drop(Self.cancelled) }

  /// Starts the clock of a run.
  package func start(_ limit: RunTimeLimit?) {
    deadline.store(limit.map { Self.sum(Self.now, $0.nanoseconds) } ?? .max, ordering: .relaxed)
    let clock = limit.map { $0.isLenient ? Self.unhurried : Self.timed } ?? 0
    drop((Self.cutShort | Self.timed | Self.unhurried) & ~clock)
    // Nearly always the previous run had the same kind of limit.
    if concerns.load(ordering: .relaxed) & clock != clock { raise(clock) }
  }

  /// Lets the run end later by some time, or earlier by a negative one.
  ///
  /// Only the thread that started the clock may call this.
  func postponeDeadline(by nanoseconds: Int) {
    let end = deadline.load(ordering: .relaxed)
    guard end != .max else { return }
    let magnitude = UInt64(nanoseconds.magnitude)
    let (later, overflow) = end.addingReportingOverflow(magnitude)
    deadline.store(
      nanoseconds < 0 ? end - min(magnitude, end) : overflow ? .max - 1 : later, ordering: .relaxed)
  }

  private func raise(_ concern: UInt8) { concerns.bitwiseOr(concern, ordering: .relaxed) }
  private func drop(_ concern: UInt8) {
    // Nearly always there is nothing to clear, and a run of a microsecond would feel the locked
    // instruction.
    if concerns.load(ordering: .relaxed) & concern == 0 { return }
    concerns.bitwiseAnd(~concern, ordering: .relaxed)
  }

  private static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Whether to skip the rest of a step; polled between its work items.
  ///
  /// Once this was true the step's results are unusable, so the run ends with an error even if the
  /// reason for stopping is withdrawn.
  @inline(__always)
  package var isOver: Bool { concerns.load(ordering: .relaxed) != 0 && isStopped }

  @inline(never)
  private var isStopped: Bool {
    let concerns = concerns.load(ordering: .relaxed)
    guard concerns & Self.cancelled != 0 || isLate(concerns) else { return false }
    raise(Self.cutShort)
    return true
  }

  private func isLate(_ concerns: UInt8) -> Bool {
    // Without a deadline the clock need not be read.
    concerns & (Self.timed | Self.unhurried) != 0 && Self.now >= deadline.load(ordering: .relaxed)
  }

  /// Throws if the run has to stop; called before every step, which may take less time than reading
  /// the clock.
  ///
  /// For a deadline that is far away the clock is not read here: `RunMeter` calls `look` now and
  /// then.
  @inline(__always)
  package func check() throws(ModelError) {
    if concerns.load(ordering: .relaxed) & ~Self.unhurried != 0 { try look() }
  }

  /// Throws if the run has to stop; called within a step, which may take for ever.
  ///
  /// The clock is read however far away the deadline is.
  @inline(__always)
  func checkpoint() throws(ModelError) {
    if concerns.load(ordering: .relaxed) != 0 { try look() }
  }

  /// Throws if the run has to stop, or if some of its work was skipped.
  @inline(never)
  func look() throws(ModelError) {
    let concerns = concerns.load(ordering: .relaxed)
    if concerns & Self.cancelled != 0 { throw ModelError(.cancelled, "the run was cancelled") }
    if isLate(concerns) {
      throw ModelError(
        .deadlineExceeded, "the run exceeded the time of its budget (RunBudget.time)")
    }
    if concerns & Self.cutShort != 0 {
      throw ModelError(.cancelled, "the run was stopped for a moment, in the middle of a step")
    }
  }
}

/// The time limit of a run in nanoseconds: dividing a `Duration` takes as long as a small step.
package struct RunTimeLimit: Sendable {
  /// The limit, at most 292 years (`Int64.max`).
  let nanoseconds: UInt64
  let isLenient: Bool

  package init(_ time: Duration, shortestLenientTime: Duration) {
    let longest = Duration.nanoseconds(Int64.max)
    nanoseconds = UInt64(max(min(time, longest), .zero) / .nanoseconds(1))
    isLenient = time >= shortestLenientTime
  }
}

/// Measures one run against the budget's time and multiply-adds.
final class RunMeter {
  private let budget: RunBudget
  private let control: RunControl
  private let runLimit: RunTimeLimit?
  private let planningLimit: RunTimeLimit?
  private var multiplyAdds = 0
  /// The number of multiply-adds after which the clock is read, or the budget is used up.
  private var nextClockCheck = 0

  /// The number of multiply-adds between two reads of the clock; reference kernels take tenths of a
  /// second for them.
  private static let workBetweenClockChecks = 100_000_000

  init(budget: RunBudget, control: RunControl) {
    self.budget = budget
    self.control = control
    let limit = { RunTimeLimit($0, shortestLenientTime: budget.shortestLenientTime) }
    runLimit = budget.time.map(limit)
    planningLimit = (budget.planningTime ?? budget.time).map(limit)
  }

  /// Starts measuring a new run.
  func start() { start(runLimit) }

  /// Starts measuring a planning.
  func startPlanning() { start(planningLimit) }

  private func start(_ limit: RunTimeLimit?) {
    multiplyAdds = 0
    nextClockCheck = min(Self.workBetweenClockChecks, budget.multiplyAdds)
    control.start(limit)
  }

  /// Throws if the run has to stop; called before every step and every call of a subgraph.
  func check() throws(ModelError) { try control.check() }

  func charge(
    multiplyAdds count: Int, at node: @autoclosure () -> NodeSpec
  ) throws(ModelError) {
    let (sum, overflow) = multiplyAdds.addingReportingOverflow(count)
    guard !overflow, count >= 0, sum <= nextClockCheck else {
      return try look(after: overflow || count < 0 ? nil : sum, at: node())
    }
    multiplyAdds = sum
  }

  /// Reads the clock, or throws if the budget is used up.
  @inline(never)
  private func look(after sum: Int?, at node: NodeSpec) throws(ModelError) {
    guard let sum, sum <= budget.multiplyAdds else {
      throw node.error(
        "needs more multiply-adds than the budget (RunBudget.multiplyAdds) of "
          + "\(budget.multiplyAdds) has left", .overBudget)
    }
    multiplyAdds = sum
    nextClockCheck =
      budget.multiplyAdds - sum > Self.workBetweenClockChecks
      ? sum + Self.workBetweenClockChecks : budget.multiplyAdds
    try control.look()
  }
}
