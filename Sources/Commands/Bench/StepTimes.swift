import OcellusEngine
import OcellusPlatform

/// Times every step in many runs.
///
/// A step that calls a subgraph is charged only with what the steps in there leave, and no step with the
/// time that watching takes.
final class StepTimes: RunObserver {
  /// A node of the file and what it took, whether it does its work itself or not.
  fileprivate struct Entry {
    let subgraph: Int
    let node: Int
    let operatorName: String
    let execution: PlanDescription.Execution
    let shape: String
    let multiplyAdds: Int
    /// Nanoseconds, for each time that it ran.
    var samples: [Int] = []
  }

  /// A step in progress.
  private struct Frame {
    /// When watching it began, and when its own work did.
    let arrival: Int
    let start: Int
    /// What went to steps inside it, and to watching these.
    var inner = 0
  }

  private struct Key: Hashable {
    let subgraph: Int
    let node: Int
  }

  private let runs: Int
  private let nanoseconds: () -> Int
  private var entries: [Entry] = []
  private var positions: [Key: Int] = [:]
  private var open: [Frame] = []

  /// For so many runs of the model, by a clock.
  init(runs: Int, nanoseconds: @escaping () -> Int = { MonotonicTime.now.nanoseconds }) {
    self.runs = runs
    self.nanoseconds = nanoseconds
  }

  func willRun(_ node: ObservedNode) {
    let arrival = nanoseconds()
    open.append(Frame(arrival: arrival, start: nanoseconds()))
  }

  func didRun(_ node: ObservedNode) {
    let end = nanoseconds()
    let frame = open.removeLast()
    add(end - frame.start - frame.inner, to: node)
    if !open.isEmpty { open[open.count - 1].inner += nanoseconds() - frame.arrival }
  }

  private func add(_ sample: Int, to node: ObservedNode) {
    // What was computed while planning takes no time in a run.
    if case .folded = node.execution { return }
    let key = Key(subgraph: node.subgraph, node: node.index)
    let position = positions[key] ?? entries.count
    if position == entries.count {
      positions[key] = position
      entries.append(
        Entry(
          subgraph: node.subgraph, node: node.index, operatorName: node.operatorName,
          execution: node.execution, shape: node.outputShapes.map(\.description).first ?? "",
          multiplyAdds: node.multiplyAdds))
    }
    entries[position].samples.append(sample)
  }
}

/// What is reported of a step: its own node, and those whose work it does.
struct StepRow {
  let subgraph: Int
  let node: Int
  /// The other nodes, in the order of the file.
  let fusedNodes: [Int]
  /// The names of all in the order of the file: `CONV_2D + RELU`.
  let operatorName: String
  let kernelName: String
  /// The shape of the last one's first result.
  let shape: String
  let multiplyAdds: Int
  /// What it takes in one run of the model; in a loop it runs several times.
  let milliseconds: Double
}

extension StepTimes {
  /// A row for each step that does something or stands for itself, the slowest first.
  var rows: [StepRow] {
    Dictionary(grouping: entries) { key(ofPerformerOf: $0) }.map { performer, entries in
      row(performer, entries.sorted { $0.node < $1.node })
    }.sorted { ($1.milliseconds, $0.subgraph, $0.node) < ($0.milliseconds, $1.subgraph, $1.node) }
  }

  private func row(_ performer: Key, _ entries: [Entry]) -> StepRow {
    let kernelName = positions[performer].map { self.entries[$0].execution.kernelName }
    return StepRow(
      subgraph: performer.subgraph, node: performer.node,
      fusedNodes: entries.map(\.node).filter { $0 != performer.node },
      operatorName: entries.map(\.operatorName).joined(separator: " + "),
      kernelName: (kernelName ?? nil) ?? "reference", shape: entries.last?.shape ?? "",
      multiplyAdds: entries.reduce(0) { $0 + $1.multiplyAdds },
      milliseconds: entries.reduce(0) { $0 + milliseconds($1) })
  }

  /// The step that does a node's work, over any number of others that hand it on.
  private func key(ofPerformerOf entry: Entry) -> Key {
    var (key, execution) = (Key(subgraph: entry.subgraph, node: entry.node), entry.execution)
    // Nodes hand their work on in one direction; were it a circle, it would end here.
    for _ in 0..<entries.count {
      let next: Int
      switch execution {
      case .fused(let node), .chained(let node): next = node
      default: return key
      }
      let candidate = Key(subgraph: key.subgraph, node: next)
      guard candidate != key, let position = positions[candidate] else { return key }
      (key, execution) = (candidate, entries[position].execution)
    }
    return key
  }

  /// What counts is the median, which interruptions hardly move.
  private func milliseconds(_ entry: Entry) -> Double {
    let median = TimeStatistics(entry.samples.map { Double($0) / 1e6 }).median
    return median * Double(entry.samples.count) / Double(runs)
  }
}
