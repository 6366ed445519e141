extension TrackerOptions {
  /// The best options when nothing is known about the pictures.
  ///
  /// They are for all detections of a detector, also uncertain ones: a track starts with a score of
  /// 0.7. For detections that were filtered already, see ``forDetectors``.
  ///
  /// There are rounds for detections of high and low scores as in ByteTrack; here the second kind
  /// also takes lost tracks. Pairs are rated by overlap times score times height agreement, less
  /// the change of the score (Hybrid-SORT). The filter is BoT-SORT's, but steadier until an object
  /// leaves its course. A further round compares with the last observed boxes (OC-SORT), and a
  /// longer one does so in scenes whose objects stay near one place. Camera motion is compensated,
  /// and a part of it is expected to continue. New objects get an identity at once while the
  /// detector is reliable.
  ///
  /// The numbers were tuned on sequences of all kinds, forward and backward, with detections
  /// dropped and moved, with half of the objects, and on generated scenes; neighbouring values are
  /// no better.
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

  /// The default options for the results of a detector, which has dropped uncertain objects itself.
  ///
  /// A score of 0.25, the lowest that detectors usually report, is enough to start a track.
  public static let forDetectors = TrackerOptions.default.startingTracks(at: 0.25)

  /// Returns these options with lower scores, so that a detection of `score` may start a track.
  public func startingTracks(at score: Float) -> TrackerOptions {
    var options = self
    let score = max(score, lowScore)
    options.highScore = min(highScore, score)
    options.newTrackScore = min(newTrackScore, score)
    return options
  }

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

  /// Returns these options with one frame in place of each thirtieth of a second.
  ///
  /// Published trackers are evaluated in this way: their second is 30 frames at any frame rate.
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
