extension TrackerOptions {
  /// What serves best where nothing is known about the pictures.
  ///
  /// Rounds for sure and unsure detections as in ByteTrack, of which the second also takes lost tracks;
  /// overlap times score times agreement of the heights, less the change of the score (Hybrid-SORT); the filter
  /// of BoT-SORT, but steadier until an object leaves its course; a look at where an object was last (OC-SORT), a
  /// longer one where the scene's objects stay about one place; and compensation of the camera's motion, of which a
  /// part is expected to go on. New objects have an identity at once for as long as the detector has earned it. The
  /// numbers are the middle of a plateau: on sequences of all kinds, played forward
  /// and backward, with detections missing and moved, with half of the objects, and on scenes that a generator
  /// draws, neighbours are no better.
  public static let `default` = TrackerOptions(
    motion: .steady,
    stages: [
      AssociationStage(
        tracks: [.visible, .lost], detections: .high, minimumOverlap: 0.15, modulatesHeight: true,
        fusesScore: true, scoreWeight: 0.5),
      AssociationStage(
        tracks: [.visible, .lost], detections: .high, place: .observed, minimumOverlap: 0.5,
        modulatesHeight: true, longestGap: .milliseconds(600)),
      AssociationStage(
        tracks: [.visible, .lost], detections: .low, minimumOverlap: 0.35, modulatesHeight: true),
      AssociationStage(
        tracks: .lost, detections: .high, place: .observed, minimumOverlap: 0.3,
        modulatesHeight: true, isForStayingObjects: true),
      AssociationStage(
        tracks: .tentative, detections: .high, minimumOverlap: 0.3, fusesScore: true),
    ],
    highScore: 0.6, lowScore: 0.1, newTrackScore: 0.7,
    confirmationHits: 1, trustsNewObjects: true, confirmsAgain: false, dropsTentativeTracks: true,
    lifetime: .seconds(2), minimumLostFrames: 1,
    replaysGaps: false, directionSpan: .milliseconds(100), duplicateOverlap: .infinity,
    reportsFilteredBox: true, camera: CameraCompensation(), otherCategoryFactor: 0.5)

  /// SORT (Bewley and others 2016).
  public static let sort = TrackerOptions(
    motion: .sort,
    stages: [AssociationStage(tracks: .all, detections: .high, minimumOverlap: 0.3)],
    highScore: 0.6, lowScore: 0.6, newTrackScore: 0.6,
    confirmationHits: 3, confirmsAgain: true, dropsTentativeTracks: false,
    lifetime: MotionModel.publishedTimeUnit, minimumLostFrames: 1,
    replaysGaps: false, directionSpan: .milliseconds(100), duplicateOverlap: .infinity,
    reportsFilteredBox: true, camera: nil, otherCategoryFactor: 1)

  /// ByteTrack (Zhang and others 2022), with the thresholds of its evaluation script.
  public static let byteTrack = TrackerOptions(
    motion: .byteTrack,
    stages: [
      AssociationStage(
        tracks: [.visible, .lost], detections: .high, minimumOverlap: 0.1, fusesScore: true),
      AssociationStage(tracks: .visible, detections: .low, minimumOverlap: 0.5),
      AssociationStage(
        tracks: .tentative, detections: .high, minimumOverlap: 0.3, fusesScore: true),
    ],
    highScore: 0.6, lowScore: 0.1, newTrackScore: 0.7,
    confirmationHits: 1, confirmsAgain: false, dropsTentativeTracks: true,
    lifetime: .seconds(1), minimumLostFrames: 1,
    replaysGaps: false, directionSpan: .milliseconds(100), duplicateOverlap: 0.85,
    reportsFilteredBox: true, camera: nil, otherCategoryFactor: 1)

  /// OC-SORT (Cao and others 2023).
  public static let ocSort = TrackerOptions(
    motion: .sort,
    stages: [
      AssociationStage(
        tracks: .all, detections: .high, minimumOverlap: 0.3, directionWeight: 0.2),
      AssociationStage(
        tracks: .all, detections: .high, place: .observed, minimumOverlap: 0.3),
    ],
    highScore: 0.6, lowScore: 0.6, newTrackScore: 0.6,
    confirmationHits: 3, confirmsAgain: true, dropsTentativeTracks: false,
    lifetime: .seconds(1), minimumLostFrames: 1,
    replaysGaps: true, directionSpan: .milliseconds(100), duplicateOverlap: .infinity,
    reportsFilteredBox: false, camera: nil, otherCategoryFactor: 1)

  /// The same options with one frame in place of each thirtieth of a second.
  ///
  /// This is how the published trackers are evaluated: a second of theirs is 30 frames at any rate.
  public func countingFrames(of duration: Duration) -> TrackerOptions {
    let stretch = duration / MotionModel.publishedTimeUnit
    var options = self
    options.motion.timeUnit = motion.timeUnit * stretch
    options.lifetime = lifetime * stretch
    options.directionSpan = directionSpan * stretch
    for index in stages.indices {
      options.stages[index].longestGap = stages[index].longestGap.map { $0 * stretch }
    }
    return options
  }
}
