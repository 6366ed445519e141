import OcellusPlatform

/// The way of requests through the threads that answer them.
///
/// Each thread reads a request, answers it, and writes what is ready: none of them waits for another one
/// that hands something over. No more requests are on the way than `window`: a reader of answers who is
/// slow slows down everything before him, and memory stays bounded.
struct RequestPipeline<Request: Sendable>: Sendable {
  /// What makes the answer to a request, on a thread of its own.
  typealias Worker = @Sendable (Request) -> [UInt8]

  /// One for each thread.
  let workers: [Worker]
  /// Whether answers come in the order of the requests, not in that in which they are ready.
  let isOrdered: Bool

  private var window: Int { 4 * workers.count }

  /// Where requests come from: whoever has it reads the next one.
  private struct Source {
    let next: @Sendable () throws -> Request?
    var acceptedCount = 0
    /// Whether no more requests come.
    var isOver = false
    /// Why requests cannot be read any more.
    var failure: (any Error)?
  }

  /// Where answers go.
  private struct Answers {
    let write: @Sendable ([[UInt8]]) throws(FileError) -> Void
    var ready: [(number: Int, answer: [UInt8])] = []
    var writtenCount = 0
    /// Whether a thread is writing.
    var isBusy = false
    /// Why answers cannot be written any more.
    var failure: FileError?
  }

  init(_ workers: [Worker], isOrdered: Bool) {
    self.workers = workers
    self.isOrdered = isOrdered
  }

  /// Answers all requests that `next` gives; it and `write`, which gets the answers that are ready by then,
  /// are called on one thread at a time each.
  func run(
    next: @escaping @Sendable () throws -> Request?,
    write: @escaping @Sendable ([[UInt8]]) throws(FileError) -> Void
  ) throws {
    let source = Monitor(Source(next: next))
    let answers = Monitor(Answers(write: write))
    let threads = workers.compactMap { worker in
      SystemThread { work(worker, on: source, answers) }
    }
    guard !threads.isEmpty else { throw RunError("the system has no thread left") }
    for thread in threads { thread.join() }
    if let failure = answers.change(\.failure) { throw failure }
    if let failure = source.change(\.failure) { throw failure }
  }

  private func work(
    _ worker: Worker, on source: Monitor<Source>, _ answers: Monitor<Answers>
  ) {
    while let (number, request) = accept(from: source, answers) {
      let answer = worker(request)
      answers.change { $0.ready.append((number, answer)) }
      writeReady(answers)
    }
  }

  /// The next request; `nil` behind the last, and where answers cannot be written any more.
  private func accept(
    from source: Monitor<Source>, _ answers: Monitor<Answers>
  ) -> (number: Int, request: Request)? {
    source.change { source in
      // Room first: a request that was read is one that is answered.
      let goesOn = answers.wait { answers -> Bool? in
        if source.isOver || answers.failure != nil { return false }
        return source.acceptedCount - answers.writtenCount < window ? true : nil
      }
      do {
        if goesOn, let request = try source.next() {
          source.acceptedCount += 1
          return (source.acceptedCount - 1, request)
        }
      } catch {
        source.failure = error
      }
      source.isOver = true
      return nil
    }
  }

  /// Writes all answers whose turn it is, unless another thread is at it.
  private func writeReady(_ answers: Monitor<Answers>) {
    while let (batch, write) = answers.change({ takeReady(from: &$0) }) {
      var failure: FileError?
      do throws(FileError) { try write(batch) } catch { failure = error }
      answers.change {
        $0.isBusy = false
        $0.writtenCount += batch.count
        $0.failure = failure
      }
    }
  }

  /// All answers whose turn it is, for whoever calls to write them; `nil` where that is nobody's turn.
  private func takeReady(
    from answers: inout Answers
  ) -> (batch: [[UInt8]], write: @Sendable ([[UInt8]]) throws(FileError) -> Void)? {
    guard !answers.isBusy, answers.failure == nil else { return nil }
    var batch: [[UInt8]] = []
    while let place = answers.ready.firstIndex(where: {
      !isOrdered || $0.number == answers.writtenCount + batch.count
    }) {
      batch.append(answers.ready.remove(at: place).answer)
    }
    guard !batch.isEmpty else { return nil }
    answers.isBusy = true
    return (batch, answers.write)
  }
}
