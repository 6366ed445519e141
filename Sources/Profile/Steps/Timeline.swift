import OcellusEngine
import OcellusPlatform

/// The timeline of a run on all threads.
public struct Timeline: Sendable {
  /// A span of time that a thread spends on a step.
  public struct Span: Sendable {
    /// The subgraph of the node that does the work.
    public let subgraph: Int
    /// The node's index in the subgraph.
    public let node: Int
    /// The operator's name in the schema, or the name of a custom operator.
    public let operatorName: String
    /// The thread; 0 is the thread that runs the model.
    public let thread: Int
    /// The work item of a step that threads share; `nil` for the step as a whole.
    public let item: Int?
    /// The start, in nanoseconds from the start of the run.
    public let start: Int
    /// The end, in nanoseconds from the start of the run.
    public let end: Int
  }

  /// The steps on thread 0 and the work items on all threads, in the order in which they end.
  public let spans: [Span]
  /// The duration of the run in nanoseconds.
  public let nanoseconds: Int
  /// Whether spans are missing because there were too many, for instance in a long loop.
  public let isCutShort: Bool

  private let busy: [NodeKey: Double]

  private static let runCount = 3

  /// Watches a few runs and keeps the spans of the last one.
  init(of interpreter: Interpreter, _ entry: EntryPoint) throws(ModelError) {
    let other = interpreter.observer
    defer { interpreter.observer = other }
    let watcher = TimelineObserver(threadCount: interpreter.options.threads)
    interpreter.observer = watcher
    var start = 0
    for _ in 0..<Self.runCount {
      watcher.startRun()
      start = MonotonicTime.now.nanoseconds
      try entry.run()
    }
    nanoseconds = MonotonicTime.now.nanoseconds - start
    spans = watcher.spans.map { $0.moved(by: -start) }
    isCutShort = watcher.isFull
    busy = watcher.busyShares
  }

  /// Returns the share of a step's time during which all threads were busy with it.
  func busyShare(of step: NodeKey) -> Double? { busy[step] }
}

extension Timeline.Span {
  fileprivate func moved(by offset: Int) -> Self {
    Self(
      subgraph: subgraph, node: node, operatorName: operatorName, thread: thread, item: item,
      start: start + offset, end: end + offset)
  }
}

private final class TimelineObserver: RunObserver {
  /// The maximum number of spans, for the sake of pages and viewers.
  private static let maximumSpans = 20_000

  private struct Frame {
    let start: Int
    var inner = 0
  }

  let recordsWorkItems = true
  private let threadCount: Int
  private(set) var spans: [Timeline.Span] = []
  private(set) var isFull = false
  private var open: [Frame] = []
  /// The duration of each step, and the busy time of all threads for it, in nanoseconds.
  private var work: [NodeKey: (own: Int, busy: Int)] = [:]

  init(threadCount: Int) { self.threadCount = threadCount }

  func startRun() {
    spans.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    isFull = false
  }

  var busyShares: [NodeKey: Double] {
    work.mapValues { min(Double($0.busy) / Double(max($0.own, 1) * threadCount), 1) }
  }

  func willRun(_ node: ObservedNode) { open.append(Frame(start: MonotonicTime.now.nanoseconds)) }

  func didRun(_ node: ObservedNode) {
    let end = MonotonicTime.now.nanoseconds
    guard let frame = open.popLast() else { return }
    if !open.isEmpty { open[open.count - 1].inner += end - frame.start }
    switch node.execution {
    case .kernel, .reference: break
    default: return
    }
    let key = NodeKey(subgraph: node.subgraph, node: node.index)
    let workItems = node.workItems
    let own = end - frame.start - frame.inner
    let known = work[key] ?? (0, 0)
    // Outside of its work items, a step runs on one thread.
    let shared = workItems.reduce(0) { $0 + $1.end - $1.start }
    let alone = own - workItems.reduce(0) { $1.thread == 0 ? $0 + $1.end - $1.start : $0 }
    work[key] = (known.own + own, known.busy + (workItems.isEmpty ? own : shared + max(alone, 0)))
    add(key, node.operatorName, thread: 0, item: nil, from: frame.start, to: end)
    for workItem in workItems {
      add(
        key, node.operatorName, thread: workItem.thread, item: workItem.item, from: workItem.start,
        to: workItem.end)
    }
  }

  private func add(
    _ key: NodeKey, _ name: String, thread: Int, item: Int?, from start: Int, to end: Int
  ) {
    guard spans.count < Self.maximumSpans else {
      isFull = true
      return
    }
    spans.append(
      Timeline.Span(
        subgraph: key.subgraph, node: key.node, operatorName: name, thread: thread, item: item,
        start: start, end: end))
  }
}
