import Foundation
import OcellusImaging
import OcellusVision

// Times the tracker alone: swift run -c release tracking-bench [TRACKER] DETECTIONS.txt...
//
// Each file, in the text format of MOTChallenge, is followed again and again for a second with each
// tracker, or the one that is named; detections that score under 0.1 are left out, as the published speeds have it.

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

  /// Frames a second of processor time, the best of several rounds: others disturb less that way.
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

let trackers: [(name: String, options: TrackerOptions)] = [
  ("default", .default), ("sort", .sort), ("bytetrack", .byteTrack), ("ocsort", .ocSort),
]
let arguments = CommandLine.arguments.dropFirst()
let chosen = trackers.filter { arguments.contains($0.name) }
for path in arguments where !trackers.contains(where: { $0.name == path }) {
  guard let sequence = Sequence(path: path) else {
    print("\(path): no detections in the format of MOTChallenge")
    exit(1)
  }
  print("\(path): \(sequence.detectionsPerFrame) detections a frame")
  for (name, options) in chosen.isEmpty ? trackers : chosen {
    print("  \(name): \(Int(try sequence.speed(options))) frames a second")
  }
}
