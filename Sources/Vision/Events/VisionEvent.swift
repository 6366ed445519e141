import Synchronization

/// An event in the life of a model or a stream, for logs and metrics.
public enum VisionEvent: Sendable {
  /// A model's file was read and parsed.
  case modelLoaded(path: String, time: Duration)
  /// A network is ready to run: its execution is planned and its weights are packed.
  case planMade(time: Duration, memory: Int)
  /// A network was run on a picture or a region of one.
  case pictureSeen(Stages)
  /// A live picture was dropped for a newer one.
  case frameDropped

  /// The duration of each stage of a run.
  public struct Stages: Hashable, Sendable {
    /// The conversion of the picture to the network's input.
    public var preparing = Duration.zero
    /// The run of the network.
    public var running = Duration.zero
    /// The decoding of the outputs.
    public var reading = Duration.zero
  }

  /// The closure that is called for every event in this process; `nil`: none, at no cost.
  ///
  /// It is called on the thread of the event, possibly on several threads at once, and should be
  /// quick.
  public static var observer: (@Sendable (VisionEvent) -> Void)? {
    get { chosen.withLock { $0 }?.body }
    set {
      chosen.withLock { $0 = newValue.map { Observer(body: $0) } }
      isWatched.store(newValue != nil, ordering: .relaxed)
    }
  }

  /// Whether there is an observer.
  static let isWatched = Atomic(false)
  private static let chosen = Mutex<Observer?>(nil)

  /// A closure as a member of a structure.
  ///
  /// A mutex that has the closure itself would wrap it once more whenever it is read, because
  /// generic code calls closures in another way: calls would become slower with each event, use more
  /// memory, and overflow the stack in the end.
  private struct Observer {
    let body: @Sendable (VisionEvent) -> Void
  }

  /// Passes an event to the observer, if there is one.
  static func report(_ event: @autoclosure () -> VisionEvent) {
    guard isWatched.load(ordering: .relaxed) else { return }
    observer?(event())
  }
}

/// A clock that runs only while there is an observer of events.
struct EventClock {
  private var last: ContinuousClock.Instant?

  init() {
    if VisionEvent.isWatched.load(ordering: .relaxed) { last = .now }
  }

  /// Returns the time since the last lap, or since the start; zero if the clock does not run.
  mutating func lap() -> Duration {
    guard let last else { return .zero }
    let now = ContinuousClock.now
    self.last = now
    return last.duration(to: now)
  }
}
