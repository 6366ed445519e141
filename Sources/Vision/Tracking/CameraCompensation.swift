/// The settings for estimating the camera's motion from boxes alone.
///
/// When most objects deviate from their predictions by the same displacement, the camera has moved.
/// The displacement is then applied to all tracks, including lost ones.
public struct CameraCompensation: Hashable, Sendable {
  /// The smallest number of objects that must agree; a few objects may move alike by chance.
  public var minimumObjects: Int
  /// The smallest share of the visible objects that must agree.
  public var minimumShare: Double
  /// The smallest overlap, after the displacement, of an object with its detection.
  public var minimumOverlap: Double
  /// Whether to search for large displacements when hardly any object is where it was predicted.
  ///
  /// Such jumps occur when the camera is pushed or frames are lost.
  public var findsJumps: Bool
  /// The share of a displacement that is expected to continue, as when a camera pans.
  public var persistence: Double

  /// Creates settings with the given thresholds.
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
