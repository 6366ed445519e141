import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusProfile

/// The results of `profile`, as tables, JSON and CSV.
struct ProfileReport {
  let way: ModelSpecifier
  let model: Model
  let signature: String?
  let backend: Interpreter.Backend
  let loadMilliseconds: Double
  /// The time for shapes, memory offsets and packed weights.
  let planningMilliseconds: Double
  let profile: Profile
  let grouping: StepTables.Grouping
  let shownSteps: Int

  // MARK: For a person

  var text: String {
    let tables = StepTables(profile.steps, limits: profile.comparableLimits)
    return """
      \(way.title())\(signature.map { ", signature \($0)" } ?? ""), \(threadText), \
      kernels: \(profile.instructionSet)
      \(times)
      \(tables.groups(by: grouping))
      The slowest steps:
      \(tables.slowest(shownSteps))
      \(profile.limits?.text ?? "")\(counters)
      """
  }

  /// What makes the times, or the limits that they are compared with, less certain.
  var warnings: [String] {
    let limits =
      profile.limits?.isDisturbed == true
      ? "steps are not compared with the limits of the machine, because other work interrupted "
        + "their measurement; repeat this when the machine is idle" : nil
    return [profile.noise.warning, limits].compactMap { $0 }
  }

  private var threadText: String {
    profile.threads == 1 ? "one thread" : "\(profile.threads) threads"
  }

  private var times: String {
    var table = TextTable([.left(""), .right("ms"), .left("")])
    table.add(["load", loadMilliseconds.fixed(3), ""])
    table.add([
      "plan", planningMilliseconds.fixed(3), "packed \(profile.packedByteCount.byteText)",
    ])
    table.add(["first run", profile.firstMilliseconds.fixed(3), ""])
    table.add([
      "median of \(profile.bare.count)", profile.bare.median.fixed(3),
      "half within \(profile.bare.lowerQuartile.fixed(3)) to \(profile.bare.upperQuartile.fixed(3))",
    ])
    table.add([
      "steps", profile.stepMilliseconds.fixed(3),
      "\((100 * profile.accountedShare).fixed(1)) % of the runs in which they were timed; "
        + "timing cost \((100 * profile.overhead).fixed(1)) %",
    ])
    return table.text()
  }

  private var counters: String {
    let steps = profile.steps
    let sums = profile.counters.counted.map { counter in
      let sum = steps.reduce(0) { $0 + ($1.counts[counter] ?? 0) }
      return "\(Int(sum.rounded()).grouped) \(counter.words)"
    }
    let counted = sums.isEmpty ? "" : "a run: \(sums.joined(separator: ", "))\n"
    return counted + (profile.counters.reason.map { "\($0)\n" } ?? "")
  }

  // MARK: For a program

  var json: JSONValue {
    var members = JSONObject(model: way.path, model.file.bytes)
    members.append([
      "way": .strings(way.words), "signature": .string(orNull: signature),
      "backend": .string(backend.rawValue),
      "load_ms": .number(loadMilliseconds), "planning_ms": .number(planningMilliseconds),
    ])
    return .object(members + profile.json)
  }

  /// The report as JSON, with the data that only the page shows.
  var pageContents: JSONValue {
    guard let members = json.object else { return json }
    return .object(members + profile.pictures)
  }

  /// A row for each step in the order of the file; the columns are named as in `json`.
  var csv: String {
    let figures = [
      "subgraph", "node", "operator", "kernel", "output", "output_name", "multiply_adds", "ms",
      "calls_per_run", "first_ms", "read_bytes", "written_bytes", "intensity", "gmac_per_s",
      "gb_per_s", "bound", "bound_ms", "of_limit", "is_noise", "busy",
    ]
    let spread = ["min", "p25", "p75", "p90", "max"]
    let counters = profile.counters.counted.map(\.rawValue)
    let rows = profile.steps.map { step in
      let object = step.json(profile.limits, isComparable: profile.comparableLimits != nil)
      return CSVRow(
        figures.map { Self.cell(object[$0]) }
          + spread.map { Self.cell(object["time"]?.object?[$0]) }
          + counters.map { Self.cell(object["counts"]?.object?[$0]) }, forSpreadsheets: true)
    }
    let titles = CSVRow(figures + spread.map { "ms_\($0)" } + counters)
    return ([titles] + rows).map { "\($0)\n" }.joined()
  }

  private static func cell(_ value: JSONValue?) -> String {
    guard let value, value != .null else { return "" }
    return value.string ?? value.text
  }
}

extension ProcessorCounter {
  /// The counter's name as words.
  fileprivate var words: String { String(rawValue.map { $0 == "_" ? " " : $0 }) }
}
