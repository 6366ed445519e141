import OcellusJSON
import OcellusPlatform

/// `ocellus bench` of several models and thread counts.
///
/// Each combination runs in a process of its own, so none finds memory or caches left by another.
struct BenchSweep {
  private static let maximumBytes = 1 << 28

  let models: [String]
  let threadCounts: [Int]
  /// The other options, as words.
  let words: [String]

  /// Runs all combinations; a failure is reported and does not stop the others.
  func run(isJSON: Bool, in context: CommandContext) throws -> ExitCode {
    var table = TextTable([
      .left("model"), .right("threads"), .right("load ms"), .right("first ms"), .right("min"),
      .right("mean"), .right("median"), .right("p90"), .right("p99"), .right("peak memory"),
    ])
    let progress = ProgressLine(in: context)
    var failures = 0
    for model in models {
      for threads in threadCounts {
        let title = try ModelSpecifier(model).title()
        progress.show("\(title), \(threads) threads")
        do {
          let report = try report(model, threads)
          if isJSON {
            try context.printRecord(report)
          } else {
            table.add([title, "\(threads)"] + Self.cells(report))
          }
        } catch let error as RunError {
          progress.clear()
          context.complain("\(title): \(error)")
          failures += 1
        }
      }
    }
    progress.clear()
    if !isJSON { try context.write(table.text()) }
    return .finished(failures: failures, of: models.count * threadCounts.count)
  }

  private func report(_ model: String, _ threads: Int) throws -> JSONObject {
    let words = ["bench", model, "--json", "--threads=\(threads)"] + words
    return try ChildProcess.report(of: ChildProcess.thisProgram, words, limit: Self.maximumBytes)
  }

  private static func cells(_ report: JSONObject) -> [String] {
    func milliseconds(_ value: JSONValue?) -> String { value?.number?.fixed(3) ?? "" }
    let times = report["invoke_ms"]?.object
    return [milliseconds(report["load_ms"]), milliseconds(report["first_invoke_ms"])]
      + ["min", "mean", "median", "p90", "p99"].map { milliseconds(times?[$0]) }
      + [((report["peak_rss_kb"]?.integer ?? 0) << 10).byteText]
  }
}
