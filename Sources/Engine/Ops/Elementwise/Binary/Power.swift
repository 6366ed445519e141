import OcellusKernelABI
import OcellusPlatform

/// POW: powers of floats, and of integers to exponents that are not negative.
package enum Power {
  package static let definition = Binary.definition("POW", [floatLoop, integerLoop])

  private static let floatLoop = BinaryLoop(
    operandType: .float32, resultType: .float32,
    step: { context in
      guard let bases = context.inputShapes[0], let shape = context.inputShapes[1] else {
        return nil
      }
      if isScalar(shape, for: bases) {
        guard let exponents = context.constants[1] else { return nil }
        if let product = product(bases, exponents) {
          return .floats(.power(product.exponent), context)
        }
      }
      return FloatPower().step(context)
    }
  ) { context throws(ModelError) in
    let (bases, exponents) = (context.input(0), context.input(1))
    if let product = product(bases.shape, exponents) {
      product.apply(bases, exponents, to: context.output(0))
    } else {
      FloatPower().apply(bases, exponents, to: context.output(0))
    }
  }

  /// Returns a power by repeated multiplication, as in the official kernel for nearly whole
  /// exponents.
  private static func product(
    _ bases: Shape, _ exponents: TensorView
  ) -> RepeatedProduct<Float>? {
    guard isScalar(exponents.shape, for: bases), let exponent = exponents.values(Float.self).first
    else {
      return nil
    }
    let nearest = exponent.rounded(.toNearestOrAwayFromZero)
    return abs(exponent - nearest) < 1e-5 ? .init(exponent: Int32(exactly: nearest)) : nil
  }

  private static let integerLoop = BinaryLoop(
    operandType: .int32, resultType: .int32
  ) { context throws(ModelError) in
    let (bases, exponents) = (context.input(0), context.input(1))
    try context.require(
      exponents.values(Int32.self).allSatisfy(context.control) { $0 >= 0 },
      "integers have no negative powers")
    if isScalar(exponents.shape, for: bases.shape),
      let product = RepeatedProduct<Int32>(exponent: exponents.values(Int32.self).first)
    {
      product.apply(bases, exponents, to: context.output(0))
    } else {
      IntegerPower().apply(bases, exponents, to: context.output(0))
    }
  }

  /// Whether the official kernel looks for a whole exponent, which it does only if it broadcasts.
  private static func isScalar(_ exponents: Shape, for bases: Shape) -> Bool {
    exponents.elementCount == 1 && exponents != bases
  }
}

private struct FloatPower: BinaryFunction {
  func callAsFunction(_ base: Float, _ exponent: Float) -> Float { powf(base, exponent) }
}

private struct IntegerPower: BinaryFunction {
  func callAsFunction(_ base: Int32, _ exponent: Int32) -> Int32 {
    // C++ leaves the conversion of a number that is too large undefined; this is the result on x86.
    let tooLarge = Int32.min
    var (power, factor) = (1 as Int64, Int64(base))
    var bits = UInt32(bitPattern: exponent)
    while true {
      if bits & 1 == 1 {
        power &*= factor
        if Int32(exactly: power) == nil { return tooLarge }
      }
      bits >>= 1
      // The remaining bits would multiply by the next factor at least once.
      if bits == 0 { return Int32(truncatingIfNeeded: power) }
      factor &*= factor
      if factor > 1 << 31 { return tooLarge }
    }
  }
}

/// A power with one whole exponent, by multiplication; every product is clamped to finite numbers.
private struct RepeatedProduct<Value: PlainArithmetic>: BinaryFunction {
  let exponent: UInt32
  private let range = Value.range(of: .none)

  /// - Returns: `nil` unless the exponent is at least one.
  init?(exponent: Int32?) {
    guard let exponent, exponent >= 1 else { return nil }
    self.exponent = UInt32(exponent)
  }

  func callAsFunction(_ base: Value, _: Value) -> Value {
    var power = base
    let bitCount = exponent.leadingZeroBitCount
    for bit in (0..<31 - bitCount).reversed() {
      power = Value.product(power, power).clamped(to: range)
      if exponent >> UInt32(bit) & 1 == 1 { power = Value.product(power, base).clamped(to: range) }
    }
    return power
  }
}
