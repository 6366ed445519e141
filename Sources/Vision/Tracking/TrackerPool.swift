import Synchronization

/// Trackers for the streams of a server, one for each stream.
///
/// Frames of one stream are processed one after the other, in order of arrival; streams do not wait
/// for each other. The number of streams is limited, and a stream that is idle for some time is
/// forgotten. A stream that comes back after that begins anew, with identities from 1.
public final class TrackerPool<StreamID: Hashable & Sendable>: Sendable {
  /// The limits of a pool, and the options of its trackers.
  public struct Options: Hashable, Sendable {
    /// The maximum number of streams; further ones are refused with ``VisionError/busy(_:)``.
    public var maximumStreams: Int
    /// The time after its last frame when a stream is forgotten.
    public var idleTime: Duration
    /// The maximum number of frames of a stream that wait for an earlier one; others are refused.
    public var waitingFrames: Int
    /// The options of the trackers.
    public var tracker: TrackerOptions

    /// Creates limits for a server.
    public init(
      maximumStreams: Int = 1000, idleTime: Duration = .seconds(60), waitingFrames: Int = 4,
      tracker: TrackerOptions = .forDetectors
    ) {
      self.maximumStreams = maximumStreams
      self.idleTime = idleTime
      self.waitingFrames = waitingFrames
      self.tracker = tracker
    }
  }

  /// The limits, and the options of the trackers.
  public let options: Options
  private let streams = Mutex([StreamID: TrackedStream]())
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Creates a pool without streams.
  public convenience init(_ options: Options = Options()) {
    self.init(options, now: { .now })
  }

  /// Creates a pool whose idle times are measured by `now`.
  package init(_ options: Options, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.options = options
    self.now = now
  }

  /// Detects the objects in the next frame of a stream, and gives them identities.
  ///
  /// When `detect` throws an error, the tracker is unchanged.
  /// - Parameters:
  ///   - stream: The stream; a new one gets a new tracker.
  ///   - time: The time of the frame, which must not precede that of the stream's last frame.
  ///   - limit: The time limit of the call, including the wait for earlier frames; `nil`: none.
  ///   - detect: Detects the objects, for instance with a ``DetectorPool``.
  /// - Returns: The observed objects with their tracks' boxes, and with identities where confirmed.
  /// - Throws: `VisionError.busy` at once when there are too many streams or waiting frames,
  ///   `VisionError.tracking` when the time is too early, `VisionError.model` of kind
  ///   `deadlineExceeded`, `CancellationError`, and the errors of `detect`.
  public func track(
    in stream: StreamID, at time: Duration, within limit: Duration? = nil,
    _ detect: @escaping @Sendable () async throws -> [Detection]
  ) async throws -> [Detection] {
    try await withTimeLimit(limit) {
      let known = try self.begin(stream)
      defer { self.end(known, stream) }
      let turn = try await known.tracking.turns.take(0)
      defer { withExtendedLifetime(turn) {} }
      return try known.tracking.follow(try await detect(), at: time)
    }
  }

  /// Forgets a stream.
  public func remove(_ stream: StreamID) {
    streams.withLock { _ = $0.removeValue(forKey: stream) }
  }

  /// The number of streams.
  public var streamCount: Int { streams.withLock { $0.count } }

  /// The number of a stream's frames that wait for an earlier one.
  package func waitingFrameCount(of stream: StreamID) -> Int {
    streams.withLock { $0[stream]?.tracking.turns.waiterCount ?? 0 }
  }

  /// Notes that a frame of a stream has arrived.
  private func begin(_ id: StreamID) throws(VisionError) -> TrackedStream {
    let (now, options) = (now(), options)
    let stream = streams.withLock { streams -> TrackedStream? in
      if streams[id]?.isForgotten(at: now, after: options.idleTime) != false {
        streams = streams.filter { !$0.value.isForgotten(at: now, after: options.idleTime) }
        guard streams.count < options.maximumStreams else { return nil }
        streams[id] = TrackedStream(options.tracker, waitingFrames: options.waitingFrames)
      }
      streams[id]?.frameCount += 1
      return streams[id]
    }
    guard let stream else {
      throw .busy(
        "there are \(options.maximumStreams) streams already: that is the limit of the pool "
          + "(maximumStreams)")
    }
    return stream
  }

  /// Notes that a frame of a stream was processed.
  private func end(_ stream: TrackedStream, _ id: StreamID) {
    let now = now()
    streams.withLock { streams in
      // A stream that was removed meanwhile may have a successor.
      guard streams[id]?.tracking === stream.tracking else { return }
      streams[id]?.frameCount -= 1
      streams[id]?.lastUse = now
    }
  }
}

/// A stream of a pool.
private struct TrackedStream {
  /// The tracker, and the turns of the frames.
  final class Tracking: Sendable {
    let turns: ByteBudget
    private let tracker: Mutex<Tracker>

    init(_ tracker: TrackerOptions, waitingFrames: Int) {
      turns = ByteBudget(limit: .max, maximumParts: 1, maximumWaiters: waitingFrames)
      self.tracker = Mutex(Tracker(tracker))
    }

    func follow(_ detections: [Detection], at time: Duration) throws(VisionError) -> [Detection] {
      try tracker.withLock { tracker in
        Result { () throws(VisionError) in try tracker.follow(detections, at: time) }
      }.get()
    }
  }

  let tracking: Tracking
  /// The number of frames that wait or are being processed.
  var frameCount = 0
  /// The time when the last frame was done.
  var lastUse: ContinuousClock.Instant?

  init(_ tracker: TrackerOptions, waitingFrames: Int) {
    tracking = Tracking(tracker, waitingFrames: waitingFrames)
  }

  func isForgotten(at now: ContinuousClock.Instant, after idleTime: Duration) -> Bool {
    guard frameCount == 0, let lastUse else { return false }
    return lastUse.duration(to: now) > idleTime
  }
}
