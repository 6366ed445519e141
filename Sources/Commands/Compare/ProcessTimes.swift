import OcellusJSON
import OcellusPlatform

/// What a process that ran a model says of it, by `profile --json` or `bench --json`.
struct ProcessTimes {
  /// What was run: the model's file name and the threads.
  struct Subject: Hashable {
    let model: String
    let threads: Int
  }

  let subject: Subject
  /// Milliseconds of a run.
  let median: Double
  /// What the steps took, where the process tells.
  let steps: [StepName: Double]?

  /// Reads a report; `nil` where it says nothing of threads or times.
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
