/// The options of a tracker; published trackers are presets of this type.
///
/// Times are durations, and the motion model uses real time steps, so the same options fit every
/// frame rate. Published trackers count frames; `countingFrames(of:)` makes a preset do so.
public struct TrackerOptions: Hashable, Sendable {
  /// The model of the boxes' motion and of the observations' noise.
  public var motion: MotionModel
  /// The rounds of pairing, in order.
  public var stages: [AssociationStage]

  /// The smallest score of `.high` detections.
  public var highScore: Float
  /// The smallest score of detections that are used at all.
  public var lowScore: Float
  /// The smallest score of a detection that starts a track.
  public var newTrackScore: Float

  /// The number of consecutive further frames in which an object must be seen to get an identity.
  ///
  /// In as many frames after the start or a reset, objects get identities at once.
  public var confirmationHits: Int
  /// Whether objects get identities at once while nearly all recent new objects were seen again.
  public var trustsNewObjects = false
  /// Whether a recovered track is reported only after `confirmationHits` frames, as in SORT.
  public var confirmsAgain: Bool
  /// Whether one frame without the object ends a track that has no identity yet.
  ///
  /// Such a track is not predicted; it stays where it was first observed, as in ByteTrack.
  public var dropsTentativeTracks: Bool
  /// The time for which a track is kept without observations.
  public var lifetime: Duration
  /// The number of frames without observations that a track survives, whatever their duration.
  public var minimumLostFrames: Int

  /// Whether a recovered track is filtered again along a straight line over its gap.
  ///
  /// This is the observation-centric re-update of OC-SORT.
  public var replaysGaps: Bool
  /// The time over which the direction of a track is measured, for `directionWeight`.
  public var directionSpan: Duration
  /// The overlap above which the younger of a visible and a lost track is dropped.
  ///
  /// ByteTrack drops such duplicates; values above 1 disable it.
  public var duplicateOverlap: Double
  /// Whether the reported box of a track is the filtered one, not the observed one.
  public var reportsFilteredBox: Bool
  /// The settings for compensating camera motion; `nil`: no compensation.
  public var camera: CameraCompensation?
  /// The factor of the overlap of a track with a detection of another category.
  ///
  /// 1 ignores categories; with 0 a track never changes its category.
  public var otherCategoryFactor: Double
}
