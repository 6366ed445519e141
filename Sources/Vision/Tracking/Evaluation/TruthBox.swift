public import OcellusImaging

/// A ground-truth box of a sequence, by the conventions of MOTChallenge and KITTI.
public struct TruthBox: Hashable, Sendable {
  /// The role of a box in the evaluation.
  public enum Kind: Hashable, Sendable {
    /// An object that should be tracked.
    case object
    /// Something similar to an object, such as a reflection of a person: tracking it is no error.
    case distractor
    /// An area without annotations: tracks in it are ignored.
    case ignoredRegion
    /// Another object, which only takes part in the matching.
    case other
  }

  /// The identity of the object.
  public var id: Int
  /// The bounding box.
  public var box: BoundingBox
  /// The role of the box in the evaluation.
  public var kind: Kind

  /// Creates a ground-truth box.
  public init(id: Int, box: BoundingBox, kind: Kind = .object) {
    self.id = id
    self.box = box
    self.kind = kind
  }
}

/// A box that a tracker reported.
public struct TrackedBox: Hashable, Sendable {
  /// The identity that the tracker assigned.
  public var id: Int
  /// The reported bounding box.
  public var box: BoundingBox

  /// Creates a box with an identity.
  public init(id: Int, box: BoundingBox) {
    self.id = id
    self.box = box
  }
}
