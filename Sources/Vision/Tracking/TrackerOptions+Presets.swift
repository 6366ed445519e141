extension TrackerOptions {
  /// SORT (Bewley et al. 2016).
  public static let sort = TrackerOptions(
    motion: .sort,
    stages: [AssociationStage(tracks: .all, detections: .high, minimumOverlap: 0.3)],
    highScore: 0.6, lowScore: 0.6, newTrackScore: 0.6,
    confirmationHits: 3, confirmsAgain: true, dropsTentativeTracks: false,
    lifetime: .seconds(1) / 30, minimumLostFrames: 1,
    replaysGaps: false, directionSpan: .milliseconds(100), duplicateOverlap: .infinity,
    reportsFilteredBox: true)

  /// ByteTrack (Zhang et al. 2022).
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
    reportsFilteredBox: true)

  /// OC-SORT (Cao et al. 2023).
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
    reportsFilteredBox: false)
}
