import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusProfile

/// What `bench` measured, as a table and as JSON.
struct BenchReport {
  let modelPath: String
  let modelBytes: ModelBytes
  let threads: Int
  let loadMilliseconds: Double
  let firstMilliseconds: Double
  let milliseconds: TimeStatistics
  let peakResidentKibibytes: Int
  /// What each step took, where that was asked for.
  var steps: [ProfiledStep]?

  private static let shownSteps = 20

  var text: String {
    var table = TextTable([.left(""), .right("ms")])
    table.add(["load", loadMilliseconds.fixed(3)])
    table.add(["first run", firstMilliseconds.fixed(3)])
    table.add(["median of \(milliseconds.count)", milliseconds.median.fixed(3)])
    table.add(["fastest", milliseconds.minimum.fixed(3)])
    table.add(["9 of 10 within", milliseconds.ninetiethPercentile.fixed(3)])
    table.add(["slowest", milliseconds.maximum.fixed(3)])
    let threadText = threads == 1 ? "one thread" : "\(threads) threads"
    return """
      \(modelPath.lastPathComponent), \(threadText)
      \(table.text())
      peak memory: \((peakResidentKibibytes << 10).byteText)
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
      "threads": .integer(threads),
      "load_ms": .number(loadMilliseconds), "first_invoke_ms": .number(firstMilliseconds),
      "invoke_ms": milliseconds.json, "runs": .integer(milliseconds.count),
      "peak_rss_kb": .integer(peakResidentKibibytes),
    ])
    if let steps { members.append("steps", .array(steps.map { .object($0.json(nil)) })) }
    return .object(members)
  }
}
