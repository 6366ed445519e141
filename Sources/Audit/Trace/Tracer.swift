public import OcellusEngine
import OcellusPlatform

/// Looks at every tensor while a model runs, and tells somebody what it saw, node by node.
///
/// It keeps no tensors: what it needs is memory for one of them. With
/// `Interpreter.Options.keepsNodesApart` it sees all nodes' results, else those that the plan has in
/// memory.
public final class Tracer: RunObserver {
  /// What there is to tell.
  public enum Event {
    /// A tensor that no node makes, in its subgraph: an input, a variable or a constant. Constants come
    /// once, when they are first read.
    case source(TensorTrace, subgraph: Int)
    /// A node has run.
    case node(NodeTrace)
  }

  /// Puts a tensor somewhere, and says where; `nil` where it has no place for such a tensor.
  public typealias Keep = (
    _ tensor: TensorTrace, _ subgraph: Int, _ call: Int, _ bytes: UnsafeRawBufferPointer
  ) throws -> String?

  private let level: TraceLevel
  private let selection: TraceSelection
  private let keep: Keep?
  private let report: (Event) -> Void

  /// How often nodes have run.
  private var callCounts = PlaceCounts()
  /// How often tensors were met.
  private var tensorCounts = PlaceCounts()
  /// When the nodes in progress began, outermost first, and what nodes inside them and looking at these
  /// took.
  private var open: [(start: MonotonicTime, inner: Int)] = []
  /// Why tensors could not be kept; nothing is looked at any more then.
  private var failure: (any Error)?

  /// A tracer of some nodes.
  ///
  /// - Parameters:
  ///   - level: What to find out about tensors.
  ///   - selection: The nodes.
  ///   - keep: What is done with the tensors themselves, at level `full`.
  ///   - report: Told of everything, in the order in which it happens.
  public init(
    level: TraceLevel, selection: TraceSelection = .all, keep: Keep? = nil,
    report: @escaping (Event) -> Void
  ) {
    self.level = level
    self.selection = selection
    self.keep = keep
    self.report = report
  }

  /// Throws what stood in the way of keeping tensors, after a run.
  public func check() throws {
    if let failure { throw failure }
  }

  /// Forgets the run before, so that the next one is told of like a first.
  public func reset() {
    callCounts = PlaceCounts()
    tensorCounts = PlaceCounts()
    open = []
    failure = nil
  }

  /// The node is next: looks at those of its operands that no node made.
  public func willRun(_ node: ObservedNode) {
    let arrival = MonotonicTime.now
    if failure == nil, selection.includes(node) {
      for (position, index) in node.inputIndexes.enumerated() {
        guard index >= 0, tensorCounts.add(index, in: node.subgraph) == 0,
          let tensor = node.input(position)
        else { continue }
        report(
          .source(look(at: tensor, subgraph: node.subgraph, call: 0), subgraph: node.subgraph))
      }
    }
    let start = MonotonicTime.now
    if !open.isEmpty { open[open.count - 1].inner += start.nanoseconds - arrival.nanoseconds }
    open.append((start, 0))
  }

  /// The node has run: looks at its results.
  public func didRun(_ node: ObservedNode) {
    let end = MonotonicTime.now
    guard let (start, inner) = open.popLast() else { return }
    let call = callCounts.add(node.index, in: node.subgraph)
    let outputs = node.outputs
    for tensor in outputs { tensorCounts.add(tensor.index, in: node.subgraph) }
    if failure == nil, selection.includes(node) {
      report(
        .node(
          NodeTrace(
            subgraph: node.subgraph, index: node.index, call: call,
            operatorName: node.operatorName, version: node.version, execution: node.execution,
            multiplyAdds: node.multiplyAdds,
            nanoseconds: end.nanoseconds - start.nanoseconds - inner,
            inputs: node.inputIndexes,
            outputs: outputs.map { look(at: $0, subgraph: node.subgraph, call: call) })))
    }
    if !open.isEmpty {
      open[open.count - 1].inner += MonotonicTime.now.nanoseconds - start.nanoseconds
    }
  }

  private func look(at tensor: ObservedTensor, subgraph: Int, call: Int) -> TensorTrace {
    var trace = TensorTrace(tensor)
    guard level != .shapes else { return trace }
    tensor.withBytes { bytes in
      if level != .digest {
        trace.statistics = TensorStatistics(
          of: bytes, type: tensor.type, quantization: tensor.quantization,
          isSampled: level == .stats)
      }
      if level != .stats { trace.digest = TensorDigest.digest(bytes) }
      guard level == .full, let keep, failure == nil else { return }
      do { trace.file = try keep(trace, subgraph, call, bytes) } catch { failure = error }
    }
    return trace
  }
}

/// How often nodes or tensors were seen, by their subgraph and their number there.
private struct PlaceCounts {
  private var counts: [[Int]] = []

  /// Counts one, and returns how often it was seen before.
  @discardableResult
  mutating func add(_ index: Int, in subgraph: Int) -> Int {
    while counts.count <= subgraph { counts.append([]) }
    while counts[subgraph].count <= index { counts[subgraph].append(0) }
    counts[subgraph][index] += 1
    return counts[subgraph][index] - 1
  }
}

extension TensorTrace {
  /// What is known of a tensor without looking at its elements.
  public init(_ tensor: ObservedTensor) {
    self.init(
      index: tensor.index, name: tensor.name, type: tensor.type, shape: tensor.shape,
      quantization: tensor.quantization, isInMemory: tensor.isInMemory)
  }
}
