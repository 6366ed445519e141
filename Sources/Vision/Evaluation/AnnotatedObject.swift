/// An object of the ground truth of a picture.
public struct AnnotatedObject: Hashable, Sendable {
  /// What an annotation asks of a detector.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// An object that should be found.
    case object
    /// Many objects in one box, of which any part may be found or not (COCO's `iscrowd`).
    case crowd
    /// An object that may be found or not (PASCAL VOC's `difficult`).
    case difficult
  }

  /// The number of its class.
  public var category: Int
  /// Where it is.
  public var box: CornerBox
  /// Its area in square pixels, which for COCO is that of its outline.
  public var area: Double
  /// What is asked of a detector.
  public var kind: Kind

  /// An object; its area is that of the box unless given.
  public init(category: Int, box: CornerBox, area: Double? = nil, kind: Kind = .object) {
    self.category = category
    self.box = box
    self.area = area ?? box.area
    self.kind = kind
  }
}

/// An object as a detector reports it, to be measured.
public struct ScoredObject: Hashable, Sendable {
  /// The number of its class.
  public var category: Int
  /// Where it is said to be.
  public var box: CornerBox
  /// How sure the detector is.
  public var score: Double

  /// An object that was found; the score must be a number.
  public init(category: Int, box: CornerBox, score: Double) {
    precondition(!score.isNaN, "a score that is no number has no place among others")
    self.category = category
    self.box = box
    self.score = score
  }
}
