import OcellusKernelABI
import OcellusPlatform

extension Reduction {
  func runSmallIntegers<Element: ReducibleElement & FixedWidthInteger>(
    _ context: RunContext, of _: Element.Type
  ) throws(ModelError) where Element.Sum == Int32 {
    switch arithmetic {
    case .plain: fold(context, of: Element.self)
    case .quantizedMean, .quantizedSum, .rescaledSum, .delegated:
      try requantizeSums(context, of: Element.self)
    case .quantizedProduct(let inputScale, let outputScale):
      try runQuantizedProduct(
        context, of: Element.self, inputScale: inputScale, outputScale: outputScale)
    }
  }

  // MARK: Sums and means

  private func requantizeSums<Element: ReducibleElement & FixedWidthInteger>(
    _ context: RunContext, of _: Element.Type
  ) throws(ModelError) where Element.Sum == Int32 {
    let layout = layout(context)
    let input = context.input(0).values(Element.self)
    let output = context.output(0).values(Element.self)
    guard layout.reducedCount > 0, let requantize = requantization(count: layout.reducedCount)
    else { return output.update(repeating: 0, context.control) }
    try context.withScratch(Int32.self, count: layout.keptCount) { sums in
      layout.fold(input, into: sums, context.control) { $0 &+ $1.widened }
      for chunk in context.chunks(of: output.count) {
        for index in chunk { output[index] = Element(clamping: requantize(sums[index])) }
      }
    }
  }

  /// Returns the requantization of a sum of `count` elements; `nil` for reductions that do not add.
  func requantization(count: Int) -> SumRequantization? {
    let zeroPoints = (input: Int(inputZeroPoint) &* count, output: outputZeroPoint)
    switch arithmetic {
    case .quantizedMean(let multiplier):
      let multiplier = Self.meanMultiplier(multiplier, count: count)
      return SumRequantization(scaling: .fixedPoint(multiplier), zeroPoints: zeroPoints)
    case .quantizedSum(let multiplier):
      return SumRequantization(scaling: .fixedPoint(multiplier), zeroPoints: zeroPoints)
    case .rescaledSum(let scale):
      let bias = -Float(inputZeroPoint) * scale * Float(count)
      return SumRequantization(scaling: .real(scale, bias: bias), zeroPoints: zeroPoints)
    case .delegated(let scale):
      // The mean's division is part of the factor, and the zero points are one addend.
      let factor = scale * (kind == .mean ? 1 / Float(count) : 1)
      let shift = Float(Int32(truncatingIfNeeded: count)) * Float(inputZeroPoint) * factor
      return SumRequantization(
        scaling: .single(factor, bias: Float(outputZeroPoint) - shift), zeroPoints: (0, 0))
    case .plain, .quantizedProduct: return nil
    }
  }

  /// Returns the multiplier combined with a division by `count`, with no fewer bits than in the
  /// official kernel.
  private static func meanMultiplier(
    _ multiplier: FixedPointMultiplier, count: Int
  ) -> FixedPointMultiplier {
    let logarithm = Int.bitWidth - 1 - count.leadingZeroBitCount
    let shift = min(logarithm, 32, 31 + multiplier.exponent)
    return FixedPointMultiplier(
      fraction: Int32(truncatingIfNeeded: (Int64(multiplier.fraction) << shift) / Int64(count)),
      exponent: multiplier.exponent - shift)
  }

  // MARK: Products

  private func runQuantizedProduct<Element: ReducibleElement & FixedWidthInteger>(
    _ context: RunContext, of _: Element.Type, inputScale: Double, outputScale: Double
  ) throws(ModelError) where Element.Sum == Int32 {
    let layout = layout(context)
    let input = context.input(0).values(Element.self)
    let output = context.output(0).values(Element.self)
    guard !input.isEmpty else { return output.update(repeating: 0, context.control) }
    // The output's scale is distributed over all factors, which prevents overflow in each step.
    let share = pow(outputScale, 1 / Double(layout.reducedCount))
    guard let multiplier = FixedPointMultiplier(inputScale / share) else {
      throw context.error("the scales \(inputScale) and \(outputScale) cannot be converted")
    }
    try context.withScratch(Int32?.self, count: layout.keptCount) { products in
      products.update(repeating: nil, context.control)
      layout.fold(input, into: products, context.control) { product, element in
        let factor = element.widened &- inputZeroPoint
        guard let product else { return factor }
        return multiplier.scale(Int64(product) &* Int64(factor))
      }
      for chunk in context.chunks(of: output.count) {
        for index in chunk {
          let value = multiplier.scale(Int64(products[index] ?? 0)) &+ outputZeroPoint
          output[index] = Element(clamping: value)
        }
      }
    }
  }
}

/// The conversion of a sum of quantized elements to a quantized result.
struct SumRequantization: Sendable {
  fileprivate enum Scaling: Sendable {
    case fixedPoint(FixedPointMultiplier)
    case real(_ scale: Float, bias: Float)
    case single(_ scale: Float, bias: Float)
  }

  fileprivate let scaling: Scaling
  /// The zero point of all summands together, and the zero point of the result.
  fileprivate let zeroPoints: (input: Int, output: Int32)

  /// Returns the requantization by a kernel, for sums of `count` bytes; `nil` where sums or results
  /// may exceed the kernels' range.
  func conversion(
    count: Int, to type: ElementType, range: ClosedRange<Int32>
  ) -> ElementConversion? {
    guard case .fixedPoint(let multiplier) = scaling else { return nil }
    let greatest = 255 * Double(count)
    let factor = Double(multiplier.fraction) * 0x1p-31
    let shift = Double(sign: .plus, exponent: multiplier.exponent, significand: 1)
    guard greatest * max(shift, 1) < 0x1p29, greatest * shift * factor < 0x1p29,
      let result = FixedPointResult(
        multiplier, zeroPoint: zeroPoints.output, range: range, of: type)
    else { return nil }
    return .scaleSums(zeroPoint: Int32(truncatingIfNeeded: zeroPoints.input), result)
  }

  /// Returns the result, not clamped to its type.
  @inline(__always)
  func callAsFunction(_ sum: Int32) -> Int32 {
    switch scaling {
    case .fixedPoint(let multiplier):
      let deviation = Int32(truncatingIfNeeded: Int(sum) &- zeroPoints.input)
      return multiplier.scale(deviation) &+ zeroPoints.output
    case .single(let scale, let bias): return (Float(sum) * scale + bias).roundedToStep
    case .real(let scale, let bias):
      let steps = Float(sum) * scale + bias
      // Rounds ties away from zero; adding exactly 0.5 would also round up numbers just below a
      // tie.
      let almostHalf = Float(signOf: steps, magnitudeOf: 0x1.fffffep-2)
      return Int32(saturating: steps + almostHalf) &+ zeroPoints.output
    }
  }
}
