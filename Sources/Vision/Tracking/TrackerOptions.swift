/// Everything that decides how a tracker works: published trackers are values of this type.
///
/// Times are in seconds and the motion model takes real time steps, so that the same options fit every
/// frame rate. Published trackers count in frames; `countingFrames(of:)` makes a preset do so.
public struct TrackerOptions: Hashable, Sendable {
  /// How boxes move, and how far observations are trusted.
  public var motion: MotionModel
  /// The rounds of pairing, the first one first.
  public var stages: [AssociationStage]

  /// The least score of `.high` detections.
  public var highScore: Float
  /// The least score of detections that are looked at at all.
  public var lowScore: Float
  /// The least score of a detection that starts a track.
  public var newTrackScore: Float

  /// How often an object must be seen again, in frames in a row, before it has an identity.
  ///
  /// In as many frames after the start or a reset every object has one at once.
  public var confirmationHits: Int
  /// Whether objects have an identity at once for as long as nearly all new ones were seen again.
  public var trustsNewObjects = false
  /// Whether a track that was lost must be seen `confirmationHits` times in a row before it is
  /// reported again, as in SORT and OC-SORT.
  public var confirmsAgain: Bool
  /// Whether one frame without the object ends a track that has no identity yet.
  ///
  /// Such a track stays where it was first observed, as in ByteTrack, instead of being predicted.
  public var dropsTentativeTracks: Bool
  /// How long a track without observations is kept.
  public var lifetime: Duration
  /// How many frames without observations a track survives however long they take.
  public var minimumLostFrames: Int

  /// Whether a track that is found again is filtered anew along a straight line from where it was
  /// lost (observation-centric re-update, OC-SORT).
  public var replaysGaps: Bool
  /// The time over which the course of a track is measured, for `directionWeight`.
  public var directionSpan: Duration
  /// The overlap from which the younger of a visible and a lost track is dropped as a duplicate,
  /// as in ByteTrack; above 1 never.
  public var duplicateOverlap: Double
  /// Whether the box reported for a track is the filtered instead of the observed one.
  public var reportsFilteredBox: Bool
  /// How the motion of the camera is compensated; `nil` where it is not.
  public var camera: CameraCompensation?
  /// By how much the overlap of a track with a detection of another category is multiplied: 1 where
  /// categories do not matter, 0 where a track never changes its category.
  public var otherCategoryFactor: Double
}
