import OcellusPlatform

/// The threads of an interpreter as its steps reach them: without holding on to them.
package struct WorkersReference {
  package let threadCount: Int
  private let workers: Unmanaged<Workers>

  /// Whether the run was stopped, so that the rest of a step may be left out.
  ///
  /// Not by way of `control`: that would count a reference up and down, in memory that all threads look at.
  package var isOver: Bool { workers._withUnsafeGuaranteedRef { $0.control.isOver } }

  /// What stops the run.
  package var control: RunControl { workers._withUnsafeGuaranteedRef { $0.control } }

  /// - Precondition: the workers outlive this.
  package init(_ workers: Workers) {
    self.workers = .passUnretained(workers)
    threadCount = workers.threadCount
  }

  /// Does every part of a loop once; see `Workers.run`.
  package func run<State>(_ partCount: Int, _ loop: PartLoop<State>, _ state: State) {
    workers._withUnsafeGuaranteedRef { $0.run(partCount, loop, state) }
  }
}

/// The threads that share the parts of a step.
///
/// With one thread there are none but the caller's. Others are started when there is first
/// something to share, no more than processors can run at once: to take turns costs more than
/// to do the work.
package final class Workers {
  package let threadCount: Int
  fileprivate let control: RunControl
  /// Whether threads share the parts; otherwise the caller does all of them.
  var isSharing = true
  private var pool: WorkerPool?
  /// Where parts that threads share are taken down, while somebody watches them.
  var log: PartLog? {
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
    self.pool = pool
    return pool
  }

  private var helperCount: Int {
    let processorCount = ProcessorSet(of: pthread_self())?.count ?? threadCount
    return max(min(threadCount, processorCount), 1) - 1
  }

  /// Does every part of a loop once, on all threads if they share, and returns when all are done.
  ///
  /// Which thread takes which part is left to chance, so a part must not depend on another. When the
  /// run is stopped, parts are left out.
  package func run<State>(_ partCount: Int, _ loop: PartLoop<State>, _ state: State) {
    guard isSharing, threadCount > 1, partCount > 1 else {
      return loop.runAll(partCount, with: state, control)
    }
    let pool = self.pool ?? makePool()
    withUnsafePointer(to: state) { state in
      loop.work.with(state) { pool.run(partCount, $0) }
    }
  }
}
