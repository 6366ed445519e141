import OcellusJSON
import OcellusPlatform

/// The times of several processes that ran the same model in the same way.
struct BenchSeries {
  let subject: ProcessTimes.Subject
  private(set) var processes: [ProcessTimes]

  /// The median of each process, in milliseconds.
  var medians: [Double] { processes.map(\.median) }
  /// What the steps of each process took, of those that tell.
  var steps: [[StepName: Double]] { processes.compactMap(\.steps) }

  /// The times of processes that all ran the same.
  init(_ processes: [ProcessTimes], of subject: ProcessTimes.Subject) {
    self.subject = subject
    self.processes = processes
  }

  /// Collects the reports of `bench --json` and `profile --json` in a file, one on a line, in the order in which models
  /// first appear; lines of other programs (`cpu --json` at the head of a file) are passed over.
  static func read(_ path: String) throws -> [BenchSeries] {
    var series: [BenchSeries] = []
    var positions: [ProcessTimes.Subject: Int] = [:]
    let lines = try FileOrStream.bytes(path).split(separator: UInt8(ascii: "\n"))
    for (number, line) in lines.enumerated() {
      let value: JSONValue
      do {
        value = try JSONParser.parse(Array(line))
      } catch {
        throw FileLineError(path: FileOrStream.name(path), line: number + 1, problem: "\(error)")
      }
      guard let report = value.object, report["model"]?.string != nil else { continue }
      guard let times = ProcessTimes(report) else {
        throw FileLineError(
          path: FileOrStream.name(path), line: number + 1, problem: "no threads or median time")
      }
      if let position = positions[times.subject] {
        series[position].processes.append(times)
      } else {
        positions[times.subject] = series.count
        series.append(BenchSeries([times], of: times.subject))
      }
    }
    return series
  }
}
