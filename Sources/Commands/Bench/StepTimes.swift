import OcellusEngine

/// Adds up the time of every step over many runs.
///
/// A step that calls a subgraph is charged only with what the steps in there leave.
final class StepTimes: RunObserver {
  /// One step of the plan and what it took, in all runs together.
  struct Entry {
    let subgraph: Int
    let node: Int
    let operatorName: String
    let kernelName: String?
    let shape: String
    let multiplyAdds: Int
    var runs = 0
    var nanoseconds = 0
  }

  private struct Key: Hashable {
    let subgraph: Int
    let node: Int
  }

  private var entriesByNode: [Key: Entry] = [:]
  /// When the steps in progress began, outermost first, and what steps inside them took.
  private var open: [(start: MonotonicTime, inner: Int)] = []

  func willRun(_ step: ObservedStep) {
    open.append((.now, 0))
  }

  func didRun(_ step: ObservedStep) {
    let (start, inner) = open.removeLast()
    let elapsed = MonotonicTime.now.nanoseconds - start.nanoseconds
    if !open.isEmpty { open[open.count - 1].inner += elapsed }
    let node = step.node
    let key = Key(subgraph: node.subgraph, node: node.index)
    var entry =
      entriesByNode[key]
      ?? Entry(
        subgraph: node.subgraph, node: node.index, operatorName: node.operatorName,
        kernelName: step.kernelName, shape: step.outputShapes.map(\.description).first ?? "",
        multiplyAdds: step.multiplyAdds)
    entry.runs += 1
    entry.nanoseconds += elapsed - inner
    entriesByNode[key] = entry
  }

  /// The slowest first.
  var entries: [Entry] {
    entriesByNode.values.sorted {
      ($1.nanoseconds, $0.subgraph, $0.node) < ($0.nanoseconds, $1.subgraph, $1.node)
    }
  }
}

extension StepTimes {
  /// The time of each operator and of the slowest steps, for a person.
  func text(runs: Int) -> String {
    let total = entries.reduce(0) { $0 + $1.nanoseconds }
    func cells(_ nanoseconds: Int) -> [String] {
      [
        (Double(nanoseconds) / Double(runs) / 1e6).fixed(3),
        (100 * Double(nanoseconds) / Double(max(total, 1))).fixed(1),
      ]
    }
    var operators = TextTable([
      .right("ms"), .right("%"), .right("steps"), .left("operator"), .left("kernel"),
    ])
    let groups = Dictionary(grouping: entries) { [$0.operatorName, $0.kernelName ?? "reference"] }
    for (names, steps) in groups.map({ ($0, $1, $1.reduce(0) { $0 + $1.nanoseconds }) })
      .sorted(by: { ($1.2, $0.0[0], $0.0[1]) < ($0.2, $1.0[0], $1.0[1]) })
      .map({ ($0.0, $0.1) })
    {
      operators.add(cells(steps.reduce(0) { $0 + $1.nanoseconds }) + ["\(steps.count)"] + names)
    }
    var slowest = TextTable([
      .right("ms"), .right("%"), .right("node"), .left("operator"), .left("output"),
      .right("GMAC/s"),
    ])
    for entry in entries.prefix(Self.shownSteps) {
      let rate =
        Double(entry.multiplyAdds) * Double(entry.runs) / Double(max(entry.nanoseconds, 1))
      slowest.add(
        cells(entry.nanoseconds) + [
          entry.subgraph == 0 ? "\(entry.node)" : "\(entry.subgraph):\(entry.node)",
          entry.operatorName, entry.shape, entry.multiplyAdds > 0 ? rate.fixed(1) : "",
        ])
    }
    return "\(operators.text())\nThe slowest steps:\n\(slowest.text())"
  }

  private static let shownSteps = 20

  /// Every step in the order of the file, for a program.
  func json(runs: Int) -> JSONValue {
    .array(
      entries.sorted { ($0.subgraph, $0.node) < ($1.subgraph, $1.node) }.map { entry in
        [
          "subgraph": .integer(entry.subgraph), "node": .integer(entry.node),
          "operator": .string(entry.operatorName),
          "kernel": .string(entry.kernelName ?? "reference"), "output": .string(entry.shape),
          "multiply_adds": .integer(entry.multiplyAdds),
          "ms": .number(Double(entry.nanoseconds) / Double(runs) / 1e6),
        ]
      })
  }
}
