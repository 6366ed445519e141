import OcellusImaging
import OcellusPlatform

/// The association of tracks and observations in one frame; its buffers are reused across frames.
struct Association {
  /// The observation of each track, or `Matching.none`.
  private(set) var observationOfTrack: [Int] = []
  /// The track of each observation, or `Matching.none`.
  private(set) var trackOfObservation: [Int] = []

  private var matching = Matching()
  /// The tracks and observations that take part in a stage.
  private var rows: [Int] = []
  private var columns: [Int] = []
  /// The boxes of `columns`, enlarged by the stage's margin.
  private var boxes: [BoundingBox] = []

  /// Starts a frame in which nothing is paired.
  mutating func begin(tracks: Int, observations: Int) {
    observationOfTrack.refill(with: Matching.none, count: tracks)
    trackOfObservation.refill(with: Matching.none, count: observations)
  }

  /// Pairs tracks and observations that are still unpaired.
  mutating func run(
    _ stage: AssociationStage, tracks: [TrackState], observations: [Observation],
    at time: Double, options: TrackerOptions
  ) {
    collect(stage, tracks: tracks, observations: observations, at: time, options: options)
    guard !rows.isEmpty, !columns.isEmpty else { return }
    matching.begin(columns: columns.count)
    for row in rows {
      matching.addRow()
      addPairs(of: tracks[row], stage, observations: observations, at: time, options: options)
    }
    matching.solve()
    for (row, track) in rows.enumerated() {
      let column = matching.columnOfRow[row]
      guard column != Matching.none else { continue }
      observationOfTrack[track] = columns[column]
      trackOfObservation[columns[column]] = track
    }
  }

  private mutating func collect(
    _ stage: AssociationStage, tracks: [TrackState], observations: [Observation],
    at time: Double, options: TrackerOptions
  ) {
    rows.removeAll(keepingCapacity: true)
    let longestGap = stage.longestGap.map { $0 / .seconds(1) + 1e-6 } ?? .infinity
    for track in tracks.indices
    where observationOfTrack[track] == Matching.none && stage.tracks.contains(tracks[track].group)
      && time - tracks[track].lastTime <= longestGap
    {
      rows.append(track)
    }
    columns.removeAll(keepingCapacity: true)
    boxes.removeAll(keepingCapacity: true)
    for index in observations.indices where trackOfObservation[index] == Matching.none {
      let band: AssociationStage.Detections =
        observations[index].score >= options.highScore ? .high : .low
      guard stage.detections.contains(band) else { continue }
      columns.append(index)
      boxes.append(observations[index].box.enlarged(by: stage.margin))
    }
  }

  /// Adds the candidate pairs of a track.
  private mutating func addPairs(
    of track: TrackState, _ stage: AssociationStage, observations: [Observation],
    at time: Double, options: TrackerOptions
  ) {
    let trackBox = (stage.place == .predicted ? track.predictedBox : track.box).enlarged(
      by: stage.margin)
    for column in columns.indices where trackBox.touches(boxes[column]) {
      let observation = observations[columns[column]]
      var overlap = stage.overlap(trackBox, boxes[column], score: observation.score)
      if let category = track.category, let other = observation.category, category != other {
        overlap *= options.otherCategoryFactor
      }
      guard overlap >= stage.minimumOverlap, overlap > 0 else { continue }
      let change = abs(track.usualScore - Double(observation.score))
      var profit = overlap - stage.minimumOverlap - stage.scoreWeight * change
      if stage.directionWeight > 0 {
        let agreement = track.recentPath.agreement(
          with: observation.box, at: time, span: options.directionSpan / .seconds(1))
        profit += stage.directionWeight * agreement * Double(observation.score)
      }
      // A possible pair always has a profit, as it is better than none.
      matching.addPair(column: column, profit: max(profit, 1e-9))
    }
  }
}

extension AssociationStage {
  /// Returns the similarity of two boxes, 0…1.
  func overlap(_ trackBox: BoundingBox, _ box: BoundingBox, score: Float) -> Double {
    var overlap = trackBox.intersectionOverUnion(box)
    if modulatesHeight { overlap *= trackBox.verticalOverlap(box) }
    if fusesScore { overlap *= Double(score) }
    return overlap
  }
}

extension RecentPath {
  /// Returns the agreement of the direction to a box with the recent path.
  ///
  /// It is 0.5 for the same direction and −0.5 for the opposite one, linear in the angle; 0 while
  /// there is no recent path.
  func agreement(with box: BoundingBox, at time: Double, span: Double) -> Double {
    guard let direction, let way = self.direction(to: box, at: time, span: span) else { return 0 }
    return asin(max(-1, min(1, (direction * way).sum()))) / .pi
  }
}

extension BoundingBox {
  /// Whether the boxes have any area in common.
  func touches(_ other: BoundingBox) -> Bool {
    other.left < right && left < other.right && other.top < bottom && top < other.bottom
  }

  /// Returns the box with `margin` times its size added on every side.
  func enlarged(by margin: Double) -> BoundingBox {
    let x = margin * width
    let y = margin * height
    return BoundingBox(left: left - x, top: top - y, right: right + x, bottom: bottom + y)
  }

  /// Returns the intersection over union of the vertical extents.
  func verticalOverlap(_ other: BoundingBox) -> Double {
    let common = min(bottom, other.bottom) - max(top, other.top)
    let together = max(bottom, other.bottom) - min(top, other.top)
    return together > 0 ? max(0, common) / together : 0
  }
}
