import OcellusPlatform

/// A pipeline that reads, answers and writes requests on several threads.
///
/// Each thread reads a request, answers it, and writes all answers that are ready, so no thread
/// waits to hand work to another. At most `window` requests are in progress: a slow consumer of
/// answers slows the reading, and memory use stays bounded.
struct RequestPipeline<Request: Sendable>: Sendable {
  /// A function that answers requests on a thread of its own.
  typealias Worker = @Sendable (Request) -> [UInt8]

  /// The workers, one for each thread.
  let workers: [Worker]
  /// Whether answers keep the order of the requests, or are written as soon as they are ready.
  let isOrdered: Bool

  private var window: Int { 4 * workers.count }

  /// The source of requests; the thread that holds its monitor reads the next one.
  private struct Source {
    let next: @Sendable () throws -> Request?
    var acceptedCount = 0
    /// Whether there are no more requests.
    var isOver = false
    /// The error that prevents reading further requests.
    var failure: (any Error)?
  }

  /// The answers to be written.
  private struct Answers {
    let write: @Sendable ([[UInt8]]) throws(FileError) -> Void
    var ready: [(number: Int, answer: [UInt8])] = []
    var writtenCount = 0
    /// Whether a thread is writing.
    var isBusy = false
    /// The error that prevents writing further answers.
    var failure: FileError?
  }

  init(_ workers: [Worker], isOrdered: Bool) {
    self.workers = workers
    self.isOrdered = isOrdered
  }

  /// Answers all requests from `next` and passes the answers to `write`, in batches.
  ///
  /// Each of the two functions is called by one thread at a time.
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

  /// Returns the next request, or `nil` after the last and when answers cannot be written any more.
  private func accept(
    from source: Monitor<Source>, _ answers: Monitor<Answers>
  ) -> (number: Int, request: Request)? {
    source.change { source in
      // Wait for space in the window first, because a request that was read must be answered.
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

  /// Writes all answers that are due, unless another thread is writing.
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

  /// Takes all answers that are due, for the caller to write; returns `nil` if there are none.
  private func takeReady(
    from answers: inout Answers
  ) -> (batch: [[UInt8]], write: @Sendable ([[UInt8]]) throws(FileError) -> Void)? {
    guard !answers.isBusy, answers.failure == nil else { return nil }
    var batch: [[UInt8]] = []
    while let index = answers.ready.firstIndex(where: {
      !isOrdered || $0.number == answers.writtenCount + batch.count
    }) {
      batch.append(answers.ready.remove(at: index).answer)
    }
    guard !batch.isEmpty else { return nil }
    answers.isBusy = true
    return (batch, answers.write)
  }
}
