import OcellusEngine
public import OcellusImaging
import OcellusPlatform

/// Detectors for a server.
public typealias DetectorPool = ViewerPool<ObjectDetector>

/// Several detectors, labelers or recognizers of one model, for many callers at the same time.
///
/// They work on threads of their own: a call suspends its task, and never blocks the few threads that
/// Swift's tasks share. Calls are served in the order in which they came. A call whose task is cancelled,
/// or whose time is over, ends at once where it waits, and within a step of the network where it runs;
/// the viewer goes on with the next call.
public final class ViewerPool<Viewer: PooledViewer>: Sendable {
  /// The number of pictures that are looked at side by side.
  public let count: Int
  private let queue: Monitor<CallQueue<Viewer>>

  /// A pool of `viewer` and others of its kind, `count` in all; `nil`: one for each processor that this
  /// program may use.
  ///
  /// The viewer must not be used by anybody else from here on. Each works with as many threads as its options
  /// say: for the most pictures a second, one.
  /// - Throws: `VisionError.mismatched` when there cannot be that many.
  public init(_ viewer: Viewer, count: Int? = nil) throws(VisionError) {
    let most = viewer.largestPool ?? .max
    let count = count ?? min(ProcessorSet.allowedCount, most)
    guard (1...most).contains(count) else {
      throw .mismatched(
        most == 1
          ? "a recognizer that follows objects is alone: identities are one recognizer's"
          : "a pool of \(count); there has to be one at least")
    }
    self.count = count
    let queue = Monitor(CallQueue<Viewer>())
    self.queue = queue
    var viewers = [viewer]
    while viewers.count < count { viewers.append(try viewer.duplicate()) }
    for viewer in viewers {
      let thread = SystemThread {
        // Nobody waits for its end.
        pthread_detach(pthread_self())
        while let call = queue.wait(until: Self.next) { call.perform(by: viewer) }
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
  public var waitingCount: Int { queue.change { $0.count } }

  /// Lets the next viewer that is free do `work`, on its own thread.
  ///
  /// - Parameters:
  ///   - limit: The longest that the call may take, waiting included; `nil`: any time.
  ///   - work: What to do. It must not keep the viewer.
  /// - Returns: What `work` returns.
  /// - Throws: `CancellationError` when the task was cancelled, `VisionError.model` of kind
  ///   `deadlineExceeded` when the time was over, and what `work` throws.
  public func withViewer<Answer: Sendable>(
    within limit: Duration? = nil, _ work: @escaping @Sendable (Viewer) throws -> Answer
  ) async throws -> Answer {
    let request = PoolRequest<Viewer, Answer>(work)
    let timer = limit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        let reason = ModelError(.deadlineExceeded, "the call's time of \(limit) is over")
        stop(request, VisionError.model(reason))
      }
    }
    defer { timer?.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { caller in
        guard request.begin(caller) else { return }
        queue.change { $0.append(request) }
      }
    } onCancel: {
      stop(request, CancellationError())
    }
  }

  private func stop(_ request: PoolRequest<Viewer, some Sendable>, _ reason: any Error) {
    if request.stop(reason) { queue.change { $0.noteEnd() } }
  }

  /// Has all viewers share out pictures among themselves: several at a time while there are enough for all, as
  /// networks may see them in one run, and the last ones one by one.
  fileprivate func shareOut<Answer: Sendable>(
    _ images: [Image], within limit: Duration?,
    _ work: @escaping @Sendable (Viewer, [Image]) throws -> [Answer]
  ) async throws -> [Answer] {
    let round = PictureBatch.count * count
    let full = images.count / round * round
    let lots =
      stride(from: 0, to: full, by: PictureBatch.count).map { $0..<$0 + PictureBatch.count }
      + (full..<images.count).map { $0..<$0 + 1 }
    return try await withThrowingTaskGroup(of: (Int, [Answer]).self) { group in
      for (index, lot) in lots.enumerated() {
        let images = Array(images[lot])
        group.addTask {
          (index, try await self.withViewer(within: limit) { try work($0, images) })
        }
      }
      var answers = [[Answer]](repeating: [], count: lots.count)
      for try await (index, answer) in group { answers[index] = answer }
      return answers.flatMap { $0 }
    }
  }
}

extension ViewerPool where Viewer == ObjectDetector {
  /// The objects in a picture; see `ObjectDetector.detect(in:region:)`.
  public func detect(
    in image: Image, region: BoundingBox? = nil, within limit: Duration? = nil
  ) async throws -> [Detection] {
    try await withViewer(within: limit) { try $0.detect(in: image, region: region) }
  }

  /// The objects in each of several pictures, which all viewers share out among themselves.
  ///
  /// The first error ends all.
  public func detect(
    in images: [Image], within limit: Duration? = nil
  ) async throws -> [[Detection]] {
    try await shareOut(images, within: limit) { try $0.detect(in: $1) }
  }
}

extension ViewerPool where Viewer == ImageLabeler {
  /// What is in a picture; see `ImageLabeler.labels(in:region:)`.
  public func labels(
    in image: Image, region: BoundingBox? = nil, within limit: Duration? = nil
  ) async throws -> [Category] {
    try await withViewer(within: limit) { try $0.labels(in: image, region: region) }
  }

  /// What is in each of several pictures, which all viewers share out among themselves.
  ///
  /// The first error ends all.
  public func labels(
    in images: [Image], within limit: Duration? = nil
  ) async throws -> [[Category]] {
    try await shareOut(images, within: limit) { try $0.labels(in: $1) }
  }
}

extension ViewerPool where Viewer == ObjectRecognizer {
  /// The objects in a picture, or in the next of a stream; see
  /// `ObjectRecognizer.process(_:at:region:)`.
  ///
  /// A picture of a stream that is stopped leaves the identities as they were.
  public func process(
    _ image: Image, at time: Duration = .zero, region: BoundingBox? = nil,
    within limit: Duration? = nil
  ) async throws -> [Detection] {
    try await withViewer(within: limit) { try $0.process(image, at: time, region: region) }
  }
}
