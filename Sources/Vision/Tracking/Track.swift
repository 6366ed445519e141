public import OcellusImaging

/// A tracked object, as observed in the last frame.
public struct Track: Hashable, Sendable {
  /// The identity, numbered from 1 and never reused; `nil` until the track is confirmed.
  public var id: Int?
  /// The box: filtered, which reduces jitter, or as observed, depending on the options.
  public var box: BoundingBox
  /// The velocity of the box's centre.
  public var velocity: PixelVelocity
  /// The category of the last observation; `nil` when the detector does not provide one.
  public var category: Category?
  /// The score of the last observation.
  public var score: Float
  /// The time since the first observation; trackers round it to nanoseconds.
  public var age: Duration
  /// The index of the observation among the detections of the frame.
  public var detectionIndex: Int

  /// Creates a track, for counters that use the results of another tracker.
  public init(
    id: Int?, box: BoundingBox, velocity: PixelVelocity = PixelVelocity(x: 0, y: 0),
    category: Category? = nil, score: Float, age: Duration = .zero, detectionIndex: Int
  ) {
    self.id = id
    self.box = box
    self.velocity = velocity
    self.category = category
    self.score = score
    self.age = age
    self.detectionIndex = detectionIndex
  }

  /// Whether the object was observed often enough to have an identity.
  public var isConfirmed: Bool { id != nil }
}

/// A velocity in a picture, in pixels per second.
public struct PixelVelocity: Hashable, Sendable, Codable {
  /// The velocity to the right; negative to the left.
  public var x: Double
  /// The velocity downwards; negative upwards.
  public var y: Double

  /// Creates a velocity of `x` pixels per second to the right and `y` downwards.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
