import OcellusPlatform

/// Runs numbered work items in forked processes, to detect and survive crashes and hangs.
///
/// A few long-lived workers take the items in turn, which makes an item as cheap as a function
/// call. A worker that dies is replaced, and its item is recorded. The caller must have a single
/// thread, because a forked process keeps only one.
struct IsolatedWork {
  /// The number of work items.
  let count: Int
  /// The number of concurrent processes.
  let workerCount: Int
  /// The maximum size of an item's answer in bytes; longer answers are truncated.
  let answerSize: Int
  let limits: WorkerLimits

  /// The outcomes of all work items.
  struct Outcomes {
    fileprivate let board: SharedWorkState
    fileprivate var deaths: [Int: WorkItemOutcome] = [:]

    /// The outcome of one work item.
    subscript(item: Int) -> WorkItemOutcome {
      deaths[item] ?? board.answer(to: item).map { .answered($0) } ?? .neverRun
    }

    /// The items whose processes died or exceeded the time limit, in order.
    var failedItems: [Int] { deaths.keys.sorted() }
  }

  /// Runs all work items; `progress` is called now and then with the number of started items.
  func run(
    progress: (_ begun: Int) -> Void = { _ in }, item work: (_ item: Int) -> [UInt8]
  ) throws(FileError) -> Outcomes {
    let board = try SharedWorkState(
      itemCount: count, workerCount: workerCount, answerSize: answerSize)
    var outcomes = Outcomes(board: board)
    var workers: [WorkerProcess?] = []
    for slot in 0..<min(workerCount, count) {
      workers.append(try startWorker(slot, on: board, work))
    }
    while workers.contains(where: { $0 != nil }) {
      usleep(2_000)
      progress(board.begunCount)
      for (slot, worker) in workers.enumerated() {
        guard let outcome = worker?.end() else { continue }
        workers[slot] = nil
        // A worker that ends between items has finished, or cannot work at all.
        guard let item = board.item(of: slot) else { continue }
        outcomes.deaths[item] = outcome
        workers[slot] = try startWorker(slot, on: board, work)
      }
    }
    return outcomes
  }

  private func startWorker(
    _ slot: Int, on board: SharedWorkState, _ work: (Int) -> [UInt8]
  ) throws(FileError) -> WorkerProcess {
    let parent = getpid()
    return try WorkerProcess(slot: board.slot(slot), limits: limits) {
      // A worker must not continue after its parent was killed.
      while getppid() == parent, let item = board.takeItem() {
        board.slot(slot).pointee.begin(item)
        board.answer(item, with: work(item))
        board.slot(slot).pointee.finish()
      }
    }
  }
}

/// The outcome of an isolated work item.
enum WorkItemOutcome: Equatable, Sendable {
  /// It finished with this answer.
  case answered([UInt8])
  /// Its process died of a signal or exited; the reason includes its last error message.
  case died(reason: String)
  /// It exceeded the time limit.
  case timedOut
  /// It never started, because too many processes died before.
  case neverRun
}

/// The limits of a worker process.
struct WorkerLimits: Sendable {
  /// The limit of processor time for one work item, in seconds.
  ///
  /// The limit of elapsed time is ten times as long, so a busy machine causes no false alarms, and
  /// an item that sleeps for ever is still detected.
  let secondsPerItem: Double
  /// The limit of address space beyond that of the new process, in bytes; `nil` for no limit.
  let memory: Int?

  /// The limit of elapsed time for one work item, in seconds.
  var elapsedSecondsPerItem: Double { 10 * secondsPerItem }
}
