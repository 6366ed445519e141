import OcellusPlatform
import Synchronization

/// Stops a run from outside: by the clock, or because somebody cancelled it.
///
/// The threads of a run ask it in the middle of long steps, and leave undone what is left of them.
package final class RunControl: Sendable {
  private let isCancelled = Atomic(false)
  /// When the run is over, in nanoseconds of the system's clock.
  private let deadline = Atomic(UInt64.max)
  /// Whether something was left undone.
  private let wasCutShort = Atomic(false)

  package init() {}

  package func cancel() { isCancelled.store(true, ordering: .relaxed) }
  package func clear() { isCancelled.store(false, ordering: .relaxed) }

  /// Starts the clock of a run.
  func start(time: Duration?) {
    wasCutShort.store(false, ordering: .relaxed)
    deadline.store(time.map(Self.deadline) ?? .max, ordering: .relaxed)
  }

  private static func deadline(after time: Duration) -> UInt64 {
    let (seconds, attoseconds) = time.components
    guard seconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isLate) = now.addingReportingOverflow(whole)
    let fraction = UInt64(max(attoseconds, 0) / 1_000_000_000)
    return overflow || isLate ? .max : sum.addingReportingOverflow(fraction).partialValue
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private var isLate: Bool {
    let deadline = deadline.load(ordering: .relaxed)
    // Without one, reading the clock is spared.
    return deadline != .max && Self.now > deadline
  }

  /// Asked between the parts of a step: whether to leave out the rest.
  ///
  /// What the step makes is worthless then, so that the run ends with an error, even if it would
  /// not be stopped any more.
  package var isOver: Bool {
    guard isCancelled.load(ordering: .relaxed) || isLate else { return false }
    wasCutShort.store(true, ordering: .relaxed)
    return true
  }

  package func check() throws(ModelError) {
    if isCancelled.load(ordering: .relaxed) {
      throw ModelError(.cancelled, "the run was cancelled")
    }
    if isLate { throw ModelError(.deadlineExceeded, "the budget's time is over") }
    if wasCutShort.load(ordering: .relaxed) {
      throw ModelError(.cancelled, "the run was stopped for a moment, in the middle of a step")
    }
  }
}

/// The clock and the meter of one run.
final class RunMeter {
  private let budget: RunBudget
  private let control: RunControl
  private var multiplyAdds = 0

  init(budget: RunBudget, control: RunControl) {
    self.budget = budget
    self.control = control
  }

  /// Starts a new run: the clock and the meter begin again.
  func start() {
    multiplyAdds = 0
    control.start(time: budget.time)
  }

  /// Starts a planning.
  func startPlanning() {
    multiplyAdds = 0
    control.start(time: budget.planningTime ?? budget.time)
  }

  /// Called in front of every step and every call of a subgraph.
  func check() throws(ModelError) { try control.check() }

  func charge(
    multiplyAdds count: Int, at node: @autoclosure () -> NodeSpec
  ) throws(ModelError) {
    let (sum, overflow) = multiplyAdds.addingReportingOverflow(count)
    guard !overflow, count >= 0, sum <= budget.multiplyAdds else {
      throw node().error(
        "needs more multiply-adds than the budget of \(budget.multiplyAdds) has left", .overBudget)
    }
    multiplyAdds = sum
  }
}
