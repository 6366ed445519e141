import OcellusEngine
import OcellusJSON
import OcellusPlatform

/// Times every step in many runs; what counts is the median, which interruptions hardly move.
///
/// A step that calls a subgraph is charged only with what the steps in there leave.
final class StepTimes: RunObserver {
  /// One step of the plan and what it took.
  struct Entry {
    let subgraph: Int
    let node: Int
    let operatorName: String
    let kernelName: String?
    let shape: String
    let multiplyAdds: Int
    /// For each time that it ran.
    fileprivate var samples: [Double] = []
  }

  private let runs: Int

  /// For so many runs of the model.
  init(runs: Int) {
    self.runs = runs
  }

  private struct Key: Hashable {
    let subgraph: Int
    let node: Int
  }

  private var entriesByNode: [Key: Entry] = [:]
  /// When the steps in progress began, outermost first, and what steps inside them took.
  private var open: [(start: MonotonicTime, inner: Int)] = []

  func willRun(_ node: ObservedNode) {
    open.append((.now, 0))
  }

  func didRun(_ node: ObservedNode) {
    let (start, inner) = open.removeLast()
    let elapsed = MonotonicTime.now.nanoseconds - start.nanoseconds
    if !open.isEmpty { open[open.count - 1].inner += elapsed }
    // What was computed while planning takes no time in a run.
    if node.execution == .folded { return }
    let key = Key(subgraph: node.subgraph, node: node.index)
    var entry =
      entriesByNode[key]
      ?? Entry(
        subgraph: node.subgraph, node: node.index, operatorName: node.operatorName,
        kernelName: node.execution.kernelName,
        shape: node.outputShapes.map(\.description).first ?? "",
        multiplyAdds: node.multiplyAdds)
    entry.samples.append(Double(elapsed - inner) / 1e6)
    entriesByNode[key] = entry
  }

  /// The slowest first.
  var entries: [Entry] {
    entriesByNode.values.sorted {
      (milliseconds($1), $0.subgraph, $0.node) < (milliseconds($0), $1.subgraph, $1.node)
    }
  }

  /// What a step takes in one run of the model; in a loop it runs several times.
  private func milliseconds(_ entry: Entry) -> Double {
    TimeStatistics(entry.samples).median * Double(entry.samples.count) / Double(runs)
  }
}

extension StepTimes {
  /// The time of each operator and of the slowest steps, for a person.
  var text: String {
    let entries = entries
    let total = entries.reduce(0) { $0 + milliseconds($1) }
    func cells(_ milliseconds: Double) -> [String] {
      [milliseconds.fixed(4), (100 * milliseconds / max(total, .leastNonzeroMagnitude)).fixed(1)]
    }
    var operators = TextTable([
      .right("ms"), .right("%"), .right("steps"), .left("operator"), .left("kernel"),
    ])
    for group in groups(entries) {
      operators.add(
        cells(group.milliseconds) + ["\(group.steps)", group.operatorName, group.kernelName])
    }
    var slowest = TextTable([
      .right("ms"), .right("%"), .right("node"), .left("operator"), .left("output"),
      .right("GMAC/s"),
    ])
    for entry in entries.prefix(Self.shownSteps) {
      let rate = Double(entry.multiplyAdds) / max(milliseconds(entry), 1e-9) / 1e6
      slowest.add(
        cells(milliseconds(entry)) + [
          entry.subgraph == 0 ? "\(entry.node)" : "\(entry.subgraph):\(entry.node)",
          entry.operatorName, entry.shape, entry.multiplyAdds > 0 ? rate.fixed(1) : "",
        ])
    }
    return "\(operators.text())\nThe slowest steps:\n\(slowest.text())"
  }

  private static let shownSteps = 20

  /// The steps of one operator on one kernel.
  private struct Group {
    let operatorName: String
    let kernelName: String
    var steps = 0
    var milliseconds = 0.0

    mutating func add(_ milliseconds: Double) {
      steps += 1
      self.milliseconds += milliseconds
    }
  }

  /// The slowest first.
  private func groups(_ entries: [Entry]) -> [Group] {
    var groups: [[String]: Group] = [:]
    for entry in entries {
      let kernelName = entry.kernelName ?? "reference"
      groups[
        [entry.operatorName, kernelName],
        default: Group(operatorName: entry.operatorName, kernelName: kernelName)
      ].add(milliseconds(entry))
    }
    return groups.values.sorted {
      ($1.milliseconds, $0.operatorName, $0.kernelName)
        < ($0.milliseconds, $1.operatorName, $1.kernelName)
    }
  }

  /// Every step in the order of the file, for a program.
  var json: JSONValue {
    .array(
      entries.sorted { ($0.subgraph, $0.node) < ($1.subgraph, $1.node) }.map { entry in
        [
          "subgraph": .integer(entry.subgraph), "node": .integer(entry.node),
          "operator": .string(entry.operatorName),
          "kernel": .string(entry.kernelName ?? "reference"), "output": .string(entry.shape),
          "multiply_adds": .integer(entry.multiplyAdds), "ms": .number(milliseconds(entry)),
        ]
      })
  }
}
