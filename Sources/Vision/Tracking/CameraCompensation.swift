/// How the motion of the camera is told from that of the objects, by boxes alone.
///
/// When most objects make the same step beyond what was expected of each, it was the camera that
/// moved, and the objects out of sight moved with it.
public struct CameraCompensation: Hashable, Sendable {
  /// The least number of objects that must agree; few objects may move alike by chance.
  public var minimumObjects: Int
  /// The least share of the objects in sight that must agree.
  public var minimumShare: Double
  /// The least overlap, after the step, of an object with the detection that it is taken for.
  public var minimumOverlap: Double
  /// Whether steps farther than an object is large are looked for when hardly any object is where it
  /// was expected: a camera that was pushed, or frames that were lost.
  public var findsJumps: Bool
  /// The share of a step that is expected again: a camera that turns goes on turning, one that shakes does not.
  public var persistence: Double

  /// Compensation for a step that enough objects agree on.
  public init(
    minimumObjects: Int = 4, minimumShare: Double = 0.5, minimumOverlap: Double = 0.3,
    findsJumps: Bool = true, persistence: Double = 0.1
  ) {
    self.minimumObjects = minimumObjects
    self.minimumShare = minimumShare
    self.minimumOverlap = minimumOverlap
    self.findsJumps = findsJumps
    self.persistence = persistence
  }
}
