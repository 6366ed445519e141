public import OcellusEngine
import OcellusPlatform

/// An observer that records the hash of everything that a model computes.
public final class ReceiptRecorder: RunObserver {
  /// A function that receives every hashed tensor and may store it.
  public typealias Keep = (
    _ tensor: TensorTrace, _ subgraph: Int, _ call: Int, _ bytes: UnsafeRawBufferPointer
  ) throws -> String?

  private struct Place: Hashable {
    var subgraph: Int
    var index: Int
  }

  private let keep: Keep?
  private var nodes: [Receipt.Node] = []
  private var callCounts: [Place: Int] = [:]
  private var failure: (any Error)?

  /// Makes a recorder of one receipt.
  public init(keep: Keep? = nil) { self.keep = keep }

  /// Does nothing: a node has no results yet.
  public func willRun(_ node: ObservedNode) {}

  /// Records the results of a node.
  public func didRun(_ node: ObservedNode) {
    guard failure == nil else { return }
    let place = Place(subgraph: node.subgraph, index: node.index)
    let call = callCounts[place, default: 0]
    callCounts[place] = call + 1
    nodes.append(
      Receipt.Node(
        subgraph: node.subgraph, index: node.index, call: call,
        operatorName: node.operatorName,
        outputs: node.outputs.compactMap { tensor in
          tensor.withBytes { bytes in
            keepTensor(tensor, node.subgraph, call, bytes)
            return Receipt.Tensor(tensor, bytes)
          }
        }))
  }

  private func keepTensor(
    _ tensor: ObservedTensor, _ subgraph: Int, _ call: Int, _ bytes: UnsafeRawBufferPointer
  ) {
    guard let keep, failure == nil else { return }
    do { _ = try keep(TensorTrace(tensor), subgraph, call, bytes) } catch { failure = error }
  }

  /// Runs the main subgraph on the inputs that are set and records everything.
  ///
  /// - Precondition: the interpreter runs nodes separately; otherwise nodes could be missing from
  ///   the receipt that another processor's plan has.
  /// - Returns: the receipt, without the setting's version and the preparation of pictures.
  public func receipt(of interpreter: Interpreter) throws -> Receipt {
    precondition(interpreter.options.runsNodesSeparately, "plans differ between processors")
    let entry = interpreter.main
    try entry.allocate()
    let inputs = try entry.inputs.enumerated().map { index, input in
      let tensor = try entry.withInputBytes(at: index) { bytes in
        let bytes = UnsafeRawBufferPointer(bytes)
        _ = try keep?(TensorTrace(input), 0, 0, bytes)
        return Receipt.Tensor(input, bytes)
      }
      return tensor
    }
    interpreter.observer = self
    defer { interpreter.observer = nil }
    try entry.run()
    if let failure { throw failure }
    let outputs = try entry.outputs.enumerated().map { index, output in
      try entry.withOutputBytes(at: index) { Receipt.Tensor(output, $0) }
    }
    return Receipt(
      modelHash: interpreter.model.fileHash, modelByteCount: interpreter.model.fileByteCount,
      inputs: inputs, pictureHashes: [],
      preparations: [], nodes: nodes, outputs: outputs,
      setting: Receipt.Setting(
        version: "", instructionSet: interpreter.instructionSet,
        threads: interpreter.options.threads, numerics: interpreter.options.numericsName))
  }
}

extension TensorTrace {
  /// Makes the description of an input or output.
  init(_ tensor: TensorDescription) {
    self.init(
      index: tensor.tensorIndex, name: tensor.name, type: tensor.type, shape: tensor.shape,
      quantization: tensor.quantization)
  }
}

extension Receipt.Tensor {
  fileprivate init(_ tensor: ObservedTensor, _ bytes: UnsafeRawBufferPointer) {
    self.init(
      index: tensor.index, name: tensor.name, type: tensor.type, shape: tensor.shape,
      hash: SHA256.hash(bytes).hexadecimal)
  }

  fileprivate init(_ tensor: TensorDescription, _ bytes: UnsafeRawBufferPointer) {
    self.init(
      index: tensor.tensorIndex, name: tensor.name, type: tensor.type, shape: tensor.shape,
      hash: SHA256.hash(bytes).hexadecimal)
  }
}

extension Interpreter.LiteRTProcessor {
  /// The name of LiteRT's default numerics on the processor: its version, and the processor.
  package var numericsName: String { "litert-2.3/\(rawValue)" }

  /// Makes the processor of a name of numerics, if it is LiteRT's.
  package init?(numericsName name: String) {
    guard let processor = Self.allCases.first(where: { $0.numericsName == name }) else {
      return nil
    }
    self = processor
  }
}

extension Interpreter.Numerics {
  /// The words for each of the rules; those of LiteRT may name its version and a processor.
  package static let named: [(word: String, value: Self)] =
    [
      ("fast", .fast), ("exact", .exact), ("bfloat16", .bfloat16),
      ("litert", .litertOfThisProcessor), ("litert-2.3", .litertOfThisProcessor),
    ] + Interpreter.LiteRTProcessor.allCases.map { ($0.numericsName, .litert($0)) }
}

extension Interpreter.Options {
  /// The name of how numbers are computed: such as `litert-2.3/avx2`, `reference`, `blas`, `exact`,
  /// `bfloat16` or `fast`.
  package var numericsName: String {
    if case .litert(let processor) = numerics { return processor.numericsName }
    if usesReferenceKernels { return "reference" }
    if numerics == .exact { return "exact" }
    if numerics == .bfloat16 { return "bfloat16" }
    return backend == .blas ? "blas" : "fast"
  }
}
