import OcellusEngine

/// The timeline of a typical run on all threads.
///
/// Several runs are recorded, and the timeline is that of the run whose duration is the median.
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
  /// The number of recorded runs of which this is the median; disturbed ones are not among them.
  public let runs: Int
  /// Whether spans are missing because there were too many, for instance in a long loop.
  public let isCutShort: Bool

  private let busy: [NodeKey: Double]

  private static let maximumRuns = 9

  /// Records a few runs and keeps the spans of the one with the median duration.
  init(
    of interpreter: Interpreter, _ entry: EntryPoint, runs: Int, _ counters: InterferenceCounters
  ) throws(ModelError) {
    let other = interpreter.observer
    defer { interpreter.observer = other }
    let watcher = TimelineObserver(clock: counters.clock)
    interpreter.observer = watcher
    let meter = InterferenceMeter(counters)
    var recordings: [Recording] = []
    for _ in 0..<min(max(runs, 1), Self.maximumRuns) {
      watcher.recording = Recording(asLargeAs: recordings.last)
      meter.startRun()
      watcher.recording.start = counters.clock()
      try entry.run()
      watcher.recording.end = counters.clock()
      recordings.append(watcher.recording)
      meter.endRun(nanoseconds: watcher.recording.end - watcher.recording.start)
    }
    let sample = RunSample(meter.runs)
    let typical = recordings[sample.medianRun]
    nanoseconds = typical.end - typical.start
    spans = typical.spans.map { $0.moved(by: -typical.start) }
    isCutShort = typical.isFull
    self.runs = sample.kept.count
    busy = sample.kept.reduce(into: [:]) { $0.merge(recordings[$1].work, uniquingKeysWith: +) }
      .mapValues { $0.busyShare(threadCount: interpreter.options.threads) }
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

/// What was recorded of one run; times are those of the monotonic clock, in nanoseconds.
private struct Recording {
  /// The maximum number of spans, for the sake of pages and viewers.
  private static let maximumSpans = 20_000

  var start = 0
  var end = 0
  private(set) var spans: [Timeline.Span] = []
  private(set) var isFull = false
  private(set) var work: [NodeKey: StepWork] = [:]

  /// Makes an empty recording with the memory that another one needed.
  init(asLargeAs other: Recording? = nil) {
    spans.reserveCapacity(other?.spans.count ?? 0)
    work.reserveCapacity(other?.work.count ?? 0)
  }

  mutating func add(_ span: Timeline.Span) {
    guard spans.count < Self.maximumSpans else {
      isFull = true
      return
    }
    spans.append(span)
  }

  mutating func add(_ more: StepWork, of step: NodeKey) {
    work[step, default: StepWork()] = work[step, default: StepWork()] + more
  }
}

/// The duration of a step, and the busy time of all threads for it, in nanoseconds.
private struct StepWork {
  var own = 0
  var busy = 0

  static func + (one: Self, other: Self) -> Self {
    Self(own: one.own + other.own, busy: one.busy + other.busy)
  }

  func busyShare(threadCount: Int) -> Double {
    min(Double(busy) / Double(max(own, 1) * threadCount), 1)
  }
}

private final class TimelineObserver: RunObserver {
  private struct Frame {
    let start: Int
    var inner = 0
  }

  let recordsWorkItems = true
  var recording = Recording()
  private let clock: () -> Int
  private var open: [Frame] = []

  init(clock: @escaping () -> Int) { self.clock = clock }

  func willRun(_ node: ObservedNode) { open.append(Frame(start: clock())) }

  func didRun(_ node: ObservedNode) {
    let end = clock()
    guard let frame = open.popLast() else { return }
    if !open.isEmpty { open[open.count - 1].inner += end - frame.start }
    switch node.execution {
    case .kernel, .reference: break
    default: return
    }
    let key = NodeKey(subgraph: node.subgraph, node: node.index)
    let workItems = node.workItems
    let own = end - frame.start - frame.inner
    // Outside of its work items, a step runs on one thread.
    let shared = workItems.reduce(0) { $0 + $1.end - $1.start }
    let alone = own - workItems.reduce(0) { $1.thread == 0 ? $0 + $1.end - $1.start : $0 }
    recording.add(
      StepWork(own: own, busy: workItems.isEmpty ? own : shared + max(alone, 0)), of: key)
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
    recording.add(
      Timeline.Span(
        subgraph: key.subgraph, node: key.node, operatorName: name, thread: thread, item: item,
        start: start, end: end))
  }
}
