import Synchronization

/// Stops a run from outside: by the clock, by its arithmetic, or because somebody cancelled it.
final class RunControl: Sendable {
  private let isCancelled = Atomic(false)

  func cancel() { isCancelled.store(true, ordering: .relaxed) }
  func clear() { isCancelled.store(false, ordering: .relaxed) }

  func check() throws(ModelError) {
    if isCancelled.load(ordering: .relaxed) {
      throw ModelError(.cancelled, "the run was cancelled")
    }
  }
}

/// The clock and the meter of one run.
final class RunMeter {
  private let budget: RunBudget
  private let control: RunControl
  private var deadline: ContinuousClock.Instant?
  /// Asked first, since it takes no call to read.
  private var hasDeadline = false
  private var multiplyAdds = 0

  init(budget: RunBudget, control: RunControl) {
    self.budget = budget
    self.control = control
  }

  /// Starts a new run, or a planning: the clock and the meter begin again.
  func start() {
    multiplyAdds = 0
    guard budget.time != nil || hasDeadline else { return }
    deadline = budget.time.map { .now + $0 }
    hasDeadline = deadline != nil
  }

  /// Called in front of every step and every call of a subgraph.
  func check() throws(ModelError) {
    try control.check()
    if hasDeadline, let deadline, ContinuousClock.now > deadline {
      throw ModelError(.deadlineExceeded, "the budget's time is over")
    }
  }

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
