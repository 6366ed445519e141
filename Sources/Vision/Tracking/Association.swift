import Glibc
import OcellusImaging

/// Who belongs to whom in one frame, found stage by stage; it keeps its memory from frame to frame.
struct Association {
  /// The observation of each track, or `Matching.none`.
  private(set) var observationOfTrack: [Int] = []
  /// The track of each observation, or `Matching.none`.
  private(set) var trackOfObservation: [Int] = []

  private var matching = Matching()
  private var rows: [Int] = []
  private var columns: [Int] = []
  private var boxes: [BoundingBox] = []

  /// Starts a frame in which nobody is paired.
  mutating func begin(tracks: Int, observations: Int) {
    observationOfTrack.refill(with: Matching.none, count: tracks)
    trackOfObservation.refill(with: Matching.none, count: observations)
  }

  /// Pairs tracks and observations that are still alone.
  mutating func run(
    _ stage: AssociationStage, tracks: [TrackState], observations: [Observation],
    at time: Double, options: TrackerOptions
  ) {
    collect(stage, tracks: tracks, observations: observations, options: options)
    guard !rows.isEmpty, !columns.isEmpty else { return }
    matching.begin(columns: columns.count)
    let span = options.directionSpan / .seconds(1)
    for track in rows {
      matching.addRow()
      let state = tracks[track]
      var place = stage.place == .predicted ? state.filter.box(model: options.motion) : state.box
      place = place.enlarged(by: stage.margin)
      for (column, observation) in columns.enumerated() {
        let box = boxes[column]
        guard box.left < place.right, place.left < box.right, box.top < place.bottom,
          place.top < box.bottom
        else { continue }
        var overlap = place.intersectionOverUnion(box)
        if stage.modulatesHeight { overlap *= place.verticalOverlap(box) }
        let detection = observations[observation]
        if stage.fusesScore { overlap *= Double(detection.score) }
        guard overlap >= stage.minimumOverlap else { continue }
        var profit = overlap - stage.minimumOverlap
        if stage.directionWeight > 0, let course = state.course.direction,
          let way = state.course.direction(to: detection.box, at: time, span: span)
        {
          let cosine = max(-1, min(1, (course * way).sum()))
          // From a half for the same direction to minus a half for the opposite one.
          let agreement = asin(cosine) / .pi
          profit += stage.directionWeight * agreement * Double(detection.score)
        }
        matching.addPair(column: column, profit: max(profit, 1e-9))
      }
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
    options: TrackerOptions
  ) {
    rows.removeAll(keepingCapacity: true)
    for track in tracks.indices
    where observationOfTrack[track] == Matching.none && stage.tracks.contains(tracks[track].group) {
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
}

extension BoundingBox {
  /// The box with `margin` times its size added on every side.
  func enlarged(by margin: Double) -> BoundingBox {
    let x = margin * width
    let y = margin * height
    return BoundingBox(left: left - x, top: top - y, right: right + x, bottom: bottom + y)
  }

  /// The common part of the vertical extents as a share of what both cover.
  func verticalOverlap(_ other: BoundingBox) -> Double {
    let common = min(bottom, other.bottom) - max(top, other.top)
    let together = max(bottom, other.bottom) - min(top, other.top)
    return together > 0 ? max(0, common) / together : 0
  }
}
