import OcellusImaging

/// A sequence for evaluation, without the objects and tracks that are to be ignored.
struct MOTSequence {
  private(set) var frames: [MOTFrame] = []
  private var truthNumbers = DenseNumbering()
  private var trackNumbers = DenseNumbering()
  private let minimumHeight: Double?
  private var matching = Matching()

  /// The number of objects.
  var truthCount: Int { truthNumbers.count }
  /// The number of tracks.
  var trackCount: Int { trackNumbers.count }

  init(minimumHeight: Double?) {
    self.minimumHeight = minimumHeight
  }

  /// Adds a frame, without its ignored boxes.
  mutating func append(truth: [TruthBox], tracks: [TrackedBox]) {
    let regions = truth.filter { $0.kind == .ignoredRegion }
    let truth = truth.filter { $0.kind != .ignoredRegion }
    let judged = judgedTracks(tracks, truth: truth, regions: regions)
    let objects = truth.filter { $0.kind == .object }
    var frame = MOTFrame()
    frame.truths = objects.map { truthNumbers.number(of: $0.id) }
    frame.tracks = judged.map { trackNumbers.number(of: $0.id) }
    frame.pairs = Self.pairs(objects, judged)
    frames.append(frame)
  }

  /// Returns the tracks that are neither on distractors nor unmatched in ignored regions.
  private mutating func judgedTracks(
    _ tracks: [TrackedBox], truth: [TruthBox], regions: [TruthBox]
  ) -> [TrackedBox] {
    var frame = MOTFrame()
    frame.truths = Array(truth.indices)
    frame.tracks = Array(tracks.indices)
    frame.pairs = Self.pairs(truth, tracks)
    let matches = frame.matches(by: &matching) {
      $0.overlap >= MOTEvaluation.threshold ? $0.overlap : 0
    }
    var truthOfTrack = [Int?](repeating: nil, count: tracks.count)
    for match in matches { truthOfTrack[match.track] = match.truth }
    return zip(tracks, truthOfTrack).compactMap { track, match in
      if let match { return truth[match].kind == .distractor ? nil : track }
      if let minimumHeight, track.box.height <= minimumHeight { return nil }
      let isIgnored = regions.contains { region in
        track.box.area > 0
          && track.box.intersection(region.box).area / track.box.area > MOTEvaluation.threshold
      }
      return isIgnored ? nil : track
    }
  }

  private static func pairs(_ truth: [TruthBox], _ tracks: [TrackedBox]) -> [MOTFrame.Pair] {
    var pairs: [MOTFrame.Pair] = []
    for (row, object) in truth.enumerated() {
      for (column, track) in tracks.enumerated() {
        let overlap = object.box.intersectionOverUnion(track.box)
        if overlap > 0 {
          pairs.append(MOTFrame.Pair(truth: row, track: column, overlap: overlap))
        }
      }
    }
    return pairs
  }
}
