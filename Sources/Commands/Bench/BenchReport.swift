import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusProfile

/// The results of `bench`, as a table and as JSON.
struct BenchReport {
  let modelPath: String
  let way: ModelSpecifier
  let modelBytes: ModelBytes
  let signature: String?
  let threads: Int
  let instructionSet: String
  let loadMilliseconds: Double
  let firstMilliseconds: Double
  /// The runs after the first that do not count.
  let warmup: TimeStatistics?
  let milliseconds: TimeStatistics
  /// The peak resident memory in KiB when the model was ready.
  let loadedKibibytes: Int
  let peakResidentKibibytes: Int
  /// The times of the steps, if they were requested.
  var steps: [ProfiledStep]?
  /// What disturbed the runs in which steps were timed.
  var stepNoise: Noise?

  private static let shownSteps = 20

  var text: String {
    var table = TextTable([.left(""), .right("ms")])
    let figures = milliseconds
    let rows = [
      ("load", loadMilliseconds), ("first run", firstMilliseconds),
      ("warm-up, mean of \(warmup?.count ?? 0)", warmup?.mean),
      ("fastest of \(figures.count)", figures.minimum), ("mean", figures.mean),
      ("median", figures.median), ("9 of 10 within", figures.ninetiethPercentile),
      ("19 of 20 within", figures.ninetyFifthPercentile),
      ("99 of 100 within", figures.ninetyNinthPercentile), ("slowest", figures.maximum),
      ("standard deviation", figures.standardDeviation),
    ]
    for case (let name, let milliseconds?) in rows { table.add([name, milliseconds.fixed(3)]) }
    return """
      \(way.title())\(signature.map { ", signature \($0)" } ?? ""), \(ThreadText.words(threads)), \
      kernels: \(instructionSet)
      \(table.text())
      memory: \((loadedKibibytes << 10).byteText) when loaded, \
      \((peakResidentKibibytes << 10).byteText) at the most
      \(stepText)
      """
  }

  private var stepText: String {
    guard let steps else { return "" }
    let tables = StepTables(steps)
    return """

      \(tables.groups(by: .operator))
      The slowest steps:
      \(tables.slowest(Self.shownSteps))
      """
  }

  var json: JSONValue {
    var members = JSONObject(model: modelPath, modelBytes)
    members.append([
      "instruction_set": .string(instructionSet), "way": .strings(way.words),
      "signature": .string(orNull: signature), "threads": .integer(threads),
      "load_ms": .number(loadMilliseconds), "first_invoke_ms": .number(firstMilliseconds),
      "warmup_ms": warmup?.json ?? .null, "invoke_ms": milliseconds.json,
      "runs": .integer(milliseconds.count), "loaded_rss_kb": .integer(loadedKibibytes),
      "peak_rss_kb": .integer(peakResidentKibibytes),
    ])
    if let steps { members.append("steps", .array(steps.map { .object($0.json(nil)) })) }
    if let stepNoise { members.append("steps_noise", stepNoise.json) }
    return .object(members)
  }
}
