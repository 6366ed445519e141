import OcellusJSON
import OcellusPlatform

/// The times of several processes that ran the same model in the same way.
struct BenchSeries: Equatable {
  /// What they ran: the model's file name and the threads.
  struct Subject: Hashable {
    let model: String
    let threads: Int
  }

  let subject: Subject
  /// The median of each process, in milliseconds.
  private(set) var medians: [Double]
  /// What the steps of each process took, of those that tell.
  private(set) var steps: [[StepName: Double]] = []

  /// Collects the reports of `bench --json` and `profile --json` in a file, one on a line, in the order in which models
  /// first appear; lines of other programs (`cpu --json` at the head of a file) are passed over.
  static func read(_ path: String) throws -> [BenchSeries] {
    var series: [BenchSeries] = []
    var positions: [Subject: Int] = [:]
    let lines = try FileOrStream.bytes(path).split(separator: UInt8(ascii: "\n"))
    for (number, line) in lines.enumerated() {
      let value: JSONValue
      do {
        value = try JSONParser.parse(Array(line))
      } catch {
        throw FileLineError(path: FileOrStream.name(path), line: number + 1, problem: "\(error)")
      }
      guard let report = value.object, let model = report["model"]?.string else { continue }
      guard let threads = report["threads"]?.integer,
        let times = (report["invoke_ms"] ?? report["run_ms"])?.object,
        let median = times["median"]?.number, median > 0
      else {
        throw FileLineError(
          path: FileOrStream.name(path), line: number + 1, problem: "no threads or median time")
      }
      let subject = Subject(model: model.lastPathComponent, threads: threads)
      let position = positions[subject] ?? series.count
      if position == series.count {
        positions[subject] = position
        series.append(BenchSeries(subject: subject, medians: []))
      }
      series[position].medians.append(median)
      if let steps = report["steps"]?.array?.compactMap(StepName.read) {
        series[position].steps.append(
          Dictionary(
            steps.map { ($0.name, $0.milliseconds) }, uniquingKeysWith: { first, _ in first }))
      }
    }
    return series
  }
}
