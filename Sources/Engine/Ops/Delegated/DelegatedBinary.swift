import OcellusKernelABI

/// `a ± b` of bytes as in XNNPACK: with two factors of 21 bits, rounded once, half up.
struct DelegatedSum<Stored: FixedWidthInteger & TensorElement>: BinaryFunction {
  static var isVectorized: Bool { true }

  private let firstFactor: Int32
  private let secondFactor: Int32
  /// The zero points of the operands and one half.
  private let constant: Int32
  private let shift: Int32
  private let zeroPoint: Int32
  private let range: ClosedRange<Int32>

  init(_ node: NodeSpec, sign: Int32) throws(ModelError) {
    let (first, second) = (
      try node.affineScale(of: node.input(0)), try node.affineScale(of: node.input(1))
    )
    let output = try node.output(0)
    let result = try node.affineScale(of: output)
    let ratios = (first.scale / result.scale, second.scale / result.scale)
    // The greater factor has 21 bits.
    let bits = 20 - Int(max(ratios.0, ratios.1).exponent)
    let unit = Float(sign: .plus, exponent: bits, significand: 1)
    firstFactor = Int32((ratios.0 * unit).rounded(.toNearestOrEven))
    secondFactor = sign * Int32((ratios.1 * unit).rounded(.toNearestOrEven))
    shift = Int32(bits)
    constant =
      1 << (shift - 1) &- firstFactor &* Int32(first.zeroPoint)
      &- secondFactor &* Int32(second.zeroPoint)
    zeroPoint = Int32(result.zeroPoint)
    let tag = sign > 0 ? DelegatedOptions.add : DelegatedOptions.sub
    range = try FusedActivation(node.options(tag), field: 0).quantizedRange(of: output, node: node)
  }

  @inline(__always)
  func callAsFunction(_ a: Stored, _ b: Stored) -> Stored {
    let first = Int32(truncatingIfNeeded: a) &* firstFactor
    let sum = constant &+ first &+ Int32(truncatingIfNeeded: b) &* secondFactor
    return Stored(truncatingIfNeeded: (sum &>> shift &+ zeroPoint).clamped(to: range))
  }

  /// The same with the zero point among the addends, unless that overflows.
  var tuned: BinaryArithmetic? {
    let reach = 256 * (abs(Int(firstFactor)) + abs(Int(secondFactor)))
    let all = Int(constant) + Int(zeroPoint) << Int(shift)
    guard abs(all) + reach < 1 << 31, let element = QuantizedElement(Stored.elementType) else {
      return nil
    }
    return .linearSum(
      LinearSum(
        element: element, firstFactor: firstFactor, secondFactor: secondFactor,
        constant: Int32(all), shift: shift, minimum: range.lowerBound, maximum: range.upperBound))
  }
}

/// `a · b` of bytes as in XNNPACK.
struct DelegatedProduct<Stored: FixedWidthInteger & TensorElement, Scaling: ProductScaling>:
  BinaryFunction
{
  static var isVectorized: Bool { true }

  private let firstZeroPoint: Int32
  private let secondZeroPoint: Int32
  private let zeroPoint: Int32
  private let scaling: Scaling
  private let range: ClosedRange<Int32>

  init(_ node: NodeSpec) throws(ModelError) {
    let (first, second) = (
      try node.affineScale(of: node.input(0)), try node.affineScale(of: node.input(1))
    )
    let output = try node.output(0)
    let result = try node.affineScale(of: output)
    scaling = Scaling(first.scale * second.scale / result.scale)
    firstZeroPoint = Int32(first.zeroPoint)
    secondZeroPoint = Int32(second.zeroPoint)
    zeroPoint = Int32(result.zeroPoint)
    range = try FusedActivation(node.options(DelegatedOptions.mul), field: 0)
      .quantizedRange(of: output, node: node)
  }

  @inline(__always)
  func callAsFunction(_ a: Stored, _ b: Stored) -> Stored {
    let product =
      (Int32(truncatingIfNeeded: a) &- firstZeroPoint)
      &* (Int32(truncatingIfNeeded: b) &- secondZeroPoint)
    return Stored(truncatingIfNeeded: (scaling.steps(product) &+ zeroPoint).clamped(to: range))
  }

  /// The kernels' scaling in floats without a bias, unless products are so great that it overflows.
  var tuned: BinaryArithmetic? {
    let elements = Stored.elementType.quantizedRange
    let zeroPoints = [firstZeroPoint, secondZeroPoint, zeroPoint]
    guard let factor = scaling.singlePrecisionFactor, 0x1p16 * factor < 0x1p22,
      zeroPoints.allSatisfy(elements.contains), let element = QuantizedElement(Stored.elementType)
    else { return nil }
    var result = FixedPointResult(
      multiplier: 0, exponent: 0,
      range: QuantizedRange(
        zeroPoint: zeroPoint, minimum: range.lowerBound, maximum: range.upperBound),
      isBounded: false)
    result.inFloats = FloatScaling(factor: factor, bias: 0, negativeBias: 0)
    return .quantizedProduct(
      QuantizedProduct(
        element: element, firstZeroPoint: firstZeroPoint, secondZeroPoint: secondZeroPoint,
        result: result))
  }
}

/// How XNNPACK's micro-kernels scale a product of bytes to steps of the result.
protocol ProductScaling: Sendable {
  init(_ factor: Float)
  /// The factor, if products are scaled in single precision, as kernels can do too.
  var singlePrecisionFactor: Float? { get }
  func steps(_ product: Int32) -> Int32
}

/// Scaling in single precision, with ties to even.
struct TiesToEvenScaling: ProductScaling {
  private let factor: Float

  init(_ factor: Float) { self.factor = factor }

  var singlePrecisionFactor: Float? { factor }

  @inline(__always)
  func steps(_ product: Int32) -> Int32 { (Float(product) * factor).roundedToStep }
}

/// Exact scaling, rounded half up, as on Arm.
extension HalfUpFactor: ProductScaling {
  var singlePrecisionFactor: Float? { nil }

  @inline(__always)
  func steps(_ product: Int32) -> Int32 { scaled(Int64(product)) }
}
