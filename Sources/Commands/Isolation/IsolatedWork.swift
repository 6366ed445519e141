import OcellusPlatform

/// Does numbered pieces of work in forked processes, so that a crash or a hang costs one piece and is
/// seen.
///
/// A few long-lived workers take the pieces in turn, which makes a piece as cheap as a function call; a
/// worker that dies is replaced, and the piece it died of is remembered. The caller must have a single
/// thread, because a forked process keeps only one.
struct IsolatedWork {
  /// How many pieces there are.
  let count: Int
  /// Processes that work at the same time.
  let workerCount: Int
  /// The most bytes that a piece may answer with; longer answers are cut.
  let answerSize: Int
  let limits: WorkerLimits

  /// What became of the pieces.
  struct Outcomes {
    fileprivate let board: WorkBoard
    fileprivate var deaths: [Int: PieceOutcome] = [:]

    /// The outcome of one piece.
    subscript(piece: Int) -> PieceOutcome {
      deaths[piece] ?? board.answer(to: piece).map { .answered($0) } ?? .neverRun
    }

    /// The pieces whose processes died or ran out of time, in order.
    var failedPieces: [Int] { deaths.keys.sorted() }
  }

  /// Does all the work; `progress` hears now and then how many pieces were begun.
  func run(
    progress: (_ begun: Int) -> Void = { _ in }, piece work: (_ piece: Int) -> [UInt8]
  ) throws(FileError) -> Outcomes {
    let board = try WorkBoard(pieceCount: count, workerCount: workerCount, answerSize: answerSize)
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
        // A worker that ends between pieces has come to the end of the work, or cannot work at all.
        guard let piece = board.piece(of: slot) else { continue }
        outcomes.deaths[piece] = outcome
        workers[slot] = try startWorker(slot, on: board, work)
      }
    }
    return outcomes
  }

  private func startWorker(
    _ slot: Int, on board: WorkBoard, _ work: (Int) -> [UInt8]
  ) throws(FileError) -> WorkerProcess {
    let parent = getpid()
    return try WorkerProcess(slot: board.slot(slot), limits: limits) {
      // A worker whose parent was killed would go on for nobody.
      while getppid() == parent, let piece = board.takePiece() {
        board.slot(slot).pointee.begin(piece)
        board.answer(piece, with: work(piece))
        board.slot(slot).pointee.finish()
      }
    }
  }
}

/// What became of one piece of isolated work.
enum PieceOutcome: Equatable, Sendable {
  /// It came to its end and left this answer.
  case answered([UInt8])
  /// Its process died: of a signal or by leaving, with what it said last.
  case died(reason: String)
  /// It ran into the time limit.
  case timedOut
  /// Nobody began it, because too many processes died before.
  case neverRun
}

/// What a worker process may take.
struct WorkerLimits: Sendable {
  /// Processor time for one piece of work, in seconds; on the clock it may take ten times as long, so
  /// that a busy machine makes no false alarms and a piece that sleeps for ever is still found.
  let secondsPerPiece: Double
  /// Address space beyond what the process starts with, in bytes; nil for no limit.
  let memory: Int?

  /// The longest a piece may take on the clock, in seconds.
  var clockSecondsPerPiece: Double { 10 * secondsPerPiece }
}
