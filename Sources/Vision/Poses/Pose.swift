public import OcellusImaging

/// The keypoints of one object in a picture: the joints of a body, the landmarks of a face.
public struct Pose: Hashable, Sendable {
  /// A keypoint.
  public struct Point: Hashable, Sendable {
    /// The name of the keypoint, such as `left_wrist`; `nil` when keypoints have no names.
    public var name: String?
    /// The position in pixels of the upright picture.
    public var position: PixelPoint
    /// The model's confidence that the keypoint is visible; `nil` when the model has no such score.
    public var score: Float?

    /// Creates a keypoint at `position`.
    public init(name: String? = nil, position: PixelPoint, score: Float? = nil) {
      self.name = name
      self.position = position
      self.score = score
    }
  }

  /// The keypoints, in the model's order.
  public var points: [Point]
  /// The model's confidence in the whole pose; `nil` when the model has no such score.
  public var score: Float?

  /// Creates a pose of the given keypoints.
  public init(points: [Point], score: Float? = nil) {
    self.points = points
    self.score = score
  }
}

/// The names of a pose model's keypoints.
struct KeypointNames {
  let names: [String]
  /// The pairs of keypoints that are connected by lines, by index.
  let bones: [(Int, Int)]

  /// Returns the usual names of `count` keypoints; `nil` if there are none for that number.
  static func usual(count: Int) -> KeypointNames? {
    switch count {
    case 17: body
    case 18: bodyWithNeck
    case 21: hand
    default: nil
    }
  }

  /// The body keypoints of COCO.
  private static let body = KeypointNames(
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

  /// The body keypoints of OpenPose.
  private static let bodyWithNeck = KeypointNames(
    names: [
      "nose", "neck", "right_shoulder", "right_elbow", "right_wrist", "left_shoulder",
      "left_elbow", "left_wrist", "right_hip", "right_knee", "right_ankle", "left_hip",
      "left_knee", "left_ankle", "right_eye", "left_eye", "right_ear", "left_ear",
    ],
    bones: [
      (1, 2), (2, 3), (3, 4), (1, 5), (5, 6), (6, 7), (1, 8), (8, 9), (9, 10), (1, 11), (11, 12),
      (12, 13), (1, 0), (0, 14), (14, 16), (0, 15), (15, 17),
    ])

  /// The hand keypoints in MediaPipe's order: four for each finger, from the palm to the tip.
  private static let hand: KeypointNames = {
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
    return KeypointNames(names: names, bones: bones)
  }()
}
