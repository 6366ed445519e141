import OcellusKernelABI

/// LOG_SOFTMAX of 8-bit elements.
///
/// Results are in sixteenths; the highest integer stands for 0.
struct ByteLogSoftmax: Sendable {
  private let scale: DifferenceScale
  /// Converts scaled differences back to the input's integers.
  private let inverse: FixedPointMultiplier
  /// The contribution to the sum, by the difference from the greatest element, 0 to 255.
  private let terms: [Int32]
  /// The negated differences in units of 2⁻²⁶.
  private let scaledDifferences: [Int32]

  init(_ node: NodeSpec) throws(ModelError) {
    scale = try DifferenceScale(node, beta: 1)
    let multiplier = scale.multiplier
    inverse = try node.multiplier(
      Double(1 << (31 - multiplier.exponent)) / Double(multiplier.fraction))
    terms = DifferenceScale.terms(scale.exponentials())
    scaledDifferences = (0...255).map { multiplier.scale(Int32(-$0)) }
  }

  /// The shortest row for which a table of the results of all bytes pays off.
  private static let shortestWithTable = 384

  /// Returns a step for all rows, which are divided among the threads.
  func step<Element: FixedWidthInteger & BitwiseCopyable & SendableMetatype>(
    _ context: PlanContext, of _: Element.Type
  ) -> Step? {
    let shape = context.outputShapes[0]
    let depth = shape[-1]
    let name = "log softmax \(context.node.outputs[0].type.name)"
    let lookUp = context.kernels.elementwise.lookUp
    let hasTable = depth >= Self.shortestWithTable
    return .rows(of: shape, name, scratchByteCount: hasTable ? 256 : 0, context) {
      step, rows, scratch in
      let input = UnsafeMutableRawPointer(mutating: step.input(0))
      let table = scratch.assumingMemoryBound(to: UInt8.self)
      for row in rows {
        let elements = Row<Element>(
          start: (input + row * depth).assumingMemoryBound(to: Element.self), count: depth)
        let results = step.output(0) + row * depth
        guard hasTable else {
          run(
            elements,
            to: Row(start: results.assumingMemoryBound(to: Element.self), count: depth),
            of: Element.self)
          continue
        }
        guard let level = level(of: elements, nil) else { return }
        for byte in 0...UInt8.max {
          let element = Element(truncatingIfNeeded: byte)
          table[Int(byte)] = UInt8(truncatingIfNeeded: result(of: element, level))
        }
        lookUp(
          LookUpArguments(
            input: UnsafePointer((input + row * depth).assumingMemoryBound(to: UInt8.self)),
            table: table, output: results.assumingMemoryBound(to: UInt8.self), count: depth))
      }
    }
  }

  func run<Element: FixedWidthInteger & BitwiseCopyable>(
    _ row: Row<Element>, to results: Row<Element>, of _: Element.Type,
    _ control: RunControl? = nil
  ) {
    guard let level = level(of: row, control) else { return }
    for chunk in StoppableChunks(of: row.count, control) {
      for index in chunk { results[index] = result(of: row[index], level) }
    }
  }

  /// The values of a row that its results depend on, besides the elements.
  private struct Level {
    var maximum: Int
    var logarithm: Int32
    /// The greatest difference from the maximum that is not clamped to the lowest result.
    var greatestDifference: Int
  }

  /// - Returns: `nil` if the run is stopped before the last element.
  private func level<Element: FixedWidthInteger & BitwiseCopyable>(
    of row: Row<Element>, _ control: RunControl?
  ) -> Level? {
    guard let greatest = row.folded(from: Element.min, control, { max($0, $1) }) else {
      return nil
    }
    let maximum = Int(greatest)
    guard let sum = DifferenceScale.sum(over: row, below: maximum, terms, control) else {
      return nil
    }
    let logarithm = self.logarithm(ofSum: sum)
    // Smaller differences would not fit in 32 bits after the logarithm is subtracted.
    let lowest = max(scale.minimum - 1, Int(inverse.scale(logarithm &+ Int32.min)))
    return Level(maximum: maximum, logarithm: logarithm, greatestDifference: -lowest - 1)
  }

  /// Returns the result of an element of a row; arbitrary for elements above the row's maximum.
  @inline(__always)
  private func result<Element: FixedWidthInteger>(of element: Element, _ level: Level) -> Element {
    let difference = level.maximum &- Int(element)
    guard difference >= 0, difference <= level.greatestDifference else { return .min }
    return Self.result(scaledDifferences[difference] &- level.logarithm, of: Element.self)
  }

  /// Converts units of 2⁻²⁶ to sixteenths, with ties away from zero.
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
