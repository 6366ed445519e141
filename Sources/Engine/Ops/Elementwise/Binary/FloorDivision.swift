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
    // The one divisor whose quotients can overflow; one division gives the remainder as well.
    if b == -1 { return 0 &- a }
    let quotient = a / b
    let remainder = a &- quotient &* b
    return quotient &+ remainder.signDiffers(from: b)
  }

  func objection(to second: UnsafeBufferPointer<Value>) -> String? { objectionToZero(in: second) }
  var mayObject: Bool { true }
  var tuned: BinaryArithmetic? {
    Value.self == Int32.self ? .integers(.floorQuotient, .int32) : nil
  }
}

private struct FloorRemainder<Value: FixedWidthInteger & TensorElement>: BinaryFunction {
  func callAsFunction(_ a: Value, _ b: Value) -> Value {
    // The one divisor whose quotients can overflow.
    if b == -1 { return 0 }
    let remainder = a % b
    return remainder &+ (b & remainder.signDiffers(from: b))
  }

  func objection(to second: UnsafeBufferPointer<Value>) -> String? { objectionToZero(in: second) }
  var mayObject: Bool { true }
  var tuned: BinaryArithmetic? {
    Value.self == Int32.self ? .integers(.floorRemainder, .int32) : nil
  }
}

extension FixedWidthInteger {
  /// All ones, which is -1, for a number that is not zero and has another sign, else 0: without a branch,
  /// of which processors would guess half wrong.
  fileprivate func signDiffers(from other: Self) -> Self {
    let isNotZero = self | (0 &- self)
    return ((self ^ other) & isNotZero) >> (Self.bitWidth - 1)
  }
}

private struct FloatFloorQuotient: BinaryFunction {
  func callAsFunction(_ a: Float, _ b: Float) -> Float {
    Float((Double(a) / Double(b)).rounded(.down))
  }

  // Floats have no need of this, but the official kernel refuses them all the same.
  func objection(to second: UnsafeBufferPointer<Float>) -> String? { objectionToZero(in: second) }
  var mayObject: Bool { true }
  var tuned: BinaryArithmetic? { .floats(.floorQuotient, of: Float.self) }
}

private struct FloatFloorRemainder: BinaryFunction {
  func callAsFunction(_ a: Float, _ b: Float) -> Float {
    let remainder = fmodf(a, b)
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder
  }
}
