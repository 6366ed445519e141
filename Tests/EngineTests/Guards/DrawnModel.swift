import OcellusModelFile
import OcellusTestSupport

/// A valid model of one operator, whose sizes, windows and types are drawn from a seed.
struct DrawnModel {
  typealias Tensor = ModelWriter.Tensor

  /// A description of the drawn parameters, for the message of a failed test.
  var label: String
  var writer: ModelWriter

  init(
    _ name: String, _ label: String, reading: [Tensor], writing: Tensor,
    options: ModelWriter.Options? = nil
  ) {
    let code = OperatorCodeRecord(
      builtinCode: BuiltinOperator.code(named: name) ?? 0, version: 1)
    self.label = "\(name) \(label)"
    writer = .singleOperator(code, reading: reading, writing: [writing], options: options)
  }
}

/// The groups of operators that models are drawn from.
enum DrawnFamily: String, CaseIterable {
  case convolution, depthwise, transposed, products, pools, resizing, elementCopies, elementwise
  case reductions, softmax

  func model(_ draw: inout ModelDraw) -> DrawnModel {
    switch self {
    case .convolution: draw.convolution()
    case .depthwise: draw.depthwise()
    case .transposed: draw.transposed()
    case .products: draw.product()
    case .pools: draw.pool()
    case .resizing: draw.resizing()
    case .elementCopies: draw.move()
    case .elementwise: draw.elementwise()
    case .reductions: draw.reduction()
    case .softmax: draw.softmax()
    }
  }
}

/// Draws models from a seed.
struct ModelDraw {
  typealias Tensor = ModelWriter.Tensor

  /// The operand types of an operator that multiplies by weights.
  enum Arithmetic: String, CaseIterable {
    case float32, int8, uint8, int16, hybrid

    var type: TensorType {
      switch self {
      case .float32, .hybrid: .float32
      case .int8: .int8
      case .uint8: .uint8
      case .int16: .int16
      }
    }
  }

  var random: SeededGenerator

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

  /// Returns a size from a range, small sizes more often than large ones.
  mutating func size(_ range: ClosedRange<Int>) -> Int {
    number(range.lowerBound...(bool() ? range.upperBound : min(range.upperBound, 17)))
  }

  mutating func bool() -> Bool { .random(using: &random) }

  mutating func choice<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }

  // MARK: Tensors

  /// A tensor that is an input or a result, quantized if it holds integers of up to 16 bits.
  func tensor(_ name: String, _ type: TensorType, _ shape: [Int] = []) -> Tensor {
    let isQuantized = [.int8, .uint8, .int16].contains(type)
    let zeroPoint = type == .uint8 ? 121 : type == .int8 ? -3 : 0
    return Tensor(
      name, type, shape,
      quantization: isQuantized ? .init(scales: [0.03], zeroPoints: [zeroPoint]) : nil)
  }

  /// A constant of random numbers, where floats lie between -1 and 1.
  mutating func constant(
    _ name: String, _ type: TensorType, _ shape: [Int], scales: [Float] = [], axis: Int = 0,
    zeroPoint: Int = 0
  ) -> Tensor {
    let count = shape.reduce(1, *)
    let bytes: [UInt8]
    switch type {
    case .float32: bytes = .init(bytesOf: random.floats(count))
    case .int32: bytes = .init(bytesOf: (0..<count).map { _ in Int32(number(-900...900)) })
    case .int64: bytes = .init(bytesOf: (0..<count).map { _ in number(-900...900) })
    case .int16: bytes = .init(bytesOf: (0..<count).map { _ in Int16(number(-32767...32767)) })
    default: bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: number(-127...127)) }
    }
    let quantization = QuantizationRecord(
      scales: scales, zeroPoints: .init(repeating: zeroPoint, count: scales.count), axis: axis)
    return Tensor(
      name, type, shape, constant: bytes, quantization: scales.isEmpty ? nil : quantization)
  }

  /// A constant of 32-bit integers, such as axes, offsets or extents.
  func integers(_ values: [Int], shape: [Int]? = nil) -> Tensor {
    Tensor(
      "integers", .int32, shape ?? [values.count],
      constant: .init(bytesOf: values.map { Int32($0) }))
  }

  /// The weights and an optional bias for inputs of a type; `channels` lie along `axis`.
  mutating func weights(
    _ arithmetic: Arithmetic, _ shape: [Int], channels: Int, axis: Int, hasBias: Bool,
    isPerChannel: Bool = true
  ) -> [Tensor] {
    let scaleCount = arithmetic == .uint8 || !isPerChannel ? 1 : channels
    let scales = (0..<scaleCount).map { 0.01 + 0.001 * Float($0 % 7) }
    let filter: Tensor
    switch arithmetic {
    case .float32: filter = constant("filter", .float32, shape)
    case .uint8: filter = constant("filter", .uint8, shape, scales: scales, zeroPoint: 119)
    default: filter = constant("filter", .int8, shape, scales: scales, axis: axis)
    }
    guard hasBias else { return [filter] }
    let biasType: TensorType =
      arithmetic.type == .float32 ? .float32 : arithmetic == .int16 ? .int64 : .int32
    let biasScales = biasType == .float32 ? [] : scales.map { $0 * 0.03 }
    return [filter, constant("bias", biasType, [channels], scales: biasScales)]
  }
}
