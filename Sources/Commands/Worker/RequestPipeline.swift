import OcellusPlatform

/// The way of requests through the threads that answer them.
///
/// No more requests are on the way than `window`: a reader of answers who is slow slows down everything
/// before him, and memory stays bounded.
struct RequestPipeline<Request: Sendable>: Sendable {
  /// What makes the answer to a request, on a thread of its own.
  typealias Worker = @Sendable (Request) -> [UInt8]

  /// One for each thread.
  let workers: [Worker]
  /// Whether answers come in the order of the requests, not in that in which they are ready.
  let isOrdered: Bool

  private var window: Int { 4 * workers.count }

  /// What is on the way.
  private struct Traffic {
    var waiting: [(number: Int, request: Request)] = []
    var ready: [(number: Int, answer: [UInt8])] = []
    var acceptedCount = 0
    var writtenCount = 0
    /// Whether no more requests come.
    var isClosed = false
    /// Why answers cannot be written any more.
    var failure: FileError?
    var isOver: Bool { failure != nil || isClosed && writtenCount == acceptedCount }
  }

  init(_ workers: [Worker], isOrdered: Bool) {
    self.workers = workers
    self.isOrdered = isOrdered
  }

  /// Answers all requests that `next` gives, which is called on this thread; `write` is called on
  /// another one, with the answers that are ready by then.
  func run(
    next: () throws -> Request?, write: @escaping @Sendable ([[UInt8]]) throws(FileError) -> Void
  ) throws {
    let traffic = Monitor(Traffic())
    var threads: [SystemThread] = []
    // Without a thread that writes nobody would ever be through.
    guard let writer = SystemThread({ self.write(from: traffic, write) }) else {
      throw RunError("the system has no thread left")
    }
    threads.append(writer)
    for worker in workers {
      if let thread = SystemThread({ Self.work(on: traffic, worker) }) { threads.append(thread) }
    }
    defer {
      traffic.change { $0.isClosed = true }
      for thread in threads { thread.join() }
    }
    guard threads.count > 1 else { throw RunError("the system has no thread left") }
    do {
      try accept(into: traffic, next)
    } catch {
      traffic.change { $0.isClosed = true }
      throw error
    }
    traffic.change { $0.isClosed = true }
    let failure = traffic.wait { $0.isOver ? .some($0.failure) : nil }
    if let failure { throw failure }
  }

  private func accept(into traffic: Monitor<Traffic>, _ next: () throws -> Request?) throws {
    while true {
      // Room first: a request that was read is one that is answered.
      let goesOn = traffic.wait { state -> Bool? in
        if state.failure != nil { return false }
        return state.acceptedCount - state.writtenCount < window ? true : nil
      }
      guard goesOn, let request = try next() else { return }
      traffic.change {
        $0.waiting.append(($0.acceptedCount, request))
        $0.acceptedCount += 1
      }
    }
  }

  private static func work(on traffic: Monitor<Traffic>, _ worker: Worker) {
    while true {
      let task = traffic.wait { state -> (number: Int, request: Request)?? in
        if !state.waiting.isEmpty { return .some(state.waiting.removeFirst()) }
        return state.isClosed || state.failure != nil ? .some(nil) : nil
      }
      guard let task else { return }
      let answer = worker(task.request)
      traffic.change { $0.ready.append((task.number, answer)) }
    }
  }

  private func write(
    from traffic: Monitor<Traffic>, _ write: ([[UInt8]]) throws(FileError) -> Void
  ) {
    while true {
      let answers = traffic.wait { state -> [[UInt8]]?? in
        if state.isOver { return .some(nil) }
        let answers = takeReady(from: &state)
        return answers.isEmpty ? nil : .some(answers)
      }
      guard let answers else { return }
      do throws(FileError) {
        try write(answers)
        traffic.change { $0.writtenCount += answers.count }
      } catch {
        traffic.change { $0.failure = error }
      }
    }
  }

  /// All answers whose turn it is.
  private func takeReady(from state: inout Traffic) -> [[UInt8]] {
    var answers: [[UInt8]] = []
    while let place = state.ready.firstIndex(where: {
      !isOrdered || $0.number == state.writtenCount + answers.count
    }) {
      answers.append(state.ready.remove(at: place).answer)
    }
    return answers
  }
}
