import OcellusEngine
import OcellusModelFile

/// A node that multiplies 8-bit integers by constant 8-bit weights and requantizes the sums, as read
/// from the file alone: nothing of the engine's own decoding is believed.
struct WeightedNode {
  enum Kind: String {
    case convolution = "CONV_2D"
    case depthwise = "DEPTHWISE_CONV_2D"
    case fullyConnected = "FULLY_CONNECTED"
    case transposed = "TRANSPOSE_CONV"

    /// The position of the operand that varies; the weights come second.
    var inputPosition: Int { self == .transposed ? 2 : 0 }
    var biasPosition: Int { self == .transposed ? 3 : 2 }
  }

  let kind: Kind
  let input: QuantizedTensor
  let output: QuantizedTensor
  let weights: QuantizedTensor
  let weightShape: [Int]
  /// The weights of each channel, minus their zero point.
  let channels: [[Int32]]
  let biases: [Int64]
  /// The fused activation, as the schema numbers it.
  let activation: Int

  /// Why the sums of a node are not enumerated.
  struct Refusal: Error { let reason: String }

  init(_ node: OperatorRecord, named name: String, in subgraph: SubgraphRecord) throws(Refusal) {
    guard let kind = Kind(rawValue: name) else { throw Refusal(reason: "it sums in another way") }
    self.kind = kind
    guard node.inputs.count >= 2, node.inputs.count > kind.inputPosition, node.outputs.count == 1,
      node.inputs[kind.inputPosition] >= 0, node.inputs[1] >= 0
    else { throw Refusal(reason: "operands are missing") }
    let matrix = subgraph.tensors[node.inputs[1]]
    input = try QuantizedTensor(subgraph.tensors[node.inputs[kind.inputPosition]])
    output = try QuantizedTensor(subgraph.tensors[node.outputs[0]])
    weights = try QuantizedTensor(matrix, axis: kind == .depthwise ? 3 : 0)
    weightShape = matrix.shape
    guard input.isSigned == output.isSigned, matrix.sparsity == nil, let data = matrix.data else {
      throw Refusal(reason: "its weights are not constant, or sparse, or its types are mixed")
    }
    guard matrix.shape.count == (kind == .fullyConnected ? 2 : 4) else {
      throw Refusal(reason: "its weights have an unusual rank")
    }
    // Official kernels take weights with a scale for each channel to be symmetric.
    guard
      weights.zeroPoint == 0
        || weights.scales.count == 1 && (kind == .fullyConnected || !input.isSigned)
    else { throw Refusal(reason: "its weights have zero points that kernels ignore") }
    channels = Self.channels(data, matrix, weights, kind)
    guard weights.scales.count == 1 || weights.scales.count == channels.count else {
      throw Refusal(reason: "it has another number of scales than of channels")
    }
    biases = try Self.biases(node, kind, subgraph, count: channels.count)
    activation = OptionFields(node).integer("fused_activation_function", default: 0)
    guard [0, 1, 2, 3].contains(activation) else {
      throw Refusal(reason: "its activation is not a clamp")
    }
  }

  private static func channels(
    _ data: UnsafeRawBufferPointer, _ tensor: TensorRecord, _ format: QuantizedTensor, _ kind: Kind
  ) -> [[Int32]] {
    let count = (kind == .depthwise ? tensor.shape.last : tensor.shape.first) ?? 0
    let depth = count == 0 ? 0 : tensor.shape.reduce(1, *) / count
    return (0..<count).map { channel in
      (0..<depth).map { index in
        let place = kind == .depthwise ? index * count + channel : channel * depth + index
        return format.value(data[place])
      }
    }
  }

  private static func biases(
    _ node: OperatorRecord, _ kind: Kind, _ subgraph: SubgraphRecord, count: Int
  ) throws(Refusal) -> [Int64] {
    let position = kind.biasPosition
    guard node.inputs.count > position, node.inputs[position] >= 0 else {
      return Array(repeating: 0, count: count)
    }
    let bias = subgraph.tensors[node.inputs[position]]
    guard bias.type == .int32, let data = bias.data, data.count >= 4 * count else {
      throw Refusal(reason: "its bias is not a constant of 32 bits")
    }
    return (0..<count).map {
      Int64(Int32(littleEndian: data.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)))
    }
  }
}

/// The format of an 8-bit tensor.
struct QuantizedTensor {
  let isSigned: Bool
  let scales: [Float]
  let zeroPoint: Int32

  init(_ record: TensorRecord, axis: Int? = nil) throws(WeightedNode.Refusal) {
    guard record.type == .int8 || record.type == .uint8 else {
      throw WeightedNode.Refusal(
        reason:
          "'\(record.name)' is \(record.type.name), and only sums of 8-bit operands are enumerated")
    }
    guard let quantization = record.quantization, !quantization.scales.isEmpty,
      quantization.blockwise == nil, quantization.multiAxis == nil,
      quantization.scales.count == 1 || quantization.axis == axis,
      Set(quantization.zeroPoints).count <= 1
    else { throw WeightedNode.Refusal(reason: "'\(record.name)' has no usable scale") }
    isSigned = record.type == .int8
    scales = quantization.scales
    zeroPoint = Int32(clamping: quantization.zeroPoints.first ?? 0)
    guard bytes.contains(zeroPoint) else {
      throw WeightedNode.Refusal(reason: "the zero point of '\(record.name)' is out of range")
    }
  }

  /// The integers that an element may be.
  var bytes: ClosedRange<Int32> { isSigned ? -128...127 : 0...255 }

  /// The integers that an element may be, minus the zero point.
  var values: ClosedRange<Int32> {
    bytes.lowerBound - zeroPoint...bytes.upperBound - zeroPoint
  }

  /// Returns the integer that a byte stands for, minus the zero point.
  func value(_ byte: UInt8) -> Int32 {
    (isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)) - zeroPoint
  }

  /// Returns the byte that stands for a value.
  func byte(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: value + zeroPoint) }
}

extension WeightedNode {
  /// Returns the sums of a channel that inputs can lead to, its bias included.
  ///
  /// An input of the padding is its zero point, whose product is zero, which is in every range.
  func sums(of channel: Int) -> ClosedRange<Int64> {
    let values = input.values
    var (low, high) = (biases[channel], biases[channel])
    for weight in channels[channel] {
      let (a, b) = (Int64(weight * values.lowerBound), Int64(weight * values.upperBound))
      low += min(a, b)
      high += max(a, b)
    }
    return low...high
  }
}
