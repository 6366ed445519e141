/// An object of the ground truth of a picture.
public struct AnnotatedObject: Hashable, Sendable {
  /// The role of an object in the evaluation.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// An object that should be detected.
    case object
    /// A group of objects in one box; detections in it are ignored (COCO's `iscrowd`).
    case crowd
    /// An object whose detection is optional (PASCAL VOC's `difficult`).
    case difficult
  }

  /// The index of the class.
  public var category: Int
  /// The bounding box.
  public var box: CornerBox
  /// The area in square pixels; in COCO, that of the object's mask.
  public var area: Double
  /// The role of the object in the evaluation.
  public var kind: Kind

  /// Creates an object; the default area is that of the box.
  public init(category: Int, box: CornerBox, area: Double? = nil, kind: Kind = .object) {
    self.category = category
    self.box = box
    self.area = area ?? box.area
    self.kind = kind
  }
}

/// A detection to evaluate.
public struct ScoredObject: Hashable, Sendable {
  /// The index of the class.
  public var category: Int
  /// The bounding box.
  public var box: CornerBox
  /// The detector's confidence.
  public var score: Double

  /// Creates a detection; the score must not be NaN.
  public init(category: Int, box: CornerBox, score: Double) {
    precondition(!score.isNaN, "a score must not be NaN")
    self.category = category
    self.box = box
    self.score = score
  }
}
