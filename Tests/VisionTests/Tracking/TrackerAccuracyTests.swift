import Foundation
import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

/// The accuracy of trackers on real and synthetic sequences of the shared files.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct TrackerAccuracyTests {
  /// The minimum HOTA of the default tracker in percent, and the HOTA of the published `sort` and
  /// `bytetrack`, which the presets must match closely.
  private static let families = [
    (name: "mot17-yolox", floor: 75.0, sort: 70.8, byteTrack: 74.7),
    ("mot17-dpm", 37.5, 30.4, 36.5), ("mot15", 36.0, 35.2, 36.6),
    ("kitti-car", 77.5, 70.0, 72.6), ("kitti-ped", 44.6, 41.7, 45.0),
    ("dance-sim", 58.5, 39.6, 44.8), ("synthetic", 71.8, 54.7, 61.4),
  ]

  @Test(arguments: families)
  func sequencesAreFollowedWell(
    name: String, floor: Double, sort: Double, byteTrack: Double
  ) throws {
    var (hota, sortHota, byteTrackHota) = (MOTEvaluation(), MOTEvaluation(), MOTEvaluation())
    for sequence in try Sequence.family(name) {
      let frame = Duration.seconds(1) / sequence.framesPerSecond
      hota += try sequence.evaluation(of: .default)
      sortHota += try sequence.evaluation(of: .sort.countingFrames(of: frame))
      byteTrackHota += try sequence.evaluation(of: .byteTrack.countingFrames(of: frame))
    }
    #expect(100 * hota.hota >= floor)
    #expect(abs(100 * sortHota.hota - sort) <= 0.7)
    #expect(abs(100 * byteTrackHota.hota - byteTrack) <= 0.7)
  }

  /// A sequence in the format of MOTChallenge.
  private struct Sequence {
    private(set) var framesPerSecond = 30.0
    private var minimumHeight: Double?
    private var boxes: [[BoundingBox]] = []
    private var scores: [[Float]] = []
    private var truth: [[TruthBox]] = []

    static func family(_ name: String) throws -> [Sequence] {
      let folder = SharedFiles.folder.appending(path: "mot/data")
      let groups = try JSONDecoder().decode(
        [String: [String]].self, from: Data(contentsOf: folder.appending(path: "groups.json")))
      return try (groups[name] ?? []).map { try Sequence(folder.appending(path: $0)) }
    }

    private init(_ folder: URL) throws {
      for line in try Self.lines(of: folder.appending(path: "seqinfo.ini")) {
        let parts = line.split(separator: "=")
        guard parts.count == 2, let value = Double(parts[1]) else { continue }
        switch parts[0] {
        case "frameRate": framesPerSecond = value
        case "minHeight": minimumHeight = value
        case "seqLength":
          boxes = Array(repeating: [], count: Int(value))
          scores = Array(repeating: [], count: Int(value))
          truth = Array(repeating: [], count: Int(value))
        default: break
        }
      }
      for row in try rows(of: folder.appending(path: "det.txt")) where row[6] >= 0.1 {
        boxes[Int(row[0]) - 1].append(Self.box(row))
        scores[Int(row[0]) - 1].append(Float(row[6]))
      }
      for row in try rows(of: folder.appending(path: "gt.txt")) {
        let kind: TruthBox.Kind =
          switch Int(row[7]) {
          case 99: .ignoredRegion
          case 2, 7, 8, 12: .distractor
          case 1: row[6] != 0 ? .object : .other
          default: .other
          }
        truth[Int(row[0]) - 1].append(
          TruthBox(id: Int(row[1]), box: Self.box(row), kind: kind))
      }
    }

    func evaluation(of options: TrackerOptions) throws -> MOTEvaluation {
      var tracker = Tracker(options)
      let tracks = try boxes.indices.map { frame in
        try tracker.update(
          boxes: boxes[frame], scores: scores[frame],
          at: .seconds(Double(frame) / framesPerSecond)
        ).compactMap { track in track.id.map { TrackedBox(id: $0, box: track.box) } }
      }
      return MOTEvaluation(truth: truth, tracks: tracks, minimumHeight: minimumHeight)
    }

    private func rows(of file: URL) throws -> [[Double]] {
      let rows = try Self.lines(of: file).map { line -> [Double] in
        line.split(separator: ",").compactMap { Double($0) }
      }
      return rows.filter { $0.count >= 7 && truth.indices.contains(Int($0[0]) - 1) }
    }

    private static func lines(of file: URL) throws -> [Substring] {
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    }

    private static func box(_ row: [Double]) -> BoundingBox {
      BoundingBox(x: row[2], y: row[3], width: row[4], height: row[5])
    }
  }
}
