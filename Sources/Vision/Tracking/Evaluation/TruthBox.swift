public import OcellusImaging

/// A box of the ground truth of a sequence, by the conventions of MOTChallenge and KITTI.
public struct TruthBox: Hashable, Sendable {
  /// What a box says about tracks that lie on it.
  public enum Kind: Hashable, Sendable {
    /// An object that should be followed.
    case object
    /// Something like an object, such as a person in a mirror: following it is no error.
    case distractor
    /// An area without ground truth: what lies in it is not judged.
    case ignoredRegion
    /// Something else, which is only kept from being taken for another object.
    case other
  }

  /// The identity of the object.
  public var id: Int
  /// Where it is.
  public var box: BoundingBox
  /// What the box says.
  public var kind: Kind

  /// A box of the ground truth.
  public init(id: Int, box: BoundingBox, kind: Kind = .object) {
    self.id = id
    self.box = box
    self.kind = kind
  }
}

/// A box that a tracker reported.
public struct TrackedBox: Hashable, Sendable {
  /// The identity that the tracker gave.
  public var id: Int
  /// Where it said that the object is.
  public var box: BoundingBox

  /// A box with an identity.
  public init(id: Int, box: BoundingBox) {
    self.id = id
    self.box = box
  }
}
