import OcellusEngine
import OcellusPlatform

/// What a run did when, on all threads.
public struct Timeline: Sendable {
  /// A stretch of time that a thread spent with a step.
  public struct Span: Sendable {
    /// The subgraph of the node that did the work.
    public let subgraph: Int
    /// Its position there.
    public let node: Int
    /// The schema's name of its operator, or the custom one's.
    public let operatorName: String
    /// The thread: 0 is the one that runs the model.
    public let thread: Int
    /// Which part of a step that threads share; `nil` for the step as a whole.
    public let part: Int?
    /// Nanoseconds from the beginning of the run.
    public let start: Int
    /// Nanoseconds from the beginning of the run.
    public let end: Int
  }

  /// The steps on thread 0 and the parts on all, as they came to an end.
  public let spans: [Span]
  /// Nanoseconds of the run.
  public let nanoseconds: Int
  /// Whether there was more than fits, as in a loop that goes round and round.
  public let isCutShort: Bool

  private let busy: [NodeKey: Double]

  private static let runCount = 3

  /// Watches a few runs, and keeps what the last of them did.
  init(of interpreter: Interpreter, _ entry: EntryPoint) throws(ModelError) {
    let other = interpreter.observer
    defer { interpreter.observer = other }
    let watcher = TimelineWatcher(threadCount: interpreter.options.threads)
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

  /// The share of their time for which all threads together worked for a step.
  func busyShare(of step: NodeKey) -> Double? { busy[step] }
}

extension Timeline.Span {
  fileprivate func moved(by offset: Int) -> Self {
    Self(
      subgraph: subgraph, node: node, operatorName: operatorName, thread: thread, part: part,
      start: start + offset, end: end + offset)
  }
}

private final class TimelineWatcher: RunObserver {
  /// What a page or a viewer can show.
  private static let mostSpans = 20_000

  private struct Frame {
    let start: Int
    var inner = 0
  }

  let watchesParts = true
  private let threadCount: Int
  private(set) var spans: [Timeline.Span] = []
  private(set) var isFull = false
  private var open: [Frame] = []
  /// Nanoseconds of the steps themselves, and of all threads for them.
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
    let parts = node.parts
    let own = end - frame.start - frame.inner
    let known = work[key] ?? (0, 0)
    // Outside of its parts a step has one thread for itself.
    let shared = parts.reduce(0) { $0 + $1.end - $1.start }
    let alone = own - parts.reduce(0) { $1.thread == 0 ? $0 + $1.end - $1.start : $0 }
    work[key] = (known.own + own, known.busy + (parts.isEmpty ? own : shared + max(alone, 0)))
    add(key, node.operatorName, thread: 0, part: nil, from: frame.start, to: end)
    for part in parts {
      add(
        key, node.operatorName, thread: part.thread, part: part.part, from: part.start,
        to: part.end)
    }
  }

  private func add(
    _ key: NodeKey, _ name: String, thread: Int, part: Int?, from start: Int, to end: Int
  ) {
    guard spans.count < Self.mostSpans else {
      isFull = true
      return
    }
    spans.append(
      Timeline.Span(
        subgraph: key.subgraph, node: key.node, operatorName: name, thread: thread, part: part,
        start: start, end: end))
  }
}
