import OcellusJSON
import OcellusPlatform
import OcellusProfile

/// `ocellus bench compare`: alternates two models, two settings or numbers of threads of one model,
/// or two builds of the program.
struct BenchComparison {
  /// One side of the comparison.
  struct Side {
    let title: String
    let threads: Int
    let process: ProfilingProcess
  }

  let old: Side
  let new: Side
  let rounds: Int
  /// The number of runs of each process; `nil` to determine a sufficient number.
  let runs: Int?

  /// The approximate duration of a process's measurement, from which the number of runs follows.
  private static let millisecondsPerProcess = 100.0
  private static let usualRuns = 5...200

  /// Measures both sides in each round; the order alternates from round to round.
  func measure(progress: (_ round: Int) -> Void) throws -> (rounds: PairedRounds, runs: Int) {
    let runs = try self.runs ?? sufficientRuns()
    var (olds, news): ([ProcessTimes], [ProcessTimes]) = ([], [])
    for round in 0..<rounds {
      progress(round)
      if round.isMultiple(of: 2) { olds.append(try old.process.times(runs: runs)) }
      news.append(try new.process.times(runs: runs))
      if !round.isMultiple(of: 2) { olds.append(try old.process.times(runs: runs)) }
    }
    return (PairedRounds(old: olds, new: news), runs)
  }

  private func sufficientRuns() throws -> Int {
    let slower = try max(old.process.times(runs: 3).median, new.process.times(runs: 3).median)
    let count = (Self.millisecondsPerProcess / slower).rounded(.up)
    return Int(
      min(max(count, Double(Self.usualRuns.lowerBound)), Double(Self.usualRuns.upperBound)))
  }
}

/// The results of `bench compare`, as a table and as JSON.
struct BenchComparisonReport {
  let old: BenchComparison.Side
  let new: BenchComparison.Side
  let runs: Int
  let rounds: PairedRounds

  /// The number of threads of both sides; `nil` if it is what is compared.
  private var commonThreads: Int? { old.threads == new.threads ? old.threads : nil }

  var text: String {
    var table = TextTable([.left(""), .right("ms"), .left("half within"), .left("")])
    for (name, side, times) in [("A", old, rounds.old), ("B", new, rounds.new)] {
      let figures = TimeStatistics(times.map(\.median))
      let threads = commonThreads == nil ? ", \(ThreadText.words(side.threads))" : ""
      table.add([
        name, figures.median.fixed(3),
        "\(figures.lowerQuartile.fixed(3)) to \(figures.upperQuartile.fixed(3))",
        side.title + threads,
      ])
    }
    let threads = commonThreads.map { ", \(ThreadText.words($0))" } ?? ""
    return """
      \(rounds.old.count) rounds of \(runs) runs in processes of their own\(threads)
      \(table.text())
      A / B      \(rounds.speed.text)  \(verdict)
      by itself  \(rounds.control.text)  \(controlVerdict)
      \(rounds.steps?.text(title: "\n") ?? stepsAreOthers)
      """
  }

  private var verdict: String {
    guard rounds.speed.isCertain else { return "no difference beyond chance" }
    return rounds.speed.ratio > 1 ? "B is faster" : "B is slower"
  }

  private var controlVerdict: String {
    rounds.control.isCertain
      ? "each side differs from itself, from round to round: measure when the machine is quiet"
      : "each side against itself, from round to round: the noise of the machine"
  }

  private var stepsAreOthers: String {
    "\nthe two sides have different steps, so steps are not compared\n"
  }

  var json: JSONValue {
    let members: JSONObject = [
      "old": Self.json(old, rounds.old), "new": Self.json(new, rounds.new),
      "threads": .integer(orNull: commonThreads), "runs": .integer(runs),
      "rounds": .integer(rounds.old.count),
      "speed": rounds.speed.json, "is_certain": .bool(rounds.speed.isCertain),
      "control": rounds.control.json, "control_is_certain": .bool(rounds.control.isCertain),
    ]
    return .object(members + StepChanges.json(rounds.steps))
  }

  private static func json(_ side: BenchComparison.Side, _ times: [ProcessTimes]) -> JSONValue {
    [
      "title": .string(side.title), "threads": .integer(side.threads),
      "ms": TimeStatistics(times.map(\.median)).json,
      "rounds_ms": .array(times.map { .number($0.median) }),
    ]
  }
}
