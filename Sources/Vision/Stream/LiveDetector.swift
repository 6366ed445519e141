public import OcellusImaging
import Synchronization

/// Finds and follows objects in the pictures of a camera, as fast as this machine can.
///
/// Pictures come from any thread and never wait: while one is being looked at, the newest of those
/// that come is kept, and the others are dropped and counted. Results come in the order of the
/// pictures, to a callback or as an asynchronous sequence.
public final class LiveDetector: Sendable {
  /// What became of one picture.
  public struct Outcome: Sendable {
    /// When the picture was taken.
    public var time: Duration
    /// The objects, or what was wrong; the pictures that follow are not affected.
    public var result: Result<[Detection], VisionError>
    /// From being given to being finished.
    public var latency: Duration
  }

  /// What became of all pictures so far.
  public struct Statistics: Hashable, Sendable {
    /// Those that were given.
    public var submitted = 0
    /// Those that were looked at.
    public var processed = 0
    /// Those that were given way to newer ones.
    public var dropped = 0
    /// Those that something was wrong with.
    public var failed = 0
  }

  private struct Frame {
    var image: Image
    var time: Duration
    var arrival: ContinuousClock.Instant
  }

  /// The outcomes, for one reader; without one they are kept up to the newest 32.
  public let outcomes: AsyncStream<Outcome>

  private let frames: AsyncStream<Frame>.Continuation
  private let results: AsyncStream<Outcome>.Continuation
  private let counts: SharedCounts
  private let worker: Task<Void, Never>

  /// Starts looking at what `submit(_:at:)` brings; `onOutcome` is called for every outcome, one at a
  /// time and not on the thread that submits.
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

  /// Hands over a picture; returns at once.
  ///
  /// A picture that borrows its memory must keep its owner alive: it is used after this call returns.
  public func submit(_ image: Image, at time: Duration) {
    let result = frames.yield(Frame(image: image, time: time, arrival: .now))
    counts.change { counts in
      counts.submitted += 1
      if case .dropped = result { counts.dropped += 1 }
    }
    if case .dropped = result { VisionEvent.report(.frameDropped) }
  }

  /// What became of all pictures so far.
  public var statistics: Statistics { counts.value }

  /// Takes no more pictures, and waits until the last one is done.
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
