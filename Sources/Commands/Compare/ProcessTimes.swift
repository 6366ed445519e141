import OcellusJSON
import OcellusPlatform

/// The times that a process reported with `profile --json` or `bench --json`.
struct ProcessTimes {
  /// The measured subject: the model's file name and the number of threads.
  struct Subject: Hashable {
    let model: String
    let threads: Int
  }

  let subject: Subject
  /// The median time of a run in milliseconds.
  let median: Double
  /// The times of the steps, if the process reports them.
  let steps: [StepName: Double]?

  /// Reads a report; returns `nil` if it lacks threads or times.
  init?(_ report: JSONObject) {
    guard let model = report["model"]?.string, let threads = report["threads"]?.integer,
      let times = (report["invoke_ms"] ?? report["run_ms"])?.object,
      let median = times["median"]?.number, median > 0
    else { return nil }
    subject = Subject(model: model.lastPathComponent, threads: threads)
    self.median = median
    steps = report["steps"]?.array.map { steps in
      Dictionary(
        steps.compactMap(StepName.read).map { ($0.name, $0.milliseconds) },
        uniquingKeysWith: { first, _ in first })
    }
  }
}
