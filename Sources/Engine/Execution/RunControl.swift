import OcellusPlatform
import Synchronization

/// Stops a run from outside: by the clock, or because somebody cancelled it.
///
/// The threads of a run ask it in the middle of long steps, and leave undone what is left of them.
package final class RunControl: Sendable {
  /// What a run has to look at: nothing, nearly always, so that a step costs one comparison.
  private let concerns = Atomic<UInt8>(0)
  /// When the run is over, in nanoseconds of the system's clock, if it is timed.
  private let deadline = Atomic(UInt64.max)

  private static let cancelled: UInt8 = 1
  private static let timed: UInt8 = 2
  /// Something was left undone.
  private static let cutShort: UInt8 = 4
  /// The deadline is so far away that nobody reads the clock before each step, but only within long ones.
  private static let unhurried: UInt8 = 8

  package init() {}

  package func cancel() { raise(Self.cancelled) }
  package func clear() { drop(Self.cancelled) }

  /// Starts the clock of a run.
  package func start(_ limit: RunTimeLimit?) {
    deadline.store(limit.map { Self.sum(Self.now, $0.nanoseconds) } ?? .max, ordering: .relaxed)
    let clock = limit.map { $0.isUnhurried ? Self.unhurried : Self.timed } ?? 0
    drop((Self.cutShort | Self.timed | Self.unhurried) & ~clock)
    // Nearly always the run before had the same kind of time.
    if concerns.load(ordering: .relaxed) & clock != clock { raise(clock) }
  }

  private func raise(_ concern: UInt8) { concerns.bitwiseOr(concern, ordering: .relaxed) }
  private func drop(_ concern: UInt8) {
    // Nothing to drop, nearly always: a run of a microsecond would feel the locked instruction.
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

  /// Asked between the parts of a step: whether to leave out the rest.
  ///
  /// What the step makes is worthless then, so that the run ends with an error, even if it would
  /// not be stopped any more.
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
    // Without a deadline, reading the clock is spared.
    concerns & (Self.timed | Self.unhurried) != 0 && Self.now >= deadline.load(ordering: .relaxed)
  }

  /// Asked before every step, which may take less time than to read the clock: of a deadline that is far away
  /// `look` is asked now and then.
  @inline(__always)
  package func check() throws(ModelError) {
    if concerns.load(ordering: .relaxed) & ~Self.unhurried != 0 { try look() }
  }

  /// Asked within a step, which may take for ever: however far away the deadline is, the clock is read.
  @inline(__always)
  func checkpoint() throws(ModelError) {
    if concerns.load(ordering: .relaxed) != 0 { try look() }
  }

  /// Throws if the run is to end, or if it left something undone.
  @inline(never)
  func look() throws(ModelError) {
    let concerns = concerns.load(ordering: .relaxed)
    if concerns & Self.cancelled != 0 { throw ModelError(.cancelled, "the run was cancelled") }
    if isLate(concerns) {
      throw ModelError(
        .deadlineExceeded, "the time is over that the budget (RunBudget.time) allows for a run")
    }
    if concerns & Self.cutShort != 0 {
      throw ModelError(.cancelled, "the run was stopped for a moment, in the middle of a step")
    }
  }
}

/// How long a run may take, ready to be added to the clock: dividing a `Duration` takes as long as a small step.
package struct RunTimeLimit: Sendable {
  /// As many as there are in 292 years, for longer times.
  let nanoseconds: UInt64
  let isUnhurried: Bool

  package init(_ time: Duration, shortestUnhurried: Duration) {
    let longest = Duration.nanoseconds(Int64.max)
    nanoseconds = UInt64(max(min(time, longest), .zero) / .nanoseconds(1))
    isUnhurried = time >= shortestUnhurried
  }
}

/// The clock and the meter of one run.
final class RunMeter {
  private let budget: RunBudget
  private let control: RunControl
  private let runLimit: RunTimeLimit?
  private let planningLimit: RunTimeLimit?
  private var multiplyAdds = 0
  /// What may be charged before the clock is read, or the budget is over.
  private var nextLook = 0

  /// How much work is charged between two looks at the clock: a plain loop takes some tenths of a second.
  private static let workBetweenLooks = 100_000_000

  init(budget: RunBudget, control: RunControl) {
    self.budget = budget
    self.control = control
    let limit = { RunTimeLimit($0, shortestUnhurried: budget.shortestUnhurried) }
    runLimit = budget.time.map(limit)
    planningLimit = (budget.planningTime ?? budget.time).map(limit)
  }

  /// Starts a new run: the clock and the meter begin again.
  func start() { start(runLimit) }

  /// Starts a planning.
  func startPlanning() { start(planningLimit) }

  private func start(_ limit: RunTimeLimit?) {
    multiplyAdds = 0
    nextLook = min(Self.workBetweenLooks, budget.multiplyAdds)
    control.start(limit)
  }

  /// Called in front of every step and every call of a subgraph.
  func check() throws(ModelError) { try control.check() }

  func charge(
    multiplyAdds count: Int, at node: @autoclosure () -> NodeSpec
  ) throws(ModelError) {
    let (sum, overflow) = multiplyAdds.addingReportingOverflow(count)
    guard !overflow, count >= 0, sum <= nextLook else {
      return try look(after: overflow || count < 0 ? nil : sum, at: node())
    }
    multiplyAdds = sum
  }

  /// Reads the clock, unless the budget is over.
  @inline(never)
  private func look(after sum: Int?, at node: NodeSpec) throws(ModelError) {
    guard let sum, sum <= budget.multiplyAdds else {
      throw node.error(
        "needs more multiply-adds than the budget (RunBudget.multiplyAdds) of "
          + "\(budget.multiplyAdds) has left", .overBudget)
    }
    multiplyAdds = sum
    nextLook =
      budget.multiplyAdds - sum > Self.workBetweenLooks
      ? sum + Self.workBetweenLooks : budget.multiplyAdds
    try control.look()
  }
}
