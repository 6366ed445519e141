package import OcellusJSON
package import OcellusProfile

/// The times of the main subgraph's nodes, each run by itself, as `profile` takes times.
package struct NodeTimes {
  /// What disturbed the runs, and whether the times mean anything.
  package let noise: Noise
  /// The median duration of the runs that count, in milliseconds.
  private let runMilliseconds: Double
  private let milliseconds: [Int: Double]

  /// Makes the times of recorded runs; `nil` if there are none.
  package init?(_ profiler: Profiler) {
    guard let noise = profiler.noise, let sample = profiler.sample else { return nil }
    self.noise = noise
    runMilliseconds = sample.time.median
    // A single noisy node has no time, like all nodes of noisy runs.
    milliseconds = Dictionary(
      profiler.steps.filter { $0.subgraph == 0 && !$0.time.isNoise }
        .map { ($0.node, $0.time.median) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the median time of a node in microseconds; `nil` if it is noise.
  package func microseconds(of node: Int) -> Double? {
    noise.reason == nil ? milliseconds[node].map { 1000 * $0 } : nil
  }

  package var json: JSONValue {
    .object(["run_ms": .number(runMilliseconds)] + (noise.json.object ?? [:]))
  }
}
