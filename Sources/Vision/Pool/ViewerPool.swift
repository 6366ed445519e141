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
/// Untrusted pictures should be given as the bytes of their files: the pool decodes them at the size
/// that the network needs, within limits on time, memory and waiting calls (``Options``). Pictures
/// of more than 16 megapixels, and those that take much memory, are decoded by threads of their own,
/// so that other calls need not wait for them.
public final class ViewerPool<Viewer: PooledViewer>: Sendable {
  /// The number of viewers, which is the number of pictures processed at the same time.
  public let count: Int
  /// The limits on the calls.
  public let options: Options
  private let queue: Monitor<CallQueue<Viewer>>
  /// The first viewer, for what is the same for all; its thread alone runs it.
  private let viewer: Viewer
  private let files: FileRoom
  private let giants: GiantPictures<Viewer>

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
    self.viewer = viewer
    files = FileRoom(limit: options.waitingBytes)
    queue = Monitor(CallQueue<Viewer>(viewers: count))
    giants = GiantPictures(count: count, memory: options.decodingBytes)
    var viewers = [viewer]
    while viewers.count < count { viewers.append(try viewer.duplicate()) }
    for other in viewers {
      guard Self.startThread(for: queue, with: other) else { throw giveUp() }
    }
    if viewer.isReplicable {
      for _ in viewers {
        guard Self.startThread(for: giants.queue, with: viewer) else { throw giveUp() }
      }
    }
  }

  /// Ends the threads, and returns the error for a pool that cannot have all of them.
  private func giveUp() -> VisionError {
    close()
    return .mismatched("the system has no threads left for a pool of \(count)")
  }

  private func close() {
    queue.change { $0.isClosed = true }
    giants.queue.change { $0.isClosed = true }
  }

  /// Starts a thread that performs the calls of a queue until it is closed.
  private static func startThread(
    for queue: Monitor<CallQueue<Viewer>>, with viewer: Viewer
  ) -> Bool {
    let thread = SystemThread {
      // The thread is never joined.
      pthread_detach(pthread_self())
      while let call = queue.wait(until: Self.next) {
        let tellCaller = call.perform(by: viewer)
        queue.change { $0.noteIdle() }
        tellCaller()
      }
    }
    return thread != nil
  }

  deinit { close() }

  /// Returns the next call; `.some(nil)` when there will be no more.
  private static func next(_ queue: inout CallQueue<Viewer>) -> (any PoolWork<Viewer>)?? {
    if let call = queue.next() { return .some(call) }
    return queue.isClosed ? .some(nil) : nil
  }

  /// The number of calls that wait for a viewer, or for their pictures.
  public var waitingCount: Int { queue.change { $0.waitingCount } }

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
    try await withTimeLimit(limit) {
      try await self.waiting { place in
        try await self.answer(to: PoolRequest(at: place) { viewer, _ in try work(viewer) })
      }
    }
  }

  /// Decodes a picture at the size given by `purpose`, and runs `work` with an idle viewer.
  package func withPicture<Answer: Sendable>(
    of source: PictureSource, within limit: Duration?, for purpose: (Viewer) -> PicturePurpose,
    _ work: @escaping @Sendable (Viewer, DecodedImage) throws -> Answer
  ) async throws -> Answer {
    let options = options.decoding(for: purpose(viewer))
    return try await withTimeLimit(limit) {
      let known = try source.bytes.map { try DecodingCost(ofDecoding: $0, options: options) }
      let isLarge = known?.isGiant ?? self.files.isLarge(source.byteCount)
      return try await self.waiting(isLarge: isLarge) { place in
        let file = try await self.files.file(of: source)
        let cost = try known ?? DecodingCost(ofDecoding: file.bytes, options: options)
        guard cost.isGiant, self.viewer.isReplicable else {
          return try await self.answer(to: .reading(file, options, at: place, work))
        }
        return try await self.waiting(isLarge: true, replacing: place) { place in
          try self.files.moveGiant(file)
          let giant = try await self.giant(of: file, cost, options)
          defer { withExtendedLifetime(giant) {} }
          return try await self.answer(
            to: PoolRequest(at: place) { viewer, _ in try work(viewer, giant.picture) })
        }
      }
    }
  }

  /// Decodes a large picture, on a thread that does nothing else.
  private func giant(
    of file: PictureFile, _ cost: DecodingCost, _ options: ImageDecodingOptions
  ) async throws -> GiantPicture {
    let memory = try await giants.memory.take(cost.bytes)
    return try await answer(to: .decoding(file, options, memory: memory), in: giants.queue)
  }

  /// Counts a call as waiting until a viewer takes it or it ends.
  private func waiting<Answer>(
    isLarge: Bool = false, limit: Int? = nil, replacing other: WaitingPlace? = nil,
    _ body: (WaitingPlace) async throws -> Answer
  ) async throws -> Answer {
    let limit = limit ?? max(options.waitingCalls, 0)
    let place = try queue.change { queue in
      if let other { queue.leave(other) }
      return try queue.enter(isLarge: isLarge, limit: limit)
    }
    defer { _ = queue.change { $0.leave(place) } }
    return try await body(place)
  }

  /// Waits for the answer to a request.
  private func answer<Answer: Sendable>(
    to request: PoolRequest<Viewer, Answer>, in queue: Monitor<CallQueue<Viewer>>? = nil
  ) async throws -> Answer {
    let queue = queue ?? self.queue
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { caller in
        if request.begin(caller) { queue.change { $0.append(request) } }
      }
    } onCancel: {
      if request.stop(CancellationError()) { queue.change { $0.noteEnd(of: request) } }
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
    // The parts of a call that was accepted as a whole are never refused.
    if !lots.isEmpty { try await waiting { _ in } }
    return try await withTimeLimit(limit) {
      try await self.answers(in: lots.map { Array(images[$0]) }, work)
    }
  }

  /// Returns the answers for lots of pictures, each of which goes to one viewer.
  private func answers<Answer: Sendable>(
    in lots: [[Image]], _ work: @escaping @Sendable (Viewer, [Image]) throws -> [Answer]
  ) async throws -> [Answer] {
    try await withThrowingTaskGroup(of: (Int, [Answer]).self) { group in
      for (index, images) in lots.enumerated() {
        group.addTask {
          let answers = try await self.waiting(limit: .max) { place in
            try await self.answer(
              to: PoolRequest(at: place) { viewer, _ in try work(viewer, images) })
          }
          return (index, answers)
        }
      }
      var answers = [[Answer]](repeating: [], count: lots.count)
      for try await (index, answer) in group { answers[index] = answer }
      return answers.flatMap { $0 }
    }
  }
}
