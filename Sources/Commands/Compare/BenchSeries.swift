import OcellusJSON
import OcellusPlatform

/// The times of several processes that ran the same model with the same options.
struct BenchSeries {
  let subject: ProcessTimes.Subject
  private(set) var processes: [ProcessTimes]

  /// The median of each process in milliseconds.
  var medians: [Double] { processes.map(\.median) }
  /// The step times of the processes that report them.
  var steps: [[StepName: Double]] { processes.compactMap(\.steps) }

  /// Makes a series of processes that ran the same subject.
  init(_ processes: [ProcessTimes], of subject: ProcessTimes.Subject) {
    self.subject = subject
    self.processes = processes
  }

  /// Reads reports of `bench --json` and `profile --json` from a file with one object per line.
  ///
  /// The series are in the order in which their subjects first appear. Lines of other commands,
  /// such as `cpu --json`, are skipped.
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
