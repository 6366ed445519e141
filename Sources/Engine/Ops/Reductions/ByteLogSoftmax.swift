/// LOG_SOFTMAX of 8-bit elements; results are sixteenths below the highest integer, which is 0.
struct ByteLogSoftmax: Sendable {
  private let scale: DifferenceScale
  /// Brings scaled differences back to the input's integers.
  private let inverse: FixedPointMultiplier
  /// By the magnitude of the difference to the greatest element, 0 to 255: what it adds to the sum,
  /// and what it is in units of 2⁻²⁶.
  private let terms: [Int32]
  private let scaledDifferences: [Int32]

  init(_ node: NodeSpec) throws(ModelError) {
    scale = try DifferenceScale(node, beta: 1)
    let multiplier = scale.multiplier
    inverse = try node.multiplier(
      Double(1 << (31 - multiplier.exponent)) / Double(multiplier.fraction))
    terms = DifferenceScale.terms(scale.exponentials())
    scaledDifferences = (0...255).map { multiplier.scale(Int32(-$0)) }
  }

  /// All rows, shared by threads.
  func step<Element: FixedWidthInteger & BitwiseCopyable & SendableMetatype>(
    _ context: PlanContext, of _: Element.Type
  ) -> Step {
    let shape = context.outputShapes[0]
    let depth = shape[-1]
    let name = "log softmax \(context.node.outputs[0].type.name)"
    return .rows(of: shape, name, context) { step, rows, _ in
      let input = UnsafeMutableRawPointer(mutating: step.input(0))
      for row in rows {
        run(
          Row(start: (input + row * depth).assumingMemoryBound(to: Element.self), count: depth),
          to: Row(
            start: (step.output(0) + row * depth).assumingMemoryBound(to: Element.self),
            count: depth), of: Element.self)
      }
    }
  }

  func run<Element: FixedWidthInteger & BitwiseCopyable>(
    _ row: Row<Element>, to results: Row<Element>, of _: Element.Type
  ) {
    var greatest = Element.min
    for element in row { greatest = max(greatest, element) }
    let maximum = Int(greatest)
    let logarithm = self.logarithm(
      ofSum: DifferenceScale.sum(over: row, below: maximum, terms))
    // Smaller differences would not fit in 32 bits once the logarithm is taken off.
    let lowest = max(scale.minimum - 1, Int(inverse.scale(logarithm &+ Int32.min)))
    scaledDifferences.withUnsafeBufferPointer { scaledDifferences in
      guard let scaled = scaledDifferences.baseAddress, let results = results.baseAddress
      else { return }
      for (index, element) in row.enumerated() {
        let magnitude = maximum &- Int(element)
        let result = Self.result(scaled[magnitude] &- logarithm, of: Element.self)
        results[index] = magnitude < 0 &- lowest ? result : .min
      }
    }
  }

  /// Brings units of 2⁻²⁶ to sixteenths, halves away from zero.
  @inline(__always)
  private static func result<Element: FixedWidthInteger>(
    _ scaled: Int32, of _: Element.Type
  ) -> Element {
    let shift = Int32(31 - DifferenceScale.integerBits - 4)
    let rounded = (scaled &+ (1 &<< (shift &- 1)) &+ (scaled &>> 31)) &>> shift
    let (lowest, highest) = (Int32(Element.min), Int32(Element.max))
    return Element(truncatingIfNeeded: min(max(rounded &+ highest, lowest), highest))
  }

  private func logarithm(ofSum sum: Int32) -> Int32 {
    FixedPoint(raw: sum, integerBits: DifferenceScale.sumIntegerBits)
      .naturalLogarithm(integerBits: DifferenceScale.integerBits).raw
  }
}
