import OcellusAudit
import OcellusEngine
import OcellusModelFile
import OcellusProof
import OcellusTestSupport

/// A model of one node, whose inputs are given.
struct BoundedNode {
  typealias Tensor = ModelWriter.Tensor

  let bytes: [UInt8]
  private let operands: [StoredTensor?]
  private let shape: Shape
  var arithmetic = BoundsArithmetic()

  /// Makes a node; operands that are not constant have the numbers of `inputs`, in turn.
  init(
    _ name: String, reading: [Tensor], _ inputs: [[Float]], writing shape: [Int],
    _ options: ModelWriter.Options? = nil, type: TensorType = .float32,
    quantization: QuantizationRecord? = nil
  ) {
    bytes =
      ModelWriter.singleOperator(
        OperatorCodeRecord(named: name), reading: reading,
        writing: [.init("y", type, shape, quantization: quantization)], options: options
      ).bytes()
    self.shape = Shape(shape)
    var numbers = inputs[...]
    operands = reading.map { tensor in
      guard tensor.constant == nil, let next = numbers.popFirst() else { return nil }
      return StoredTensor(
        type: .float32, shape: Shape(tensor.shape), bytes: Array(bytesOf: next))
    }
  }

  func outcome() throws -> BoundsOutcome {
    try NodeBounder(of: Model(bytes: bytes), arithmetic).outcome(
      ofNode: 0, inSubgraph: 0, operands: operands.map { $0.map { BoundedTensor(exact: $0) } },
      shapes: [shape])
  }

  /// The ends of the intervals of a node of floats.
  func ends() throws -> (low: [Float], high: [Float]) {
    guard case .bounded(let tensors) = try outcome() else { return ([], []) }
    return (tensors[0].low.floats, tensors[0].high.floats)
  }

  /// How a result lies in the bounds.
  func summary(of result: [Float]) throws -> BoundsSummary? {
    guard case .bounded(let tensors) = try outcome() else { return nil }
    return BoundsSummary(
      of: tensors[0],
      around: StoredTensor(type: .float32, shape: shape, bytes: Array(bytesOf: result)))
  }

  /// What an engine computes.
  func result(_ options: Interpreter.Options = .init()) throws -> [Float] {
    let interpreter = try Interpreter(Model(bytes: bytes), options: options)
    var index = 0
    for case let operand? in operands {
      try interpreter.setInput(at: index, to: operand.floats)
      index += 1
    }
    try interpreter.run()
    return try interpreter.output(at: 0, as: Float.self)
  }

  static func input(_ shape: [Int]) -> Tensor { .init("x", .float32, shape) }

  static func constant(_ numbers: [Float], _ shape: [Int]) -> Tensor {
    .init("c", .float32, shape, constant: .init(bytesOf: numbers))
  }

  static func integers(_ numbers: [Int32]) -> Tensor {
    .init("i", .int32, [numbers.count], constant: .init(bytesOf: numbers))
  }
}

extension StoredTensor {
  var floats: [Float] {
    bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }
}
