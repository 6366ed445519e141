import OcellusJSON
import OcellusPlatform

/// `ocellus profile` in several processes, which vary more than the runs of one process.
struct ProfileSeries {
  let subject: ProcessTimes.Subject
  let runs: Int
  let process: ProfilingProcess
  /// The number of processes; `nil` for as many as the baseline has.
  let processCount: Int?
  /// The path of a file of results to compare with.
  let baseline: String?

  func run(isJSON: Bool, in context: CommandContext) throws -> ExitCode {
    guard let baseline else {
      try measure(processCount ?? 1, in: context) { report in
        try context.printRecord(report)
      }
      return .success
    }
    guard let old = try BenchSeries.read(baseline).first(where: { $0.subject == subject }) else {
      throw RunError(
        "\(baseline) has no results for \(subject.model) with \(ThreadText.words(subject.threads))")
    }
    var times: [ProcessTimes] = []
    try measure(processCount ?? old.processes.count, in: context) { report in
      if let process = ProcessTimes(report) { times.append(process) }
    }
    let report = CompareReport(old: [old], new: [BenchSeries(times, of: subject)])
    if isJSON {
      try context.print(.object(["baseline": .string(baseline)] + report.json))
    } else {
      try context.write(report.text)
    }
    return .success
  }

  private func measure(
    _ count: Int, in context: CommandContext, _ receive: (JSONObject) throws -> Void
  ) throws {
    let progress = ProgressLine(in: context)
    defer { progress.clear() }
    for index in 0..<count {
      progress.show("process \(index + 1) of \(count)")
      try receive(try process.report(runs: runs))
    }
  }
}
