package import OcellusEngine
package import OcellusModelFile

/// A network with constant results, whose graph ends as those of real model families do.
///
/// Outputs come from sigmoids, from softmax, or from concatenations.
package struct SyntheticNetwork {
  /// The operators that compute an output.
  package indirect enum Output {
    /// Weighted sums without an activation.
    case linear([Int], [Float])
    case sigmoid([Int], [Float])
    case softmax([Int], [Float])
    case tanh([Int], [Float])
    /// The sum of an output and one number.
    case shifted(Output, by: Float)
    case joined([Output], axis: Int)
    /// A constant tensor, which no operator computes.
    case constant([Int], [Float])
    /// A constant tensor of the integers next to the given numbers.
    case quantized([Int], [Float], TensorType, scale: Float, zeroPoint: Int)
    /// A constant tensor of integers without a scale.
    case integers([Int], [Int], TensorType)
    /// Another output, multiplied by a constant.
    case scaled(Output, by: Float)
  }

  private var tensors: [ModelWriter.Tensor]
  private var operators: [ModelWriter.Operator] = []
  private var outputs: [Int] = []
  private let inputType: TensorType

  /// Creates a network for pictures of a shape, with named outputs.
  package init(
    input: [Int], type: TensorType = .float32, _ outputs: [(name: String, output: Output)]
  ) {
    inputType = type
    tensors = [.init("picture", type, input)]
    for (name, output) in outputs {
      let tensor = add(output).tensor
      tensors[tensor].name = name
      self.outputs.append(tensor)
    }
  }

  package func model() throws -> Model { try Model(bytes: bytes()) }

  /// Returns the model's file.
  package func bytes() -> [UInt8] {
    ModelWriter(subgraphs: [
      .init(tensors: tensors, inputs: [0], outputs: outputs, operators: operators)
    ]).bytes()
  }

  private mutating func add(_ output: Output) -> (tensor: Int, shape: [Int]) {
    switch output {
    case .constant(let shape, let values): return (constant(shape, values), shape)
    case .quantized(let shape, let values, let type, let scale, let zeroPoint):
      let integers = values.map { Int(($0 / scale).rounded()) + zeroPoint }
      return (
        self.integers(shape, integers, type, .init(scales: [scale], zeroPoints: [zeroPoint])), shape
      )
    case .integers(let shape, let values, let type): return (integers(shape, values, type), shape)
    case .scaled(let output, let factor):
      let (tensor, shape) = add(output)
      return result(
        "MUL", [tensor, constant([1], [factor])], shape, .init(tag: BuiltinOptionsTag.mul))
    case .linear(let shape, let values):
      let zero = constant([1], [0])
      return result(
        "ADD", [constant(shape, values), zero], shape, .init(tag: BuiltinOptionsTag.add))
    case .sigmoid(let shape, let values):
      return result("LOGISTIC", [constant(shape, values)], shape)
    case .softmax(let shape, let values):
      return result(
        "SOFTMAX", [constant(shape, values)], shape,
        .init(tag: BuiltinOptionsTag.softmax, [0: .float(1)]))
    case .tanh(let shape, let values):
      return result("TANH", [constant(shape, values)], shape)
    case .shifted(let output, let number):
      let (tensor, shape) = add(output)
      return result(
        "ADD", [tensor, constant([1], [number])], shape, .init(tag: BuiltinOptionsTag.add))
    case .joined(let parts, let axis):
      let added = parts.map { add($0) }
      var shape = added[0].shape
      shape[axis] = added.reduce(0) { $0 + $1.shape[axis] }
      return result(
        "CONCATENATION", added.map(\.tensor), shape,
        .init(tag: BuiltinOptionsTag.concatenation, [0: .int32(Int32(axis))]))
    }
  }

  private mutating func constant(_ shape: [Int], _ values: [Float]) -> Int {
    precondition(values.count == shape.reduce(1, *), "\(values.count) numbers for \(shape)")
    tensors.append(.init("constant", .float32, shape, constant: .init(bytesOf: values)))
    return tensors.count - 1
  }

  /// Adds a constant of integers, which are clamped to their type.
  private mutating func integers(
    _ shape: [Int], _ values: [Int], _ type: TensorType, _ quantization: QuantizationRecord? = nil
  ) -> Int {
    let bytes: [UInt8] =
      switch type {
      case .int8: .init(bytesOf: values.map { Int8(clamping: $0) })
      case .int16: .init(bytesOf: values.map { Int16(clamping: $0) })
      case .int32: .init(bytesOf: values.map { Int32(clamping: $0) })
      case .int64: .init(bytesOf: values.map { Int64($0) })
      default: .init(bytesOf: values.map { UInt8(clamping: $0) })
      }
    tensors.append(.init("constant", type, shape, constant: bytes, quantization: quantization))
    return tensors.count - 1
  }

  private mutating func result(
    _ name: String, _ inputs: [Int], _ shape: [Int], _ options: ModelWriter.Options? = nil
  ) -> (tensor: Int, shape: [Int]) {
    tensors.append(.init("result", .float32, shape))
    operators.append(
      .init(
        OperatorCodeRecord(named: name), inputs: inputs, outputs: [tensors.count - 1],
        options: options))
    return (tensors.count - 1, shape)
  }
}
