import Synchronization

/// What happens inside, for logs and metrics.
public enum VisionEvent: Sendable {
  /// A model's file was read and understood.
  case modelLoaded(path: String, time: Duration)
  /// A network is ready to run: everything about it is planned, and its weights are packed.
  case planMade(time: Duration, memory: Int)
  /// A network looked at a picture, or a part of one.
  case pictureSeen(Stages)
  /// A live picture gave way to a newer one.
  case frameDropped

  /// The time that each part of the work took.
  public struct Stages: Hashable, Sendable {
    /// Making the network's input of the picture.
    public var preparing = Duration.zero
    /// Running the network.
    public var running = Duration.zero
    /// Reading what it says.
    public var reading = Duration.zero
  }

  /// Who is told of everything that happens in this process; `nil`: nobody, which costs nothing.
  ///
  /// It is called on the thread where it happens, on several at the same time, and should be quick.
  public static var observer: (@Sendable (VisionEvent) -> Void)? {
    get { chosen.withLock { $0 } }
    set {
      chosen.withLock { $0 = newValue }
      isWatched.store(newValue != nil, ordering: .relaxed)
    }
  }

  /// Whether somebody is told.
  static let isWatched = Atomic(false)
  private static let chosen = Mutex<(@Sendable (VisionEvent) -> Void)?>(nil)

  /// Tells who wants to know.
  static func report(_ event: @autoclosure () -> VisionEvent) {
    guard isWatched.load(ordering: .relaxed) else { return }
    observer?(event())
  }
}

/// A clock that runs while somebody is told of events.
struct EventClock {
  private var last: ContinuousClock.Instant?

  init() {
    if VisionEvent.isWatched.load(ordering: .relaxed) { last = .now }
  }

  /// The time since the last lap, or the beginning.
  mutating func lap() -> Duration {
    guard let last else { return .zero }
    let now = ContinuousClock.now
    self.last = now
    return last.duration(to: now)
  }
}
