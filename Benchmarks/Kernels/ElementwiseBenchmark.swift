import OcellusKernelABI

/// The times of the elementwise kernels of one instruction set, on arrays that stay in cache.
struct ElementwiseBenchmark {
  private static let count = 1 << 14

  let kernels: Elementwise

  /// The functions by name, in an order of their own.
  var functions: [(name: String, call: (BinaryRows) -> Void)] {
    let result = FixedPointResult(
      multiplier: 1_717_986_918, exponent: -19,
      range: QuantizedRange(zeroPoint: 3, minimum: -128, maximum: 127), isBounded: true)
    let sum = QuantizedSum(
      element: .int8, first: QuantizedSumTerm(factor: 1 << 19, constant: 4),
      second: QuantizedSumTerm(
        factor: 1 << 18, constant: 4, fraction: 333, fractionConstant: 444, fractionBits: 11,
        shift: 1), result: result)
    let linear = LinearSum(
      element: .int8, firstFactor: 1 << 21, secondFactor: 333_333, constant: 77_777, shift: 21,
      minimum: -128, maximum: 127)
    let product = QuantizedProduct(
      element: .int8, firstZeroPoint: 1, secondZeroPoint: 2, result: result)
    return [
      ("float sum", { kernels.floats(.add, FloatRange(), $0) }),
      ("int8 sum, rounded twice", { kernels.quantizedSum(sum, $0) }),
      ("int8 sum, linear", { kernels.linearSum(linear, $0) }),
      ("int8 product", { kernels.quantizedProduct(product, $0) }),
      ("clamp", unary(.clamp(FloatRange(lowerBound: 0, upperBound: 6)))),
      ("exp", unary(.exponential(.fast))), ("exp as libm", unary(.exponential(.exact))),
      ("sigmoid", unary(.logistic(.fast))), ("tanh", unary(.tanh(.fast))),
      ("tanh as libm", unary(.tanh(.exact))),
      ("float to int8", conversion(.quantize(.int8, scale: 0.1, range: result.range))),
      ("int8 to float", conversion(.dequantize(.int8, scale: 0.1, zeroPoint: 3))),
    ]
  }

  private func unary(_ function: UnaryFloatFunction) -> (BinaryRows) -> Void {
    { kernels.mappedFloats(function, Self.row($0)) }
  }

  private func conversion(_ conversion: ElementConversion) -> (BinaryRows) -> Void {
    { kernels.converted(conversion, Self.row($0)) }
  }

  private static func row(_ rows: BinaryRows) -> ElementRow {
    ElementRow(input: rows.first, output: rows.output, count: rows.rowLength)
  }

  /// Nanoseconds an element, of the fastest of many calls.
  func time(_ function: (BinaryRows) -> Void) -> Double {
    let arrays = (0..<3).map { _ in
      let array = UnsafeMutablePointer<Float>.allocate(capacity: Self.count)
      for index in 0..<Self.count { array[index] = Float(index % 37) * 0.3 - 5 }
      return array
    }
    defer { arrays.forEach { $0.deallocate() } }
    let rows = BinaryRows(
      first: arrays[0], second: arrays[1], output: arrays[2], rowLength: Self.count)
    let clock = ContinuousClock()
    let times = (0..<200).map { _ in clock.measure { function(rows) } / .nanoseconds(1) }
    return (times.min() ?? 0) / Double(Self.count)
  }
}
