extension ClosedRange<Float> {
  /// The range without limits at the largest finite numbers, since XNNPACK keeps infinities.
  var keepingInfinities: ClosedRange<Float> {
    let largest = Float.greatestFiniteMagnitude
    let low = lowerBound == -largest ? -Float.infinity : lowerBound
    let high = upperBound == largest ? Float.infinity : upperBound
    return low...high
  }
}

/// The activation function that some operators apply to their result, as in the schema.
package enum FusedActivation: Int, Sendable {
  case none = 0
  case relu = 1
  case reluN1To1 = 2
  case relu6 = 3
  case tanh = 4
  case signBit = 5

  /// Reads the activation in an options field.
  ///
  /// The official kernels treat unknown values as no activation.
  package init(_ options: OptionReader, field: Int) throws(ModelError) {
    self = Self(rawValue: try options.integer(field, as: Int8.self)) ?? .none
  }

  /// Whether the function does not clamp; most official kernels ignore such an activation.
  package var isUnlimited: Bool {
    switch self {
    case .none, .tanh, .signBit: true
    case .relu, .reluN1To1, .relu6: false
    }
  }

  /// The interval that results are clamped to.
  ///
  /// Without activation the interval still ends at the largest finite numbers: the official
  /// convolutions and pools turn infinities into those.
  package var floatRange: ClosedRange<Float> { floatRange(of: Float.self) }

  /// Returns the interval in another floating-point type.
  package func floatRange<Value: BinaryFloatingPoint>(of _: Value.Type) -> ClosedRange<Value> {
    switch self {
    case .relu: 0...Value.greatestFiniteMagnitude
    case .reluN1To1: -1...1
    case .relu6: 0...6
    case .none, .tanh, .signBit:
      -Value.greatestFiniteMagnitude...Value.greatestFiniteMagnitude
    }
  }

  /// Returns the interval in an integer type without quantization.
  package func integerRange<Value: FixedWidthInteger>(of _: Value.Type) -> ClosedRange<Value> {
    switch self {
    case .relu: 0...Value.max
    case .reluN1To1: (Value.isSigned ? 0 &- 1 : 0)...1
    case .relu6: 0...6
    case .none, .tanh, .signBit: Value.min...Value.max
    }
  }

  /// Returns the interval in the integers of a quantized output, of type `uint8`, `int8` or
  /// `int16`.
  package func quantizedRange(
    of output: TensorSpec, node: NodeSpec
  ) throws(ModelError) -> ClosedRange<Int32> {
    let range: ClosedRange<Int32> =
      switch output.type {
      case .uint8: 0...255
      case .int8: -128...127
      case .int16: -32768...32767
      default: throw node.unsupported("\(output.label) is not a quantized activation")
      }
    if isUnlimited { return range }
    let (scale, zeroPoint) = try node.perTensorQuantization(of: output)
    func quantize(_ real: Float) throws(ModelError) -> Int32 {
      let steps = (real / scale).rounded(.toNearestOrAwayFromZero)
      guard let integer = Int32(exactly: steps),
        let result = Int32(exactly: Int(integer) + zeroPoint)
      else { throw node.error("scale \(scale) of \(output.label) is too small") }
      return result
    }
    var low = range.lowerBound
    var high = range.upperBound
    switch self {
    case .none, .tanh, .signBit: break
    case .relu: low = max(low, try quantize(0))
    case .relu6: (low, high) = (max(low, try quantize(0)), min(high, try quantize(6)))
    case .reluN1To1: (low, high) = (max(low, try quantize(-1)), min(high, try quantize(1)))
    }
    guard low <= high else { throw node.error("zero point \(zeroPoint) is out of range") }
    return low...high
  }
}

extension FusedActivation {
  /// Applies the function itself, as the hybrid and the recurrent kernels do.
  ///
  /// Without activation, infinities are kept. When the run is stopped, later values stay unchanged.
  package func apply(
    to values: UnsafeMutableBufferPointer<Float>, _ control: RunControl? = nil
  ) {
    for chunk in StoppableChunks(of: values.count, control) { apply(to: values, chunk) }
  }

  private func apply(to values: UnsafeMutableBufferPointer<Float>, _ indices: Range<Int>) {
    switch self {
    case .none: break
    case .relu, .reluN1To1, .relu6:
      let range = floatRange
      for index in indices { values[index] = values[index].clamped(to: range) }
    case .tanh:
      for index in indices { values[index] = rationalTanh(values[index]) }
    case .signBit:
      for index in indices { values[index] = values[index].sign == .minus ? 1 : 0 }
    }
  }
}

extension Comparable {
  /// Returns the nearest value inside an interval.
  package func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
