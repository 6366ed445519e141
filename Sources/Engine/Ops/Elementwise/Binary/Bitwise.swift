/// BITWISE_XOR, RIGHT_SHIFT and STABLEHLO_SHIFT_LEFT: bitwise operators on integers.
package enum Bitwise {
  package static let xor = Binary.definition(
    "BITWISE_XOR",
    [
      .init(ExclusiveOr<Int8>()), .init(ExclusiveOr<UInt8>()), .init(ExclusiveOr<Int16>()),
      .init(ExclusiveOr<UInt16>()), .init(ExclusiveOr<Int32>()), .init(ExclusiveOr<UInt32>()),
    ])

  package static let rightShift = Binary.definition(
    "RIGHT_SHIFT",
    [
      .init(RightShift<Int8>()), .init(RightShift<UInt8>()), .init(RightShift<Int16>()),
      .init(RightShift<UInt16>()), .init(RightShift<Int32>()), .init(RightShift<UInt32>()),
    ])

  package static let leftShift = Binary.definition(
    "STABLEHLO_SHIFT_LEFT", shapes: .equal,
    [.init(LeftShift<Int8>()), .init(LeftShift<Int16>()), .init(LeftShift<Int32>())])
}

private struct ExclusiveOr<Value: FixedWidthInteger & TensorElement>: BinaryFunction {
  func callAsFunction(_ a: Value, _ b: Value) -> Value { a ^ b }
}

/// Clamps negative shift amounts to zero and large ones to the bit width minus one.
private struct RightShift<Value: FixedWidthInteger & TensorElement>: BinaryFunction {
  func callAsFunction(_ a: Value, _ b: Value) -> Value {
    a >> b.clamped(to: 0...Value(Value.bitWidth - 1))
  }
}

/// Takes shift amounts modulo 32, as processors do.
///
/// The official C++ kernel shifts in 32 bits, where other amounts are undefined.
private struct LeftShift<Value: FixedWidthInteger & TensorElement>: BinaryFunction {
  func callAsFunction(_ a: Value, _ b: Value) -> Value {
    Value(truncatingIfNeeded: Int32(truncatingIfNeeded: a) &<< Int32(truncatingIfNeeded: b))
  }
}
