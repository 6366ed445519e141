import OcellusAudit
import OcellusEngine
import OcellusModelFile

/// A node described by the user: an operator, its operands, types and options.
struct KernelRequest {
  /// An operand: `1x40x40x32` is a tensor of that shape, `=1x2` the constant numbers 1 and 2.
  enum Operand {
    case shape([Int])
    case numbers([Int])

    init(_ text: String) throws(UsageError) {
      let isNumbers = text.hasPrefix("=")
      let parts = text.dropFirst(isNumbers ? 1 : 0).split(
        separator: "x", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Int32($0).map(Int.init) }
      guard numbers.count == parts.count, isNumbers || numbers.allSatisfy({ $0 > 0 }) else {
        throw UsageError("'\(text)' is no shape such as 1x40x40x32, and no numbers such as =1x2")
      }
      self = isNumbers ? .numbers(numbers) : .shape(numbers)
    }
  }

  /// The types that a request may name.
  static let types: [(word: String, value: ElementType)] = [
    "float32", "float16", "bfloat16", "int8", "uint8", "int16", "int32", "int64", "int4", "bool",
  ].compactMap { name in ElementType.allCases.first { $0.name == name }.map { (name, $0) } }

  var operatorName: String
  var operands: [Operand]
  var type = ElementType.float32
  /// The type of the weights; `nil` for the default.
  var weightType: ElementType?
  /// The type of the results; `nil` for the default.
  var resultType: ElementType?
  var options: [(name: String, value: String)] = []

  /// The name for reports.
  var title: String {
    let shapes = operands.map { operand in
      switch operand {
      case .shape(let shape): shape.map(String.init).joined(separator: "x")
      case .numbers(let numbers): "=" + numbers.map(String.init).joined(separator: "x")
      }
    }
    let settings = options.map { "\($0.name)=\($0.value)" }
    return ([operatorName] + shapes + settings + [type.name]).joined(separator: " ")
  }

  /// Makes the node with generated weights and inputs.
  func node() throws -> SingleNode {
    try SingleNode(title: title, operatorName: operatorName, file: try file())
  }

  // MARK: The model

  private func file() throws(UsageError) -> [UInt8] {
    guard let definition = allOperators.first(where: { $0.name == operatorName }),
      let code = BuiltinOperator.code(named: operatorName)
    else {
      let hint = Suggestion.text(for: operatorName, among: allOperators.map(\.name))
      throw UsageError("there is no operator '\(operatorName)'\(hint)")
    }
    try checkSizes()
    var tensors: [ModelWriter.Tensor] = []
    for (index, operand) in operands.enumerated() { tensors.append(tensor(operand, index)) }
    if let bias = bias { tensors.append(bias) }
    let operandCount = tensors.count
    let inputs = tensors.indices.filter { tensors[$0].constant == nil }
    var result = resultType ?? type
    if case .always(let type) = definition.resultType { result = resultType ?? type }
    tensors.append(
      .init("result", fileType(result), [], quantization: resultQuantization(result)))
    return ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: inputs, outputs: [tensors.count - 1],
        operators: [
          .init(
            OperatorCodeRecord(builtinCode: code, version: definition.versions.upperBound),
            inputs: Array(0..<operandCount), outputs: [tensors.count - 1],
            options: try KernelOptions(of: operatorName)?.written(options, weights: weightShape))
        ])
    ]).bytes()
  }

  /// The maximum number of elements of an operand, above that of any real layer.
  private static let maximumElements = 1 << 27

  private func checkSizes() throws(UsageError) {
    for case .shape(let shape) in operands {
      var count = 1
      for extent in shape where count <= Self.maximumElements {
        let (product, overflows) = count.multipliedReportingOverflow(by: extent)
        count = overflows ? .max : product
      }
      guard count <= Self.maximumElements else {
        throw UsageError("\(title): an operand has more than \(Self.maximumElements) elements")
      }
    }
  }

  /// The operators whose second operand is the weights.
  private static let weighted: Set = [
    "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "TRANSPOSE_CONV",
  ]

  private var weightShape: [Int]? {
    guard Self.weighted.contains(operatorName), operands.count > 1,
      case .shape(let shape) = operands[1]
    else { return nil }
    return shape
  }

  /// A bias of zeros, which convolutions require as an operand after the weights.
  private var bias: ModelWriter.Tensor? {
    guard let weights = weightShape, operands.count == 2, operatorName != "FULLY_CONNECTED" else {
      return nil
    }
    let count = isDepthwise ? weights.last ?? 1 : weights[0]
    let types: [ElementType: ElementType] = [.int8: .int32, .uint8: .int32, .int16: .int64]
    let biasType = types[type] ?? .float32
    return .init(
      "bias", fileType(biasType), [count],
      constant: [UInt8](repeating: 0, count: biasType.byteCount(ofElements: count) ?? 0),
      quantization: Self.isQuantized(type)
        ? QuantizationRecord(scales: [Self.scale * Self.weightScale], zeroPoints: [0]) : nil)
  }

  private func tensor(_ operand: Operand, _ index: Int) -> ModelWriter.Tensor {
    switch operand {
    case .numbers(let numbers):
      let bytes = numbers.map { Int32(truncatingIfNeeded: $0) }.withUnsafeBytes { Array($0) }
      return .init("numbers \(index)", .int32, [numbers.count], constant: bytes)
    case .shape(let shape) where index == 1 && weightShape != nil:
      let type = weightType ?? (self.type == .int16 ? .int8 : self.type)
      var stream = InputGenerator(input: index)
      return .init(
        "weights", fileType(type), shape,
        constant: stream.bytes(of: type, count: shape.reduce(1, *)),
        quantization: Self.isQuantized(type)
          ? QuantizationRecord(
            scales: [Self.weightScale], zeroPoints: [type == .uint8 ? 117 : 0]) : nil)
    case .shape(let shape):
      return .init(
        "operand \(index)", fileType(type), shape, quantization: operandQuantization(type))
    }
  }

  private func fileType(_ type: ElementType) -> TensorType {
    TensorType(rawValue: type.rawValue) ?? .float32
  }

  // MARK: Quantization

  private static let scale: Float = 0.05
  private static let weightScale: Float = 0.01
  /// The variance of uniformly distributed 8-bit numbers.
  private static let meanSquare: Float = 74 * 74
  /// The standard deviation of quantized results, chosen so that few saturate.
  private static let resultSpread: Float = 40

  private static func isQuantized(_ type: ElementType) -> Bool {
    [.int8, .uint8, .int16, .int4].contains(type)
  }

  private func operandQuantization(_ type: ElementType) -> QuantizationRecord? {
    guard Self.isQuantized(type) else { return nil }
    let zeroPoints: [ElementType: Int] = [.int8: -4, .uint8: 124]
    return QuantizationRecord(scales: [Self.scale], zeroPoints: [zeroPoints[type] ?? 0])
  }

  private func resultQuantization(_ type: ElementType) -> QuantizationRecord? {
    guard Self.isQuantized(type) else { return nil }
    let lowest = type == .uint8 ? 0 : type == .int16 ? -32768 : -128
    switch operatorName {
    case "LOGISTIC", "SOFTMAX":
      return QuantizationRecord(
        scales: [type == .int16 ? 1 / 32768 : 1 / 256], zeroPoints: [type == .int16 ? 0 : lowest])
    case "TANH", "L2_NORMALIZATION":
      return QuantizationRecord(
        scales: [type == .int16 ? 1 / 32768 : 1 / 128],
        zeroPoints: [type == .int16 ? 0 : lowest + 128])
    case "LOG_SOFTMAX":
      return QuantizationRecord(scales: [16 / 256], zeroPoints: [lowest + 255])
    case "MUL":
      let scale = Self.scale * Self.scale * Self.meanSquare / Self.resultSpread
      return QuantizationRecord(scales: [scale], zeroPoints: [type == .uint8 ? 128 : 0])
    default:
      guard let weights = weightShape else { return operandQuantization(type) }
      let depth = weights.dropFirst().reduce(1, *) / (isDepthwise ? max(weights.last ?? 1, 1) : 1)
      let scale =
        Self.scale * Self.weightScale * Self.meanSquare * Float(depth).squareRoot()
        / Self.resultSpread
      return QuantizationRecord(scales: [scale], zeroPoints: [type == .uint8 ? 128 : 0])
    }
  }

  /// Whether the node has weights, which may be of several types.
  var isLayer: Bool { weightShape != nil }

  private var isDepthwise: Bool { operatorName == "DEPTHWISE_CONV_2D" }
}
