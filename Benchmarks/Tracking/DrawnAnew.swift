import Foundation
import OcellusVision

/// The HOTA of trackers in percent, on simulated scenes and on variants of real sequences.
struct DrawnAnew {
  private static let trackers: [(name: String, options: TrackerOptions, countsFrames: Bool)] = [
    ("default", .default, false), ("bytetrack", .byteTrack, true), ("ocsort", .ocSort, true),
    ("sort", .sort, true),
  ]

  /// Reports the mean over eight simulated scenes of each kind.
  static func reportScenes() throws {
    print("scenes: \(DrawnScene.Kind.allCases.map(\.rawValue).joined(separator: ", ")), mean")
    let families = DrawnScene.Kind.allCases.map { kind in
      (1...8).map { DrawnScene.sequence(kind, seed: $0) }
    }
    try table(families)
  }

  /// Reports the families of a folder, unchanged and in every variant.
  static func report(_ families: [[Sequence]]) throws {
    print("as they are")
    try table(families)
    for (name, draw) in Sequence.variants {
      print(name)
      try table(
        families.map { family in
          family.enumerated().map { draw($0.element, UInt64($0.offset + 1)) }
        })
    }
  }

  private static func table(_ families: [[Sequence]]) throws {
    for tracker in trackers {
      let values = try families.map { family in
        let sum = try family.reduce(into: MOTEvaluation()) { sum, sequence in
          let frame = Duration.seconds(1) / sequence.framesPerSecond
          let options =
            tracker.countsFrames ? tracker.options.countingFrames(of: frame) : tracker.options
          sum += try sequence.evaluation(of: options)
        }
        return 100 * sum.hota
      }
      let mean = values.reduce(0, +) / Double(values.count)
      let cells = (values + [mean]).map { String(format: "%.1f", $0) }
      print("  \(tracker.name): \(cells.joined(separator: " "))")
    }
  }
}
