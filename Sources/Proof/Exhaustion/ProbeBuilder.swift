import OcellusAudit
import OcellusEngine
import OcellusModelFile

/// Writes the model of a probe.
struct ProbeBuilder {
  let node: WeightedNode
  let kind: WeightedNode.Kind
  let counter: Counter
  let layout: SumProbe.Layout
  /// The biases of the columns.
  let biases: [Int32]
  /// The channels of the node that the columns have the scales of.
  let channels: [Int]

  /// The number of inputs of a row, which some kernels want to be a whole vector.
  private static let depth = 16
  private static let side = 256

  private var columnCount: Int { biases.count }
  private var isDepthwise: Bool { kind == .depthwise }
  private var extent: Int { layout == .windows && kind == .convolution ? 3 : 1 }

  // MARK: The input

  private var inputShape: [Int] {
    switch (kind, layout) {
    case (.fullyConnected, .single): [1, Self.depth]
    case (.fullyConnected, _): [1 << 16, Self.depth]
    case (.depthwise, .single): [1, 3, 3, columnCount]
    case (.depthwise, _): [1, 3, 2 + 1 << 16, columnCount]
    case (_, .single): [1, 1, 1, Self.depth]
    case _: [1, Self.side, Self.side, Self.depth]
    }
  }

  func operand(number: Int) -> StoredTensor {
    let type: ElementType = node.input.isSigned ? .int8 : .uint8
    let zero = node.input.byte(0)
    var bytes = [UInt8](repeating: zero, count: inputShape.reduce(1, *))
    switch (layout == .single, isDepthwise) {
    case (true, true): writeWindow(number, to: &bytes)
    case (true, false): writeRow(number, at: 0, to: &bytes)
    case (false, true): writeSequence(to: &bytes)
    case (false, false):
      for row in 0..<SumProbe.rowCount { writeRow(row, at: row, to: &bytes) }
    }
    return StoredTensor(type: type, shape: Shape(inputShape), bytes: bytes)
  }

  private func writeRow(_ number: Int, at row: Int, to bytes: inout [UInt8]) {
    let (low, high) = counter.digits(of: number)
    let start = row * Self.depth
    bytes[start] = node.input.byte(low)
    for index in counter.carries.indices { bytes[start + 1 + index] = node.input.byte(high) }
  }

  /// Writes a window of all channels: the lower digit is its centre, the higher one right of it.
  private func writeWindow(_ number: Int, to bytes: inout [UInt8]) {
    let (low, high) = counter.digits(of: number)
    for channel in 0..<columnCount {
      bytes[4 * columnCount + channel] = node.input.byte(low)
      for line in 0..<3 {
        bytes[(3 * line + 2) * columnCount + channel] = node.input.byte(high)
      }
    }
  }

  /// Writes three equal lines, whose pixels are digits.
  private func writeSequence(to bytes: inout [UInt8]) {
    let sequence = DigitSequence.shared.bytes
    let width = inputShape[2]
    for column in 0..<width {
      // The first pixel is beside the first centre.
      let digit = sequence[(column + sequence.count - 1) % sequence.count]
      let byte = node.input.byte(counter.digits(of: Int(digit)).low)
      for line in 0..<3 {
        let start = (line * width + column) * columnCount
        for channel in 0..<columnCount { bytes[start + channel] = byte }
      }
    }
  }

  // MARK: The model

  private var weightShape: [Int] {
    switch kind {
    case .fullyConnected: [columnCount, Self.depth]
    case .depthwise: [1, 3, 3, columnCount]
    case .convolution, .transposed: [columnCount, extent, extent, Self.depth]
    }
  }

  private var weightBytes: [UInt8] {
    var bytes = [UInt8](repeating: node.weights.byte(0), count: weightShape.reduce(1, *))
    for column in 0..<columnCount {
      if isDepthwise {
        // The lower digit is the centre, the higher one the pixels to the right of it.
        bytes[4 * columnCount + column] = node.weights.byte(counter.unit)
        for (line, weight) in counter.carries.enumerated() {
          bytes[(3 * line + 2) * columnCount + column] = node.weights.byte(weight)
        }
      } else {
        let centre = extent * extent / 2
        let start = (column * extent * extent + centre) * Self.depth
        bytes[start] = node.weights.byte(counter.unit)
        for (index, weight) in counter.carries.enumerated() {
          bytes[start + 1 + index] = node.weights.byte(weight)
        }
      }
    }
    return bytes
  }

  private var weightScales: [Float] {
    node.weights.scales.count == 1 ? node.weights.scales : channels.map { node.weights.scales[$0] }
  }

  private var outputShape: [Int] {
    switch (kind, layout) {
    case (.fullyConnected, _): [inputShape[0], columnCount]
    case (_, .single): [1, 1, 1, columnCount]
    case (.depthwise, _): [1, 1, 1 << 16, columnCount]
    case _: [1, Self.side, Self.side, columnCount]
    }
  }

  var file: [UInt8] {
    let type: TensorType = node.input.isSigned ? .int8 : .uint8
    let scales = weightScales
    let weightType: TensorType = node.weights.isSigned ? .int8 : .uint8
    let tensors: [ModelWriter.Tensor] = [
      .init("input", type, inputShape, quantization: record(node.input)),
      .init(
        "weights", weightType, weightShape, constant: weightBytes,
        quantization: QuantizationRecord(
          scales: scales,
          zeroPoints: scales.map { _ in Int(node.weights.zeroPoint) }, axis: isDepthwise ? 3 : 0)),
      .init(
        "bias", .int32, [columnCount], constant: biases.withUnsafeBytes { Array($0) },
        quantization: QuantizationRecord(
          scales: scales.map { $0 * node.input.scales[0] }, zeroPoints: scales.map { _ in 0 })),
      .init("result", type, outputShape, quantization: record(node.output)),
    ]
    let code = BuiltinOperator.code(named: kind.rawValue) ?? 0
    return ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0], outputs: [3],
        operators: [
          .init(
            OperatorCodeRecord(builtinCode: code, version: node.input.isSigned ? 3 : 1),
            inputs: [0, 1, 2], outputs: [3], options: options)
        ])
    ]).bytes()
  }

  private func record(_ tensor: QuantizedTensor) -> QuantizationRecord {
    QuantizationRecord(scales: tensor.scales, zeroPoints: [Int(tensor.zeroPoint)])
  }

  private var options: ModelWriter.Options {
    // A padding of 0 is SAME, so that results have the size of the image; 1 is VALID.
    let isSame = kind == .convolution
    let (tag, values): (Int, [String: FlatValue]) =
      switch kind {
      case .fullyConnected: (BuiltinOptionsTag.fullyConnected, [:])
      case .convolution, .transposed:
        (
          BuiltinOptionsTag.conv2D,
          [
            "padding": .int8(isSame ? 0 : 1), "stride_w": .int32(1), "stride_h": .int32(1),
            "dilation_w_factor": .int32(1), "dilation_h_factor": .int32(1),
          ]
        )
      case .depthwise:
        (
          BuiltinOptionsTag.depthwiseConv2D,
          [
            "padding": .int8(1), "stride_w": .int32(1), "stride_h": .int32(1),
            "depth_multiplier": .int32(1), "dilation_w_factor": .int32(1),
            "dilation_h_factor": .int32(1),
          ]
        )
      }
    var fields: FlatFields = [:]
    let names = OptionsSchema.builtinOptions(tag: tag)?.fields.map(\.name) ?? []
    for (position, name) in names.enumerated() {
      fields[position] =
        name == "fused_activation_function" ? .int8(Int8(node.activation)) : values[name]
    }
    return .init(tag: tag, fields)
  }
}
