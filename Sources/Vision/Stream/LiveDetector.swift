public import OcellusImaging
import Synchronization

/// Detects and tracks objects in the pictures of a camera, as fast as this machine can.
///
/// Pictures may be submitted from any thread without waiting: while one is processed, the newest of
/// the others is kept, and the rest are dropped and counted. Results come in the order of the
/// pictures, to a callback or as an asynchronous sequence.
public final class LiveDetector: Sendable {
  /// The result of one picture.
  public struct Outcome: Sendable {
    /// The time at which the picture was taken.
    public var time: Duration
    /// The objects, or the error; an error does not affect the pictures that follow.
    public var result: Result<[Detection], VisionError>
    /// The time from the submission of the picture to its result.
    public var latency: Duration
  }

  /// Counts of the pictures so far.
  public struct Statistics: Hashable, Sendable {
    /// The pictures that were submitted.
    public var submitted = 0
    /// The pictures that were processed, including those that failed.
    public var processed = 0
    /// The pictures that were dropped for newer ones.
    public var dropped = 0
    /// The pictures whose processing failed.
    public var failed = 0
  }

  private struct Frame {
    var image: Image
    var time: Duration
    var arrival: ContinuousClock.Instant
  }

  /// The outcomes, for a single consumer; at most the newest 32 are kept until they are read.
  public let outcomes: AsyncStream<Outcome>

  private let frames: AsyncStream<Frame>.Continuation
  private let results: AsyncStream<Outcome>.Continuation
  private let counts: SharedCounts
  private let worker: Task<Void, Never>

  /// Creates a live detector that processes the pictures given to `submit(_:at:)`.
  ///
  /// `onOutcome` is called for every outcome, one at a time, and not on the thread that submits.
  public init(
    _ recognizer: ObjectRecognizer, onOutcome: (@Sendable (Outcome) -> Void)? = nil
  ) {
    let (incoming, frames) = AsyncStream.makeStream(
      of: Frame.self, bufferingPolicy: .bufferingNewest(1))
    let (outcomes, results) = AsyncStream.makeStream(
      of: Outcome.self, bufferingPolicy: .bufferingNewest(32))
    let counts = SharedCounts()
    self.frames = frames
    self.results = results
    self.outcomes = outcomes
    self.counts = counts
    worker = Task.detached(priority: .userInitiated) {
      for await frame in incoming {
        let result = Result { () throws(VisionError) in
          try recognizer.process(frame.image, at: frame.time)
        }
        let outcome = Outcome(
          time: frame.time, result: result, latency: frame.arrival.duration(to: .now))
        counts.change { counts in
          counts.processed += 1
          if case .failure = result { counts.failed += 1 }
        }
        onOutcome?(outcome)
        results.yield(outcome)
      }
      results.finish()
    }
  }

  deinit { frames.finish() }

  /// Submits a picture and returns at once.
  ///
  /// A picture that borrows its memory must keep the owner alive: it is used after this call
  /// returns.
  public func submit(_ image: Image, at time: Duration) {
    let result = frames.yield(Frame(image: image, time: time, arrival: .now))
    counts.change { counts in
      counts.submitted += 1
      if case .dropped = result { counts.dropped += 1 }
    }
    if case .dropped = result { VisionEvent.report(.frameDropped) }
  }

  /// Counts of the pictures so far.
  public var statistics: Statistics { counts.value }

  /// Stops accepting pictures, and waits until the last one is processed.
  public func finish() async {
    frames.finish()
    await worker.value
  }
}

/// Counts that several threads change.
private final class SharedCounts: Sendable {
  private let counts = Mutex(LiveDetector.Statistics())

  var value: LiveDetector.Statistics { counts.withLock { $0 } }

  func change(_ body: (inout LiveDetector.Statistics) -> Void) {
    counts.withLock { body(&$0) }
  }
}
