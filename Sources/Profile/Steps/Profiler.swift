public import OcellusEngine
import OcellusPlatform

/// Times every step of a model, run by run.
///
/// A step that calls a subgraph is charged only with what the steps in there leave, and no step with the
/// time that watching takes. What it keeps is as large as the plan and the number of runs, however often
/// a loop goes round.
public final class Profiler: RunObserver {
  /// A step in progress.
  private struct Frame {
    /// When watching it began, and when its own work did.
    let arrival: Int
    let start: Int
    /// What went to steps inside it, and to watching these.
    var inner = 0
  }

  /// A node of the file, whether it does its work itself or not.
  struct Entry {
    let facts: NodeFacts
    /// Nanoseconds and calls in each run.
    var nanoseconds: [Int] = []
    var calls: [Int] = []
  }

  private let nanoseconds: () -> Int
  private(set) var entries: [Entry] = []
  /// Nanoseconds of each run as a whole.
  private(set) var runs: [Int] = []
  /// By subgraph and node: which entry it is.
  private var positions: [[Int]] = []
  /// By entry: what the run in progress has come to.
  private var totals: [(nanoseconds: Int, calls: Int)] = []
  private var open: [Frame] = []

  /// What `positions` has for nodes not met yet, and for those that were computed while planning, which
  /// take no time in a run.
  private static let unknown = -1
  private static let nobody = -2

  /// Without runs.
  public convenience init() { self.init { MonotonicTime.now.nanoseconds } }

  /// By a clock of one's own.
  package init(nanoseconds: @escaping () -> Int) { self.nanoseconds = nanoseconds }

  /// Runs a model, or the subgraph of a signature, and adds what its steps take.
  public func record(
    _ interpreter: Interpreter, _ entry: EntryPoint? = nil
  ) throws(ModelError) {
    let entry = entry ?? interpreter.main
    let other = interpreter.observer
    interpreter.observer = self
    defer { interpreter.observer = other }
    open.removeAll(keepingCapacity: true)
    for position in totals.indices { totals[position] = (0, 0) }
    let start = nanoseconds()
    try entry.run()
    runs.append(nanoseconds() - start)
    for (position, total) in totals.enumerated() {
      // A node that this run is the first to meet took no time in those before.
      let missing = runs.count - 1 - entries[position].calls.count
      entries[position].nanoseconds += Array(repeating: 0, count: missing) + [total.nanoseconds]
      entries[position].calls += Array(repeating: 0, count: missing) + [total.calls]
    }
  }

  /// The node is next: its time begins.
  public func willRun(_ node: ObservedNode) {
    let arrival = open.isEmpty ? 0 : nanoseconds()
    open.append(Frame(arrival: arrival, start: nanoseconds()))
  }

  /// The node has run: its time is over.
  public func didRun(_ node: ObservedNode) {
    let end = nanoseconds()
    guard let frame = open.popLast() else { return }
    let position = position(of: node)
    if position >= 0 {
      totals[position].nanoseconds += end - frame.start - frame.inner
      totals[position].calls += 1
    }
    if !open.isEmpty { open[open.count - 1].inner += nanoseconds() - frame.arrival }
  }

  private func position(of node: ObservedNode) -> Int {
    let (subgraph, index) = (node.subgraph, node.index)
    if subgraph < positions.count, index < positions[subgraph].count,
      positions[subgraph][index] != Self.unknown
    {
      return positions[subgraph][index]
    }
    while positions.count <= subgraph { positions.append([]) }
    while positions[subgraph].count <= index { positions[subgraph].append(Self.unknown) }
    positions[subgraph][index] = add(NodeFacts(node))
    return positions[subgraph][index]
  }

  private func add(_ facts: NodeFacts) -> Int {
    if case .folded = facts.execution { return Self.nobody }
    entries.append(Entry(facts: facts))
    totals.append((0, 0))
    return entries.count - 1
  }
}
