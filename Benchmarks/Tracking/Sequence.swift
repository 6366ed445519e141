import Foundation
import OcellusImaging
import OcellusVision

/// A sequence in MOTChallenge's text format: its detections, and its ground truth, if any.
///
/// Detections with a score below 0.1 are left out, as in the published results.
struct Sequence {
  var boxes: [[BoundingBox]] = []
  var scores: [[Float]] = []
  var truth: [[TruthBox]] = []
  var framesPerSecond = 30.0
  private var minimumHeight: Double?

  var detectionsPerFrame: Double {
    Double(boxes.reduce(0) { $0 + $1.count }) / Double(max(1, boxes.count))
  }

  /// Creates a sequence of boxes.
  init(
    boxes: [[BoundingBox]], scores: [[Float]], truth: [[TruthBox]], framesPerSecond: Double
  ) {
    self.boxes = boxes
    self.scores = scores
    self.truth = truth
    self.framesPerSecond = framesPerSecond
  }

  /// Reads the detections of a file.
  init?(path: String) {
    guard let rows = Self.rows(of: path) else { return nil }
    for row in rows { add(row) }
  }

  /// Reads a folder with `det.txt`, `gt.txt` and `seqinfo.ini`.
  init?(folder: String) {
    guard let detections = Self.rows(of: folder + "/det.txt"),
      let objects = Self.rows(of: folder + "/gt.txt"),
      let facts = try? String(contentsOfFile: folder + "/seqinfo.ini", encoding: .utf8)
    else { return nil }
    var length = 0
    for line in facts.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=")
      guard parts.count == 2, let value = Double(parts[1]) else { continue }
      switch parts[0] {
      case "frameRate": framesPerSecond = value
      case "minHeight": minimumHeight = value
      case "seqLength": length = Int(value)
      default: break
      }
    }
    boxes = Array(repeating: [], count: length)
    scores = Array(repeating: [], count: length)
    truth = Array(repeating: [], count: length)
    for row in detections where Int(row[0]) <= length { add(row) }
    for row in objects where row.count >= 8 && Int(row[0]) <= length {
      truth[Int(row[0]) - 1].append(
        TruthBox(id: Int(row[1]), box: Self.box(row), kind: Self.kind(row)))
    }
  }

  /// Reads the families of sequences that a folder lists in `groups.json`.
  static func families(_ names: [String], in folder: String) throws -> [[Sequence]] {
    let data = try Data(contentsOf: URL(filePath: folder + "/groups.json"))
    let groups = try JSONDecoder().decode([String: [String]].self, from: data)
    return names.map { name in
      (groups[name] ?? []).compactMap { Sequence(folder: "\(folder)/\($0)") }
    }
  }

  private mutating func add(_ row: [Double]) {
    let frame = Int(row[0])
    while boxes.count < frame {
      boxes.append([])
      scores.append([])
    }
    guard row[6] >= 0.1 else { return }
    boxes[frame - 1].append(Self.box(row))
    scores[frame - 1].append(Float(row[6]))
  }

  private static func rows(of path: String) -> [[Double]]? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    let rows = text.split(whereSeparator: \.isNewline).map { line in
      line.split(separator: ",").compactMap { Double($0) }
    }
    guard rows.allSatisfy({ $0.count >= 7 && $0[0] >= 1 && $0[0] < 1e6 }) else { return nil }
    return rows
  }

  private static func box(_ row: [Double]) -> BoundingBox {
    BoundingBox(x: row[2], y: row[3], width: row[4], height: row[5])
  }

  private static func kind(_ row: [Double]) -> TruthBox.Kind {
    switch Int(row[7]) {
    case 99: .ignoredRegion
    case 2, 7, 8, 12: .distractor
    case 1: row[6] != 0 ? .object : .other
    default: .other
    }
  }

  // MARK: Measures

  /// Returns the measures of a tracker on the sequence.
  func evaluation(of options: TrackerOptions) throws -> MOTEvaluation {
    var tracker = Tracker(options)
    let tracks = try boxes.indices.map { frame in
      try tracker.update(
        boxes: boxes[frame], scores: scores[frame], at: .seconds(Double(frame) / framesPerSecond)
      ).compactMap { track in track.id.map { TrackedBox(id: $0, box: track.box) } }
    }
    return MOTEvaluation(truth: truth, tracks: tracks, minimumHeight: minimumHeight)
  }

  /// Returns the frames per second of processor time in the best, least disturbed of several
  /// rounds.
  func speed(_ options: TrackerOptions) throws -> Double {
    var best = Double.infinity
    var total = 0.0
    var tracker = Tracker(options)
    while total < 1 {
      tracker.reset()
      let start = processorSeconds()
      for frame in boxes.indices {
        try tracker.update(
          boxes: boxes[frame], scores: scores[frame], at: .milliseconds(33 * frame))
      }
      let seconds = processorSeconds() - start
      best = min(best, seconds)
      total += seconds
    }
    return Double(boxes.count) / best
  }

  private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
