import OcellusEngine
package import OcellusImaging
import OcellusPlatform

/// Detectors for a server.
public typealias DetectorPool = ViewerPool<ObjectDetector>

/// Several detectors, labelers or recognizers of one model, for many callers at the same time.
///
/// They work on threads of their own: a call suspends its task, and never blocks the few threads that
/// Swift's tasks share. Calls are served in the order in which they came. A call whose task is cancelled,
/// or whose time is over, ends at once where it waits, and within a step of the network where it runs;
/// the viewer goes on with the next call.
///
/// Pictures from strangers go in as the bytes of their files: they are read by the viewers, as large as the
/// network needs them, within limits of time, memory and waiting calls (``Options``).
public final class ViewerPool<Viewer: PooledViewer>: Sendable {
  /// The number of pictures that are looked at side by side.
  public let count: Int
  /// What calls may cost.
  public let options: Options
  private let queue: Monitor<CallQueue<Viewer>>
  private let memory: MemoryShare

  /// A pool of `viewer` and others of its kind, `count` in all; `nil`: one for each processor that this
  /// program may use.
  ///
  /// The viewer must not be used by anybody else from here on. Each works with as many threads as its options
  /// say: for the most pictures a second, one. `options` are the limits for waiting calls and for pictures that
  /// the pool reads.
  /// - Throws: `VisionError.mismatched` when there cannot be that many.
  public init(
    _ viewer: Viewer, count: Int? = nil, options: Options = Options()
  ) throws(VisionError) {
    let most = viewer.largestPool ?? .max
    let count = count ?? min(ProcessorSet.allowedCount, most)
    guard (1...most).contains(count) else {
      throw .mismatched(
        most == 1
          ? "a recognizer that follows objects is alone: identities are one recognizer's"
          : "a pool of \(count); there has to be one at least")
    }
    self.count = count
    self.options = options
    memory = MemoryShare(limit: options.decoding.limits.maximumBytes)
    let queue = Monitor(CallQueue<Viewer>(viewers: count))
    self.queue = queue
    var viewers = [viewer]
    while viewers.count < count { viewers.append(try viewer.duplicate()) }
    for viewer in viewers {
      let thread = SystemThread {
        // Nobody waits for its end.
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

  /// The next call; `.some(nil)` when there will be no more.
  private static func next(_ queue: inout CallQueue<Viewer>) -> (any PoolWork<Viewer>)?? {
    if let call = queue.next() { return .some(call) }
    return queue.isClosed ? .some(nil) : nil
  }

  /// The calls that wait for a viewer.
  public var waitingCount: Int { queue.change { $0.waiting.count } }

  /// Lets the next viewer that is free do `work`, on its own thread.
  ///
  /// - Parameters:
  ///   - limit: The longest that the call may take, waiting included; `nil`: any time.
  ///   - work: What to do. It must not keep the viewer.
  /// - Returns: What `work` returns.
  /// - Throws: `CancellationError` when the task was cancelled, `VisionError.model` of kind
  ///   `deadlineExceeded` when the time was over, `VisionError.busy` at once when too many calls wait already,
  ///   and what `work` throws.
  public func withViewer<Answer: Sendable>(
    within limit: Duration? = nil, _ work: @escaping @Sendable (Viewer) throws -> Answer
  ) async throws -> Answer {
    let request = PoolRequest<Viewer, Answer> { viewer, _ in try work(viewer) }
    return try await answer(to: request, within: limit)
  }

  /// Lets the next viewer that is free read a picture, as large as `purpose` says, and do `work` with it, on its
  /// own thread.
  package func withPicture<Answer: Sendable>(
    decoding bytes: [UInt8], within limit: Duration?,
    for purpose: @escaping @Sendable (Viewer) -> PicturePurpose,
    _ work: @escaping @Sendable (Viewer, DecodedImage) throws -> Answer
  ) async throws -> Answer {
    let (memory, decoding) = (self.memory, self.options.decoding)
    let request = PoolRequest<Viewer, Answer>(byteCount: bytes.count, readsFirst: true) {
      viewer, request in
      let share = MemoryShare.Part(of: memory)
      defer { share.giveBack(allBut: 0) }
      var options = decoding
      options.purpose = purpose(viewer)
      options.readsTexts = false
      options.supervisor = DecodingSupervisor(
        grant: { share.take($0, unless: { request.isOver }) }, isStopped: { request.isOver })
      let picture = try DecodedImage(decoding: bytes, options: options)
      // While the network runs, others may have what only reading took.
      share.giveBack(allBut: options.memory(of: picture.image))
      try request.beginRunning(on: viewer)
      return try work(viewer, picture)
    }
    return try await answer(to: request, within: limit)
  }

  /// Waits for the answer to a request; the parts of a call that was let in may wait whether or not there is
  /// room.
  private func answer<Answer: Sendable>(
    to request: PoolRequest<Viewer, Answer>, within limit: Duration?, isPart: Bool = false
  ) async throws -> Answer {
    let timer = limit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        let reason = ModelError(.deadlineExceeded, "the call's time of \(limit) is over")
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
      // Its viewer may wait for memory that nobody wants any more.
      memory.lookAgain()
    }
  }

  /// Has all viewers share out pictures among themselves: several at a time while there are enough for all, as
  /// networks may see them in one run, and the last ones one by one.
  ///
  /// If there is room for one of them they all may wait: they are not refused for each other.
  package func shareOut<Answer: Sendable>(
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
