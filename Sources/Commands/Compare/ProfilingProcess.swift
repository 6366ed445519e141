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
    let process = try ChildProcess(program, words, input: [])
    let output = try process.wholeOutput(limit: Self.mostBytes)
    let end = process.end()
    guard end.code == 0 else {
      let complaint = end.complaints.split(separator: "\n").first.map(String.init)
      throw RunError(complaint ?? "\(program) ended with \(end.code)")
    }
    guard let report = try? JSONParser.parse(output).object else {
      throw RunError("\(program): what it prints is no JSON")
    }
    return report
  }

  /// The times in that.
  func times(runs: Int) throws -> ProcessTimes {
    guard let times = ProcessTimes(try report(runs: runs)) else {
      throw RunError("\(program): it tells of no threads or times")
    }
    return times
  }
}
