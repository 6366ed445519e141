import Foundation
import OcellusImaging
import OcellusVision

// Times the tracker alone: swift run -c release tracking-bench DETECTIONS.txt...
//
// Each file, in the text format of MOTChallenge, is followed again and again for a second with each
// tracker; detections that score under 0.1 are left out, as the published speeds have it.

/// The detections of a sequence, frame by frame.
struct Sequence {
  private(set) var boxes: [[BoundingBox]] = []
  private(set) var scores: [[Float]] = []

  var detectionsPerFrame: Double {
    Double(boxes.reduce(0) { $0 + $1.count }) / Double(max(1, boxes.count))
  }

  init?(path: String) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    for line in text.split(separator: "\n") {
      let numbers = line.split(separator: ",").compactMap { Double($0) }
      guard numbers.count >= 7, numbers[0] >= 1, numbers[0] < 1e6 else { return nil }
      let frame = Int(numbers[0])
      while boxes.count < frame {
        boxes.append([])
        scores.append([])
      }
      guard numbers[6] >= 0.1 else { continue }
      boxes[frame - 1].append(
        BoundingBox(x: numbers[2], y: numbers[3], width: numbers[4], height: numbers[5]))
      scores[frame - 1].append(Float(numbers[6]))
    }
  }

  /// Frames a second, the best of several rounds: the others were disturbed.
  func speed(_ options: TrackerOptions) throws -> Double {
    var best = Double.infinity
    let clock = ContinuousClock()
    let start = clock.now
    var tracker = Tracker(options)
    while clock.now - start < .seconds(1) {
      tracker.reset()
      let time = try clock.measure {
        for frame in boxes.indices {
          try tracker.update(
            boxes: boxes[frame], scores: scores[frame], at: .milliseconds(33 * frame))
        }
      }
      best = min(best, time / .seconds(1))
    }
    return Double(boxes.count) / best
  }
}

let trackers: [(name: String, options: TrackerOptions)] = [
  ("default", .default), ("sort", .sort), ("bytetrack", .byteTrack), ("ocsort", .ocSort),
]
for path in CommandLine.arguments.dropFirst() {
  guard let sequence = Sequence(path: path) else {
    print("\(path): no detections in the format of MOTChallenge")
    exit(1)
  }
  print("\(path): \(sequence.detectionsPerFrame) detections a frame")
  for (name, options) in trackers {
    print("  \(name): \(Int(try sequence.speed(options))) frames a second")
  }
}
