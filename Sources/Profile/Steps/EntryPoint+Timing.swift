package import OcellusEngine
import OcellusPlatform

extension EntryPoint {
  /// Runs the model, or the subgraph of a signature, some times and returns the total duration.
  package func nanoseconds(ofRuns count: Int) throws(ModelError) -> Int {
    let start = MonotonicTime.now.nanoseconds
    for _ in 0..<count { try run() }
    return MonotonicTime.now.nanoseconds - start
  }
}
