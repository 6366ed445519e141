import OcellusEngine
package import OcellusImaging
import OcellusPlatform

/// A pool of detectors, for servers.
public typealias DetectorPool = ViewerPool<ObjectDetector>

/// A pool of detectors, labelers or recognizers of one model, for many concurrent callers.
///
/// The viewers run on threads of their own: a call suspends its task, and never blocks the few
/// threads that Swift's tasks share. Calls are served in order of arrival. A call whose task is
/// cancelled or whose deadline passes ends at once if it waits, and within a step of the network if
/// it runs; the viewer continues with the next call.
///
/// Untrusted pictures should be given as the bytes of their files: the viewers decode them at the
/// size that the network needs, within limits on time, memory and waiting calls (``Options``).
public final class ViewerPool<Viewer: PooledViewer>: Sendable {
  /// The number of viewers, which is the number of pictures processed at the same time.
  public let count: Int
  /// The limits on the calls.
  public let options: Options
  private let queue: Monitor<CallQueue<Viewer>>
  private let memory: MemoryBudget

  /// Creates a pool of `viewer` and duplicates of it, `count` in all.
  ///
  /// If `count` is `nil`, the pool has one viewer for each processor that this program may use. The
  /// viewer must not be used elsewhere afterwards. Each viewer runs with the number of threads in
  /// its options; one thread each gives the highest throughput. `options` limits the waiting calls
  /// and the pictures that the pool decodes.
  /// - Throws: `VisionError.mismatched` when the pool cannot have `count` viewers.
  public init(
    _ viewer: Viewer, count: Int? = nil, options: Options = Options()
  ) throws(VisionError) {
    let maximum = viewer.largestPool ?? .max
    let count = count ?? min(ProcessorSet.allowedCount, maximum)
    guard (1...maximum).contains(count) else {
      throw .mismatched(
        maximum == 1
          ? "a pool can have only one recognizer that follows objects, because identities belong to one recognizer"
          : "a pool of \(count) is impossible; it needs at least one viewer")
    }
    self.count = count
    self.options = options
    memory = MemoryBudget(limit: options.decoding.limits.maximumBytes)
    let queue = Monitor(CallQueue<Viewer>(viewers: count))
    self.queue = queue
    var viewers = [viewer]
    while viewers.count < count { viewers.append(try viewer.duplicate()) }
    for viewer in viewers {
      let thread = SystemThread {
        // The thread is never joined.
        pthread_detach(pthread_self())
        while let call = queue.wait(until: Self.next) {
          let tellCaller = call.perform(by: viewer)
          queue.change { $0.noteIdle() }
          tellCaller()
        }
      }
      guard thread != nil else {
        queue.change { $0.isClosed = true }
        throw .mismatched("the system has no threads left for a pool of \(count)")
      }
    }
  }

  deinit { queue.change { $0.isClosed = true } }

  /// Returns the next call; `.some(nil)` when there will be no more.
  private static func next(_ queue: inout CallQueue<Viewer>) -> (any PoolWork<Viewer>)?? {
    if let call = queue.next() { return .some(call) }
    return queue.isClosed ? .some(nil) : nil
  }

  /// The number of calls that wait for a viewer.
  public var waitingCount: Int { queue.change { $0.waiting.count } }

  /// Runs `work` on the next idle viewer, on that viewer's thread.
  ///
  /// - Parameters:
  ///   - limit: The time limit of the call, including the wait; `nil`: no limit.
  ///   - work: The work. It must not keep the viewer.
  /// - Returns: The result of `work`.
  /// - Throws: `CancellationError` when the task was cancelled, `VisionError.model` of kind
  ///   `deadlineExceeded` when the limit has passed, `VisionError.busy` at once when too many calls
  ///   wait, and the errors of `work`.
  public func withViewer<Answer: Sendable>(
    within limit: Duration? = nil, _ work: @escaping @Sendable (Viewer) throws -> Answer
  ) async throws -> Answer {
    let request = PoolRequest<Viewer, Answer> { viewer, _ in try work(viewer) }
    return try await answer(to: request, within: limit)
  }

  /// Decodes a picture at the size given by `purpose`, and runs `work` with an idle viewer.
  package func withPicture<Answer: Sendable>(
    decoding bytes: [UInt8], within limit: Duration?,
    for purpose: @escaping @Sendable (Viewer) -> PicturePurpose,
    _ work: @escaping @Sendable (Viewer, DecodedImage) throws -> Answer
  ) async throws -> Answer {
    let (memory, decoding) = (self.memory, self.options.decoding)
    let request = PoolRequest<Viewer, Answer>(byteCount: bytes.count, readsFirst: true) {
      viewer, request in
      let share = MemoryBudget.Part(of: memory)
      defer { share.giveBack(allBut: 0) }
      var options = decoding
      options.purpose = purpose(viewer)
      options.readsTexts = false
      options.supervisor = DecodingSupervisor(
        grant: { share.take($0, unless: { request.isOver }) }, isStopped: { request.isOver })
      let picture = try DecodedImage(decoding: bytes, options: options)
      // While the network runs, other calls may use the memory that only decoding needed.
      share.giveBack(allBut: options.memory(of: picture.image))
      try request.beginRunning(on: viewer)
      return try work(viewer, picture)
    }
    return try await answer(to: request, within: limit)
  }

  /// Waits for the answer to a request.
  ///
  /// The parts of a call that was accepted as a whole are never refused.
  private func answer<Answer: Sendable>(
    to request: PoolRequest<Viewer, Answer>, within limit: Duration?, isPart: Bool = false
  ) async throws -> Answer {
    let timer = limit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        let reason = ModelError(.deadlineExceeded, "the call exceeded its deadline of \(limit)")
        stop(request, VisionError.model(reason))
      }
    }
    defer { timer?.cancel() }
    let limits = isPart ? (calls: Int.max, bytes: Int.max) : waitingLimits
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { caller in
        guard request.begin(caller) else { return }
        if let refusal = queue.change({ $0.append(request, limits) }) { request.stop(refusal) }
      }
    } onCancel: {
      stop(request, CancellationError())
    }
  }

  private var waitingLimits: (calls: Int, bytes: Int) {
    (calls: max(options.waitingCalls, 0), bytes: max(options.waitingBytes, 0))
  }

  private func stop(_ request: PoolRequest<Viewer, some Sendable>, _ reason: any Error) {
    if request.stop(reason) {
      queue.change { $0.noteEnd(of: request) }
    } else {
      // The request's viewer may wait for memory that is not needed any more.
      memory.recheckWaiters()
    }
  }

  /// Distributes pictures among all viewers.
  ///
  /// Viewers get batches, which a network may process in one run, while there are enough pictures
  /// for full batches on all viewers; the rest are distributed one by one. The pictures are
  /// accepted or refused as a whole.
  package func distribute<Answer: Sendable>(
    _ images: [Image], within limit: Duration?,
    _ work: @escaping @Sendable (Viewer, [Image]) throws -> [Answer]
  ) async throws -> [Answer] {
    let round = PictureBatch.count * count
    let full = images.count / round * round
    let lots =
      stride(from: 0, to: full, by: PictureBatch.count).map { $0..<$0 + PictureBatch.count }
      + (full..<images.count).map { $0..<$0 + 1 }
    if !lots.isEmpty, let refusal = queue.change({ $0.refusal(ofBytes: 0, waitingLimits) }) {
      throw refusal
    }
    return try await withThrowingTaskGroup(of: (Int, [Answer]).self) { group in
      for (index, lot) in lots.enumerated() {
        let images = Array(images[lot])
        group.addTask {
          let request = PoolRequest<Viewer, [Answer]> { viewer, _ in try work(viewer, images) }
          return (index, try await self.answer(to: request, within: limit, isPart: true))
        }
      }
      var answers = [[Answer]](repeating: [], count: lots.count)
      for try await (index, answer) in group { answers[index] = answer }
      return answers.flatMap { $0 }
    }
  }
}
