public import OcellusImaging

/// Points that a model places on one thing in a picture: the joints of a body, the landmarks of a face.
public struct Pose: Hashable, Sendable, Codable {
  /// One of the points.
  public struct Point: Hashable, Sendable, Codable {
    /// What it is of, such as `left_wrist`; `nil` when the model's points have no names.
    public var name: String?
    /// Where it is, in pixels of the upright picture.
    public var position: PixelPoint
    /// How sure the model is that it is there to be seen; `nil` when it does not say.
    public var score: Float?

    /// A point at `position`.
    public init(name: String? = nil, position: PixelPoint, score: Float? = nil) {
      self.name = name
      self.position = position
      self.score = score
    }
  }

  /// The points, in the model's order.
  public var points: [Point]
  /// How sure the model is of the whole; `nil` when it does not say.
  public var score: Float?

  /// A pose of these points.
  public init(points: [Point], score: Float? = nil) {
    self.points = points
    self.score = score
  }
}

/// What a pose model's points are of.
struct PointNames {
  let names: [String]
  /// The pairs that lines connect, by position.
  let bones: [(Int, Int)]

  /// The names for so many points, where that many are always the same.
  static func usual(count: Int) -> PointNames? {
    switch count {
    case 17: body
    case 21: hand
    default: nil
    }
  }

  /// The joints of COCO.
  private static let body = PointNames(
    names: [
      "nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder",
      "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip",
      "left_knee",
      "right_knee", "left_ankle", "right_ankle",
    ],
    bones: [
      (0, 1), (0, 2), (1, 3), (2, 4), (5, 6), (5, 7), (7, 9), (6, 8), (8, 10), (5, 11), (6, 12),
      (11, 12), (11, 13), (13, 15), (12, 14), (14, 16),
    ])

  /// The joints of a hand, as MediaPipe numbers them: four for each finger, from the palm to the tip.
  private static let hand: PointNames = {
    let fingers = ["thumb", "index", "middle", "ring", "little"]
    var names = ["wrist"]
    var bones: [(Int, Int)] = []
    for finger in fingers {
      bones.append((0, names.count))
      for joint in 1...4 {
        if joint > 1 { bones.append((names.count - 1, names.count)) }
        names.append("\(finger)_\(joint)")
      }
    }
    return PointNames(names: names, bones: bones)
  }()
}
