import OcellusJSON
import OcellusPlatform

/// A process of this program, or of another build of it, that profiles a model.
struct ProfilingProcess {
  /// What an object of JSON about the largest of models comes to.
  private static let mostBytes = 1 << 28

  let program: String
  /// The model and the options, as `profile` takes them.
  let arguments: [String]

  /// The one that is running.
  static var thisProgram: String { ChildProcess.thisProgram }

  init(program: String = thisProgram, _ arguments: [String]) {
    self.program = program
    self.arguments = arguments
  }

  /// Runs it, and gives the object that it prints.
  func report(runs: Int) throws -> JSONObject {
    let words = ["profile"] + arguments + ["--no-limits", "--json", "--runs=\(runs)"]
    return try ChildProcess.report(of: program, words, limit: Self.mostBytes)
  }

  /// The times in that.
  func times(runs: Int) throws -> ProcessTimes {
    guard let times = ProcessTimes(try report(runs: runs)) else {
      throw RunError("\(program): it tells of no threads or times")
    }
    return times
  }
}

extension ChildProcess {
  /// Runs a build of this program, and gives the object that it prints.
  static func report(of program: String, _ words: [String], limit: Int) throws -> JSONObject {
    let process = try ChildProcess(program, words, input: [])
    let output = try process.wholeOutput(limit: limit)
    let end = process.end()
    guard end.code == 0 else {
      // Its name will stand in front of this one's complaint.
      let complaint = end.complaints.split(separator: "\n").first?.trimmingPrefix("ocellus: ")
      throw RunError(complaint.map(String.init) ?? "\(program) ended with \(end.code)")
    }
    guard let report = try? JSONParser.parse(output).object else {
      throw RunError("\(program): what it prints is no JSON")
    }
    return report
  }
}
