public import OcellusEngine
import OcellusPlatform

/// An observer that inspects every tensor while a model runs and reports node by node.
///
/// It stores no tensors, so it needs memory for one at a time. With
/// `Interpreter.Options.runsNodesSeparately` it sees the results of all nodes, otherwise only those
/// that the plan holds in memory.
public final class Tracer: RunObserver {
  /// An event of the run.
  public enum Event {
    /// A tensor that no node computes: an input, a variable or a constant.
    ///
    /// Each is reported once, when it is first read.
    case source(TensorTrace, subgraph: Int)
    /// A node has run.
    case node(NodeTrace)
  }

  /// A function that stores a tensor and returns its path, or `nil` if it does not store it.
  public typealias Keep = (
    _ tensor: TensorTrace, _ subgraph: Int, _ call: Int, _ bytes: UnsafeRawBufferPointer
  ) throws -> String?

  private let level: TraceLevel
  private let selection: TraceSelection
  private let keep: Keep?
  private let report: (Event) -> Void

  /// The number of executions of each node.
  private var callCounts = NodeTable(0)
  /// The number of times that each tensor was seen.
  private var tensorCounts = NodeTable(0)
  /// The properties of results, to be reused for views with the same bytes.
  private var results = NodeTable<InspectedNumbers?>(nil)
  /// The nodes in progress, outermost first.
  ///
  /// Each has its start, the time of inner nodes and of inspecting those, and the operands'
  /// indices.
  private var open: [(start: MonotonicTime, inner: Int, inputs: [Int])] = []
  /// The error that prevented storing a tensor; from then on nothing is inspected.
  private var failure: (any Error)?

  /// Makes a tracer of selected nodes.
  ///
  /// - Parameters:
  ///   - level: The information to record.
  ///   - selection: The nodes.
  ///   - keep: Stores the tensors themselves, at level `full`.
  ///   - report: Receives all events, in the order in which they happen.
  public init(
    level: TraceLevel, selection: TraceSelection = .all, keep: Keep? = nil,
    report: @escaping (Event) -> Void
  ) {
    self.level = level
    self.selection = selection
    self.keep = keep
    self.report = report
  }

  /// Throws the error that prevented storing tensors, after a run.
  public func check() throws {
    if let failure { throw failure }
  }

  /// Forgets the previous run, so the next one is reported like a first.
  public func reset() {
    callCounts = NodeTable(0)
    tensorCounts = NodeTable(0)
    results = NodeTable(nil)
    open = []
    failure = nil
  }

  /// Inspects the operands that no node computed, before a node runs.
  public func willRun(_ node: ObservedNode) {
    // The time of inspecting matters only if other nodes are in progress.
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

  /// Inspects a node's results, after it has run.
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

  /// Inspects a result, reusing what is known of the operand whose bytes a view shares.
  private func lookAtResult(
    _ tensor: ObservedTensor, of node: ObservedNode, call: Int
  ) -> TensorTrace {
    guard level != .shapes else { return TensorTrace(tensor) }
    var known: InspectedNumbers?
    if node.execution == .view {
      for case let operand? in node.inputs where tensor.sharesMemory(with: operand) {
        known = results[operand.index, in: node.subgraph]
      }
    }
    let trace = look(at: tensor, subgraph: node.subgraph, call: call, known: known)
    results[tensor.index, in: node.subgraph] = InspectedNumbers(trace)
    return trace
  }

  /// Records what the level requires, except what is already known of the same bytes.
  private func look(
    at tensor: ObservedTensor, subgraph: Int, call: Int, known: InspectedNumbers? = nil
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

/// The recorded properties of a tensor's bytes, with the type by which they were read.
private struct InspectedNumbers {
  let digest: [UInt8]?
  let statistics: TensorStatistics?
  private let type: ElementType
  private let quantization: Quantization?

  init(_ trace: TensorTrace) {
    (digest, statistics) = (trace.digest, trace.statistics)
    (type, quantization) = (trace.type, trace.quantization)
  }

  /// Returns whether equal bytes mean equal numbers in the other tensor.
  func numbersAreLike(_ other: TensorTrace) -> Bool {
    type == other.type && quantization?.scales == other.quantization?.scales
      && quantization?.zeroPoints == other.quantization?.zeroPoints
      && quantization?.axis == other.quantization?.axis
  }
}

extension NodeTable<Int> {
  /// Increments a count and returns its previous value.
  @discardableResult
  mutating func add(_ index: Int, in subgraph: Int) -> Int {
    let count = self[index, in: subgraph]
    self[index, in: subgraph] = count + 1
    return count
  }
}

extension TensorTrace {
  /// Makes the description of a tensor without inspecting its elements.
  public init(_ tensor: ObservedTensor) {
    self.init(
      index: tensor.index, name: tensor.name, type: tensor.type, shape: tensor.shape,
      quantization: tensor.quantization, isInMemory: tensor.isInMemory)
  }
}
