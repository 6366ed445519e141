import OcellusPlatform

/// An unowned reference to the threads of an interpreter, for its steps.
package struct WorkersReference {
  package let threadCount: Int
  private let workers: Unmanaged<Workers>

  /// Whether the run was stopped, so that the rest of a step may be skipped.
  ///
  /// This does not use `control`, which would retain and release an object in memory that all
  /// threads read.
  package var isOver: Bool { workers._withUnsafeGuaranteedRef { $0.control.isOver } }

  /// The control that stops the run.
  package var control: RunControl { workers._withUnsafeGuaranteedRef { $0.control } }

  /// Makes a reference that does not retain the workers.
  ///
  /// - Precondition: the workers outlive this reference.
  package init(_ workers: Workers) {
    self.workers = .passUnretained(workers)
    threadCount = workers.threadCount
  }

  /// Runs every work item of a loop once; see `Workers.run`.
  package func run<State>(_ itemCount: Int, _ loop: WorkItemLoop<State>, _ state: State) {
    workers._withUnsafeGuaranteedRef { $0.run(itemCount, loop, state) }
  }
}

/// The threads that share the work items of a step.
///
/// With one thread there is only the caller's. The others are started when there is first something
/// to share, and no more than there are processors: taking turns on a processor would cost more
/// than it gains.
package final class Workers {
  package let threadCount: Int
  fileprivate let control: RunControl
  /// Whether threads share the work items; otherwise the caller runs all of them.
  var isSharing = true
  private var pool: WorkerPool?
  /// Whether the threads take subnormal floats as zero; the caller's thread is set by the caller.
  var takesSubnormalsAsZero = false {
    didSet { pool?.takesSubnormalsAsZero = takesSubnormalsAsZero }
  }
  /// The log of shared work items, while somebody watches them.
  var log: WorkItemLog? {
    didSet { pool?.log = log }
  }

  package init(threadCount: Int, control: RunControl = RunControl()) {
    self.threadCount = max(threadCount, 1)
    self.control = control
  }

  deinit { pool?.stop() }

  private func makePool() -> WorkerPool {
    let pool = WorkerPool(helperCount: helperCount, control: control)
    pool.log = log
    pool.takesSubnormalsAsZero = takesSubnormalsAsZero
    self.pool = pool
    return pool
  }

  private var helperCount: Int {
    let processorCount = ProcessorSet(of: pthread_self())?.count ?? threadCount
    return max(min(threadCount, processorCount), 1) - 1
  }

  /// Runs every work item of a loop once, on all threads if they share, and returns when all are
  /// done.
  ///
  /// Any thread may take any work item, so a work item must not depend on another. When the run is
  /// stopped, the remaining work items are skipped.
  package func run<State>(_ itemCount: Int, _ loop: WorkItemLoop<State>, _ state: State) {
    guard isSharing, threadCount > 1, itemCount > 1 else {
      return loop.runAll(itemCount, with: state, control)
    }
    let pool = self.pool ?? makePool()
    withUnsafePointer(to: state) { state in
      loop.work.with(state) { pool.run(itemCount, $0) }
    }
  }
}
