import OcellusImaging

/// The bodies in OpenPose's maps: one for each keypoint, one for the background, and two for each
/// limb, whose vectors point along it (Cao and others, 2017).
///
/// Keypoints are joined to the bodies that their limbs' vectors support, so there may be several.
struct PartAffinities {
  /// A limb: two keypoints, and the first of its two maps of vectors.
  private struct Limb {
    let start: Int
    let end: Int
    let map: Int
  }

  /// A local maximum of a keypoint's map.
  private struct Peak {
    let row: Int
    let column: Int
    let score: Float
  }

  /// The number of keypoints, and of the maps with the background.
  static let pointCount = 18
  static let scoreMaps = 19
  static let channels = 57

  /// The limbs with their maps as OpenPose's COCO model orders them.
  private static let limbs: [Limb] = [
    (1, 2, 12), (1, 5, 20), (2, 3, 14), (3, 4, 16), (5, 6, 22), (6, 7, 24), (1, 8, 0), (8, 9, 2),
    (9, 10, 4), (1, 11, 6), (11, 12, 8), (12, 13, 10), (1, 0, 28), (0, 14, 30), (14, 16, 34),
    (0, 15, 32), (15, 17, 36), (2, 16, 18), (5, 17, 26),
  ].map { Limb(start: $0.0, end: $0.1, map: $0.2) }

  /// Lower maxima are noise.
  private static let leastPeak: Float = 0.1
  /// The most maxima of a keypoint that are looked at, so that no picture takes for ever.
  private static let mostPeaks = 64
  /// The number of places between two keypoints at which a limb is looked for.
  private static let samples = 10
  /// The vector's least length along the limb, which most of the places need.
  private static let leastVector: Float = 0.05
  private static let leastShare = 0.8
  /// Bodies of fewer keypoints are noise.
  private static let leastPoints = 4

  private let maps: OutputTensor
  private var rows: Int { maps.shape[1] }
  private var columns: Int { maps.shape[2] }

  /// Creates a reader of an output, whose shape is known only now if the model takes any size.
  init(_ maps: OutputTensor) throws(VisionError) {
    let shape = maps.shape
    guard shape.count == 4, shape[0] == 1, min(shape[1], shape[2]) > 0,
      shape[3] == Self.channels
    else { throw .mismatched("the output '\(maps.name)' has no \(Self.channels) maps") }
    self.maps = maps
  }

  private subscript(row: Int, column: Int, channel: Int) -> Float {
    maps[(row * columns + column) * Self.channels + channel]
  }

  /// Returns the bodies; a keypoint that was not found has the score 0 and the place of the best one.
  func findings() -> [PoseFormat.Finding] {
    let peaks = (0..<Self.pointCount).map(peaks(of:))
    return bodies(peaks).filter { $0.count >= Self.leastPoints }.map { body in
      let found = body.map { peaks[$0.key][$0.value] }
      let best = found.max { $0.score < $1.score } ?? found[0]
      let points = (0..<Self.pointCount).map { point in
        let peak = body[point].map { peaks[point][$0] }
        return (position: position(peak ?? best), score: Float?.some(peak?.score ?? 0))
      }
      return PoseFormat.Finding(
        points: points, score: found.reduce(0) { $0 + $1.score } / Float(found.count))
    }
  }

  private func position(_ peak: Peak) -> PixelPoint {
    PixelPoint(
      x: (Double(peak.column) + 0.5) / Double(columns), y: (Double(peak.row) + 0.5) / Double(rows))
  }

  /// Returns the largest local maxima of a keypoint's map.
  private func peaks(of point: Int) -> [Peak] {
    var found: [Peak] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let score = self[row, column, point]
        guard score >= Self.leastPeak, isLargest(score, row, column, point) else { continue }
        found.append(Peak(row: row, column: column, score: min(score, 1)))
      }
    }
    return Array(found.sorted { $0.score > $1.score }.prefix(Self.mostPeaks))
  }

  /// Whether no neighbour has a larger number; of equal ones, the first counts.
  private func isLargest(_ score: Float, _ row: Int, _ column: Int, _ point: Int) -> Bool {
    for y in max(row - 1, 0)...min(row + 1, rows - 1) {
      for x in max(column - 1, 0)...min(column + 1, columns - 1) where (y, x) != (row, column) {
        let other = self[y, x, point]
        if other > score || other == score && (y, x) < (row, column) { return false }
      }
    }
    return true
  }

  /// Joins keypoints to bodies, each of which has the index of its peak by keypoint.
  private func bodies(_ peaks: [[Peak]]) -> [[Int: Int]] {
    var bodies: [[Int: Int]] = []
    for limb in Self.limbs {
      for (start, end) in pairs(limb, peaks) {
        let first = bodies.firstIndex { $0[limb.start] == start }
        let second = bodies.firstIndex { $0[limb.end] == end }
        switch (first, second) {
        case (let body?, nil):
          if bodies[body][limb.end] == nil { bodies[body][limb.end] = end }
        case (nil, let body?):
          if bodies[body][limb.start] == nil { bodies[body][limb.start] = start }
        case (nil, nil): bodies.append([limb.start: start, limb.end: end])
        case (let body?, let other?):
          // Two parts of one body, unless both have a keypoint of the same kind.
          guard body != other, bodies[body].keys.allSatisfy({ bodies[other][$0] == nil }) else {
            continue
          }
          bodies[body].merge(bodies[other]) { own, _ in own }
          bodies.remove(at: other)
        }
      }
    }
    return bodies
  }

  /// Returns the pairs of peaks that a limb joins: the best first, no peak twice.
  private func pairs(_ limb: Limb, _ peaks: [[Peak]]) -> [(start: Int, end: Int)] {
    var candidates: [(start: Int, end: Int, score: Float)] = []
    for (start, from) in peaks[limb.start].enumerated() {
      for (end, to) in peaks[limb.end].enumerated() {
        if let score = support(from, to, limb.map) { candidates.append((start, end, score)) }
      }
    }
    candidates.sort { $0.score > $1.score }
    var (starts, ends): (Set<Int>, Set<Int>) = ([], [])
    return candidates.compactMap { candidate in
      guard !starts.contains(candidate.start), !ends.contains(candidate.end) else { return nil }
      starts.insert(candidate.start)
      ends.insert(candidate.end)
      return (candidate.start, candidate.end)
    }
  }

  /// Returns how well the vectors between two peaks point from one to the other; `nil`: badly.
  private func support(_ from: Peak, _ to: Peak, _ map: Int) -> Float? {
    let (dx, dy) = (Float(to.column - from.column), Float(to.row - from.row))
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0 else { return nil }
    var (sum, supported): (Float, Int) = (0, 0)
    for sample in 0..<Self.samples {
      let share = Float(sample) / Float(Self.samples - 1)
      let row = Int((Float(from.row) + share * dy).rounded())
      let column = Int((Float(from.column) + share * dx).rounded())
      let vector = (
        x: self[row, column, Self.scoreMaps + map], y: self[row, column, Self.scoreMaps + map + 1]
      )
      let along = (vector.x * dx + vector.y * dy) / length
      sum += along
      if along > Self.leastVector { supported += 1 }
    }
    guard Double(supported) >= Self.leastShare * Double(Self.samples) else { return nil }
    return sum / Float(Self.samples)
  }
}
