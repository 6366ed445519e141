import OcellusKernelABI
import OcellusPlatform

/// FLOOR_DIV and FLOOR_MOD: the quotient rounded down, and the remainder with the divisor's sign.
package enum FloorDivision {
  package static let quotient = Binary.definition(
    "FLOOR_DIV", versions: 1...3,
    [
      .init(FloatFloorQuotient()), .init(FloorQuotient<Int8>()), .init(FloorQuotient<Int16>()),
      .init(FloorQuotient<Int32>()),
    ])

  package static let remainder = Binary.definition(
    "FLOOR_MOD", versions: 1...2,
    [
      .init(FloatFloorRemainder()), .init(FloorRemainder<Int8>()),
      .init(FloorRemainder<Int16>()), .init(FloorRemainder<Int32>()),
      .init(FloorRemainder<Int64>()),
    ])
}

private struct FloorQuotient<Value: FixedWidthInteger & TensorElement>: BinaryFunction {
  func callAsFunction(_ a: Value, _ b: Value) -> Value {
    // Only -1 can make a quotient overflow. One division gives both quotient and remainder.
    if b == -1 { return 0 &- a }
    let quotient = a / b
    let remainder = a &- quotient &* b
    return quotient &+ remainder.signDiffers(from: b)
  }

  func objection(to second: UnsafeBufferPointer<Value>) -> String? { zeroDivisorError(in: second) }
  var mayRejectOperands: Bool { true }
  var tuned: BinaryArithmetic? {
    Value.self == Int32.self ? .integers(.floorQuotient, .int32) : nil
  }
}

private struct FloorRemainder<Value: FixedWidthInteger & TensorElement>: BinaryFunction {
  func callAsFunction(_ a: Value, _ b: Value) -> Value {
    // Only -1 can make a quotient overflow.
    if b == -1 { return 0 }
    let remainder = a % b
    return remainder &+ (b & remainder.signDiffers(from: b))
  }

  func objection(to second: UnsafeBufferPointer<Value>) -> String? { zeroDivisorError(in: second) }
  var mayRejectOperands: Bool { true }
  var tuned: BinaryArithmetic? {
    Value.self == Int32.self ? .integers(.floorRemainder, .int32) : nil
  }
}

extension FixedWidthInteger {
  /// Returns all ones (-1) for a nonzero number whose sign differs from that of `other`, else 0.
  ///
  /// There is no branch, since it would be mispredicted half of the time.
  fileprivate func signDiffers(from other: Self) -> Self {
    let isNotZero = self | (0 &- self)
    return ((self ^ other) & isNotZero) >> (Self.bitWidth - 1)
  }
}

private struct FloatFloorQuotient: BinaryFunction {
  func callAsFunction(_ a: Float, _ b: Float) -> Float {
    Float((Double(a) / Double(b)).rounded(.down))
  }

  // Floats can be divided by zero, but the official kernel refuses zero divisors all the same.
  func objection(to second: UnsafeBufferPointer<Float>) -> String? { zeroDivisorError(in: second) }
  var mayRejectOperands: Bool { true }
  var tuned: BinaryArithmetic? { .floats(.floorQuotient, of: Float.self) }
}

private struct FloatFloorRemainder: BinaryFunction {
  func callAsFunction(_ a: Float, _ b: Float) -> Float {
    let remainder = fmodf(a, b)
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder
  }
}
