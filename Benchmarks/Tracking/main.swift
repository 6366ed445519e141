import Foundation
import OcellusVision

// Measures the speed of the tracker alone, and its accuracy on scenes that it was not tuned for:
//
//   tracking-bench [TRACKER] DETECTIONS.txt...
//   tracking-bench --leave-out DATA FAMILY...
//   tracking-bench --drawn [DATA FAMILY...]
//
// Each file, in MOTChallenge's text format, is tracked repeatedly for a second with each tracker,
// or with the named one. DATA has a folder for each sequence, and lists the families in
// `groups.json`. `--drawn` tracks simulated scenes, and variants of the sequences.

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--leave-out", arguments.count > 3 {
  var study = try LeaveOneOut(folder: arguments[1], names: Array(arguments.dropFirst(2)))
  try study.report()
  exit(0)
}
if arguments.first == "--drawn" {
  try DrawnAnew.reportScenes()
  if arguments.count > 2 {
    try DrawnAnew.report(
      Sequence.families(Array(arguments.dropFirst(2)), in: arguments[1]))
  }
  exit(0)
}
let trackers: [(name: String, options: TrackerOptions)] = [
  ("default", .default), ("sort", .sort), ("bytetrack", .byteTrack), ("ocsort", .ocSort),
]
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
