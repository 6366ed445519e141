public import OcellusImaging

/// An object that is followed, as it was observed in the last frame.
public struct Track: Hashable, Sendable, Codable {
  /// The identity, dense from 1 and never given to another object; `nil` until it is confirmed.
  public var id: Int?
  /// Where the object is: the filtered box, which trembles less, or the one that was observed, as the options have it.
  public var box: BoundingBox
  /// How fast its middle moves.
  public var velocity: PixelVelocity
  /// What it is, by its last observation; `nil` when the detector does not say.
  public var category: Category?
  /// The score of its last observation.
  public var score: Float
  /// The time since it was first observed.
  public var age: Duration
  /// The position of its observation among the detections of the frame.
  public var detectionIndex: Int

  /// The names in JSON.
  private enum CodingKeys: String, CodingKey {
    case id, box, velocity, category, score, age
    case detectionIndex = "detection_index"
  }

  /// A track, for counters that are to work on what another tracker found.
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

  /// Whether the object was seen often enough to have an identity.
  public var isConfirmed: Bool { id != nil }
}

/// A speed in a picture, in pixels a second.
public struct PixelVelocity: Hashable, Sendable, Codable {
  /// The speed to the right; negative to the left.
  public var x: Double
  /// The speed downwards; negative upwards.
  public var y: Double

  /// A speed of `x` pixels a second to the right and `y` downwards.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
