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
  private var callCounts = PlaceTable(0)
  /// How often tensors were met.
  private var tensorCounts = PlaceTable(0)
  /// What was seen of results, for nodes that show them again under another name.
  private var results = PlaceTable<SeenNumbers?>(nil)
  /// When the nodes in progress began, outermost first, what nodes inside them and looking at these took,
  /// and their operands' numbers.
  private var open: [(start: MonotonicTime, inner: Int, inputs: [Int])] = []
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
    callCounts = PlaceTable(0)
    tensorCounts = PlaceTable(0)
    results = PlaceTable(nil)
    open = []
    failure = nil
  }

  /// The node is next: looks at those of its operands that no node made.
  public func willRun(_ node: ObservedNode) {
    // What looking takes matters to the nodes around this one only.
    let arrival = open.isEmpty ? nil : MonotonicTime.now
    let inputs = node.inputIndexes
    if failure == nil, selection.includes(node) {
      for (position, index) in inputs.enumerated() {
        guard index >= 0, tensorCounts.add(index, in: node.subgraph) == 0,
          let tensor = node.input(position)
        else { continue }
        report(
          .source(look(at: tensor, subgraph: node.subgraph, call: 0), subgraph: node.subgraph))
      }
    }
    let start = MonotonicTime.now
    if let arrival { open[open.count - 1].inner += start.nanoseconds - arrival.nanoseconds }
    open.append((start, 0, inputs))
  }

  /// The node has run: looks at its results.
  public func didRun(_ node: ObservedNode) {
    let end = MonotonicTime.now
    guard let (start, inner, inputs) = open.popLast() else { return }
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
            inputs: inputs,
            outputs: outputs.map { lookAtResult($0, of: node, call: call) })))
    }
    if !open.isEmpty {
      open[open.count - 1].inner += MonotonicTime.now.nanoseconds - start.nanoseconds
    }
  }

  /// Looks at a result, unless its bytes are those of an operand that was looked at: views write nothing.
  private func lookAtResult(
    _ tensor: ObservedTensor, of node: ObservedNode, call: Int
  ) -> TensorTrace {
    guard level != .shapes else { return TensorTrace(tensor) }
    var known: SeenNumbers?
    if node.execution == .view {
      for case let operand? in node.inputs where tensor.lies(where: operand) {
        known = results[operand.index, in: node.subgraph]
      }
    }
    let trace = look(at: tensor, subgraph: node.subgraph, call: call, known: known)
    results[tensor.index, in: node.subgraph] = SeenNumbers(trace)
    return trace
  }

  /// Finds out what the level asks for, but for what is known of the same bytes.
  private func look(
    at tensor: ObservedTensor, subgraph: Int, call: Int, known: SeenNumbers? = nil
  ) -> TensorTrace {
    var trace = TensorTrace(tensor)
    guard level != .shapes else { return trace }
    trace.digest = known?.digest
    if let known, known.numbersAreLike(trace) { trace.statistics = known.statistics }
    tensor.withStoredElements { elements in
      if level != .digest, trace.statistics == nil {
        trace.statistics = TensorStatistics(
          of: elements.bytes, type: tensor.type, quantization: tensor.quantization,
          isSampled: level == .stats)
      }
      if level != .stats, trace.digest == nil { trace.digest = TensorDigest.digest(elements) }
    }
    let lacksDigest = level != .stats && trace.digest == nil
    guard lacksDigest || level == .full else { return trace }
    tensor.withBytes { bytes in
      if lacksDigest { trace.digest = TensorDigest.digest(bytes) }
      guard level == .full, let keep, failure == nil else { return }
      do { trace.file = try keep(trace, subgraph, call, bytes) } catch { failure = error }
    }
    return trace
  }
}

/// What was seen of a tensor's bytes, and what kind of numbers they are.
private struct SeenNumbers {
  let digest: [UInt8]?
  let statistics: TensorStatistics?
  private let type: ElementType
  private let quantization: Quantization?

  init(_ trace: TensorTrace) {
    (digest, statistics) = (trace.digest, trace.statistics)
    (type, quantization) = (trace.type, trace.quantization)
  }

  /// Whether the same bytes are the same numbers there.
  func numbersAreLike(_ other: TensorTrace) -> Bool {
    type == other.type && quantization?.scales == other.quantization?.scales
      && quantization?.zeroPoints == other.quantization?.zeroPoints
      && quantization?.axis == other.quantization?.axis
  }
}

extension PlaceTable<Int> {
  /// Counts one, and returns how often it was seen before.
  @discardableResult
  mutating func add(_ index: Int, in subgraph: Int) -> Int {
    let count = self[index, in: subgraph]
    self[index, in: subgraph] = count + 1
    return count
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
