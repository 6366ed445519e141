import OcellusEngine

/// The counts of some runs of a model, node by node.
struct ProcessorCounts {
  let availability: CounterAvailability
  private let watcher: CountingObserver
  private let runCount: Int

  private static let runCount = 3

  /// Counts in separate runs, with one thread only.
  ///
  /// The counters are those of the thread that runs the model; helper threads would be missing.
  init(of interpreter: Interpreter, _ entry: EntryPoint) throws(ModelError) {
    runCount = Self.runCount
    guard interpreter.options.threads == 1 else {
      watcher = CountingObserver([])
      availability = CounterAvailability(
        counted: [], reason: "counters are for runs with one thread")
      return
    }
    var files: [PerfEventCounter] = []
    var refusals: [(counter: ProcessorCounter, reason: String)] = []
    for counter in ProcessorCounter.allCases {
      do throws(PerfEventCounter.Refusal) {
        files.append(try PerfEventCounter(counter))
      } catch {
        refusals.append((counter, error.reason))
      }
    }
    availability = CounterAvailability(
      counted: files.map(\.counter), reason: Self.text(of: refusals))
    watcher = CountingObserver(files)
    guard !files.isEmpty else { return }
    let other = interpreter.observer
    defer { interpreter.observer = other }
    interpreter.observer = watcher
    for _ in 0..<runCount { try entry.run() }
  }

  private static func text(
    of refusals: [(counter: ProcessorCounter, reason: String)]
  ) -> String? {
    guard let first = refusals.first else { return nil }
    let names = refusals.map { $0.counter.rawValue.map { $0 == "_" ? " " : String($0) }.joined() }
    return "no \(names.joined(separator: ", ")): \(first.reason)"
  }

  /// Returns the counts of nodes per run.
  func counts(of nodes: [NodeKey]) -> [ProcessorCounter: Double] {
    var counts: [ProcessorCounter: Double] = [:]
    for (position, counter) in availability.counted.enumerated() {
      let sum = nodes.reduce(0) { $0 + (watcher.totals[$1]?[position] ?? 0) }
      counts[counter] = Double(max(sum, 0)) / Double(runCount)
    }
    return counts
  }
}

/// An observer that reads counters before and after every node.
private final class CountingObserver: RunObserver {
  private let files: [PerfEventCounter]
  private var open: [(start: [Int], inner: [Int])] = []
  private(set) var totals: [NodeKey: [Int]] = [:]

  init(_ files: [PerfEventCounter]) { self.files = files }

  func willRun(_ node: ObservedNode) {
    let none = [Int](repeating: 0, count: files.count)
    open.append((files.map(\.value), none))
  }

  func didRun(_ node: ObservedNode) {
    let end = files.map(\.value)
    guard let (start, inner) = open.popLast() else { return }
    let key = NodeKey(subgraph: node.subgraph, node: node.index)
    for position in files.indices {
      let whole = end[position] - start[position]
      totals[key, default: [Int](repeating: 0, count: files.count)][position] +=
        whole - inner[position]
      if !open.isEmpty { open[open.count - 1].inner[position] += whole }
    }
  }
}
