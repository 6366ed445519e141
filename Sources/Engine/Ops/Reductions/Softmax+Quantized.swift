import OcellusKernelABI
import OcellusPlatform

/// Exponentials of differences between 8-bit elements, for SOFTMAX and LOG_SOFTMAX.
///
/// The largest element of a row is subtracted from all others, which leaves 256 differences.
package struct DifferenceScale: Sendable {
  /// Converts differences to units of 2⁻²⁶.
  package let multiplier: FixedPointMultiplier
  /// The smallest difference that fits; the exponentials of smaller differences are 0.
  package let minimum: Int

  /// The integer bits of scaled differences, as in the official kernels.
  static let integerBits = 5
  /// The integer bits of sums, as in the official kernels.
  static let sumIntegerBits = 12

  init(_ node: NodeSpec, beta: Float) throws(ModelError) {
    let scale = try node.affineScale(of: try node.input(0)).scale
    let fractionalUnit = Double(1 << (31 - Self.integerBits))
    let ratio = min(Double(beta) * Double(scale) * fractionalUnit, Double(Int32.max))
    try node.require(ratio > 1, "beta times the input's scale is too small")
    multiplier = try node.multiplier(ratio)
    let radius = Double(1 << Self.integerBits - 1) * fractionalUnit
    minimum = -Int(radius / Double(1 << multiplier.exponent))
  }

  /// Returns the exponentials in units of 2⁻³¹, by the magnitude of the difference.
  func exponentials() -> [Int32] {
    (0...255).map { magnitude in
      guard -magnitude >= minimum else { return 0 }
      let scaled = multiplier.scale(Int32(-magnitude))
      return FixedPoint(raw: scaled, integerBits: Self.integerBits).exponentialOfNegative.raw
    }
  }

  /// Returns the terms of sums of exponentials.
  static func terms(_ exponentials: [Int32]) -> [Int32] {
    exponentials.map { roundingShiftRight($0, by: sumIntegerBits) }
  }

  /// Returns the sum of a row's exponentials; `nil` if the run is stopped before the last element.
  ///
  /// It wraps beyond 4095 equal elements, as in the official kernel.
  @inline(__always)
  static func sum<Element: FixedWidthInteger>(
    over row: Row<Element>, below maximum: Int, _ terms: [Int32], _ control: RunControl?
  ) -> Int32? {
    row.folded(from: 0, control) { $0 &+ terms[maximum - Int($1)] }
  }
}

/// SOFTMAX of 8-bit elements.
package struct ByteSoftmax: Sendable {
  private let exponentials: [Int32]
  private let terms: [Int32]

  init(_ node: NodeSpec, beta: Float) throws(ModelError) {
    exponentials = try DifferenceScale(node, beta: beta).exponentials()
    terms = DifferenceScale.terms(exponentials)
  }

  /// Returns the softmax of planned rows, with results of the elements' type.
  func rows(
    length: Int, isSigned: Bool, _ kernel: @escaping @Sendable (ByteSoftmaxArguments) -> Void
  ) -> ByteSoftmaxRows {
    ByteSoftmaxRows(
      exponentials: exponentials, rowLength: length, isSigned: isSigned, kernel)
  }

  /// Computes the softmax of all rows; the scale of the results is one over the size of their type.
  ///
  /// The scale that the tensor declares is ignored.
  func run<
    Element: FixedWidthInteger & BitwiseCopyable, Result: FixedWidthInteger & BitwiseCopyable
  >(
    _ input: TensorView, _ output: TensorView, _: Element.Type, _: Result.Type
  ) {
    input.forEachRow(with: output) { (row: Row<Element>, results: Row<Result>) in
      guard let greatest = row.folded(from: Element.min, input.control, { max($0, $1) }) else {
        return
      }
      let maximum = Int(greatest)
      guard
        let sum = DifferenceScale.sum(over: row, below: maximum, terms, input.control)
      else { return }
      let reciprocal = FixedPointReciprocal(of: sum)
      let sumExponent = reciprocal.exponent - (31 - DifferenceScale.sumIntegerBits)
      let shift = min(max(sumExponent + 31 - Result.bitWidth, 0), 31)
      for chunk in input.chunks(of: row.count) {
        for index in chunk {
          let exponential = exponentials[maximum - Int(row[index])]
          let ratio = saturatingRoundingDoublingHigh(reciprocal.fraction, exponential)
          let scaled = roundingShiftRight(ratio, by: shift)
          results[index] = Result(clamping: Int(scaled) + Int(Result.min))
        }
      }
    }
  }
}

/// SOFTMAX of 16-bit elements, with interpolated tables.
package struct Int16Softmax: Sendable {
  /// Exponentials of [-10, 0], with 1 at 2¹⁵.
  private static let exponentials = InterpolatedTable(
    inputScale: 10.0 / 65535, inputZeroPoint: 32767, outputScale: 2.0 / 65535, outputZeroPoint: 0
  ) { exp($0) }
  /// `1 / (1 + x)` on [0, 1], with 1 at 2¹⁵.
  private static let reciprocals = InterpolatedTable(
    inputScale: 1.0 / 65535, inputZeroPoint: -32768, outputScale: 2.0 / 65535, outputZeroPoint: 0
  ) { 1 / (1 + $0) }

  /// Converts differences to arguments of `exponentials`.
  private let multiplier: FixedPointMultiplier

  init(_ node: NodeSpec, beta: Float) throws(ModelError) {
    let scale = try node.affineScale(of: try node.input(0)).scale
    multiplier = try node.multiplier(Double(scale * beta) / (10.0 / 65535))
  }

  func run(_ input: TensorView, _ output: TensorView) {
    input.forEachRow(with: output) { (row: Row<Int16>, results: Row<Int16>) in
      guard let greatest = row.folded(from: Int16.min, input.control, { max($0, $1) }) else {
        return
      }
      let maximum = Int32(greatest)
      var sum: Int32 = 0
      for chunk in input.chunks(of: row.count) {
        for index in chunk {
          let difference = multiplier.scale(Int32(row[index]) - maximum)
          results[index] = Self.exponentials[Int16(clamping: difference &+ 32767)]
          sum &+= Int32(results[index])
        }
      }
      Self.divide(results, by: sum, input.control)
    }
  }

  private static func divide(
    _ exponentials: Row<Int16>, by sum: Int32, _ control: RunControl?
  ) {
    // The sum is scaled into [1, 2); the argument of the table is the excess over 1.
    let headroom = max(sum.leadingZeroBitCount, 1)
    let normalized = (Int64(sum) << Int64(headroom - 1) + 1 << 13) >> 14
    let reciprocal = reciprocals[Int16(clamping: normalized - (1 << 15 + 1 << 16))]
    let shift = Int64(31 - headroom)
    let rounding: Int64 = 1 << (shift - 1)
    for chunk in StoppableChunks(of: exponentials.count, control) {
      for index in chunk {
        let result = (Int64(exponentials[index]) * Int64(reciprocal) + rounding) >> shift
        exponentials[index] = Int16(min(max(result, 0), 32767))
      }
    }
  }
}
