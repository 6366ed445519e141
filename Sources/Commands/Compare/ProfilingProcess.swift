import OcellusJSON
import OcellusPlatform

/// A process of this program, or of another build of it, that profiles a model.
struct ProfilingProcess {
  /// The maximum size of the JSON report, sufficient for the largest models.
  private static let maximumBytes = 1 << 28

  let program: String
  /// The model and the options, as arguments of `profile`.
  let arguments: [String]

  /// The path of the running program.
  static var thisProgram: String { ChildProcess.thisProgram }

  init(program: String = thisProgram, _ arguments: [String]) {
    self.program = program
    self.arguments = arguments
  }

  /// Runs the process and returns the JSON object that it prints.
  func report(runs: Int) throws -> JSONObject {
    let words = ["profile"] + arguments + ["--no-limits", "--json", "--runs=\(runs)"]
    return try ChildProcess.report(of: program, words, limit: Self.maximumBytes)
  }

  /// Runs the process and returns the times that it reports.
  func times(runs: Int) throws -> ProcessTimes {
    guard let times = ProcessTimes(try report(runs: runs)) else {
      throw RunError("\(program) reports no threads or times")
    }
    return times
  }
}

extension ChildProcess {
  /// Runs a build of this program and returns the JSON object that it prints.
  static func report(of program: String, _ words: [String], limit: Int) throws -> JSONObject {
    let process = try ChildProcess(program, words, input: [])
    let output = try process.wholeOutput(limit: limit)
    let end = process.end()
    guard end.code == 0 else {
      // This program will print its own name before the error message.
      let complaint = end.complaints.split(separator: "\n").first?.trimmingPrefix("ocellus: ")
      throw RunError(complaint.map(String.init) ?? "\(program) ended with \(end.code)")
    }
    guard let report = try? JSONParser.parse(output).object else {
      throw RunError("\(program) does not print JSON")
    }
    return report
  }
}
