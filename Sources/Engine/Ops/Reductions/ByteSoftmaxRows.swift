import OcellusKernelABI

/// The softmax of rows of bytes, bit-exact with the reference kernel.
///
/// Values that depend on two bytes only come from tables.
struct ByteSoftmaxRows: Sendable {
  /// The addresses and the number of rows.
  struct Rows {
    var input: UnsafeRawPointer
    var output: UnsafeMutableRawPointer
    var count: Int
    /// Scratch memory of `scratchByteCount` bytes.
    var scratch: UnsafeMutableRawPointer
  }

  private let rowLength: Int
  private let isSigned: Bool
  /// The exponentials in units of 2⁻³¹, by the difference from a row's maximum.
  private let exponentials: [Int32]
  /// The results of the greater and the lesser element in rows of two, by their difference.
  private var pairs: [(greater: UInt8, lesser: UInt8)] = []
  private let kernel: @Sendable (ByteSoftmaxArguments) -> Void

  init(
    exponentials: [Int32], rowLength: Int, isSigned: Bool,
    _ kernel: @escaping @Sendable (ByteSoftmaxArguments) -> Void
  ) {
    self.exponentials = exponentials
    self.rowLength = rowLength
    self.isSigned = isSigned
    self.kernel = kernel
    guard rowLength == 2 else { return }
    let summands = exponentials.map { roundingShiftRight($0, by: DifferenceScale.sumIntegerBits) }
    pairs = (0...255).map { difference in
      let scale = RowScale(sum: summands[0] &+ summands[difference], isSigned: isSigned)
      return (scale(exponentials[0]), scale(exponentials[difference]))
    }
  }

  var scratchByteCount: Int { ByteSoftmaxArguments.scratchByteCount(rowLength: rowLength) }

  func run(_ rows: Rows) {
    if rowLength == 2 { return runPairs(rows) }
    exponentials.withUnsafeBufferPointer { exponentials in
      guard let exponentials = exponentials.baseAddress else { return }
      kernel(
        ByteSoftmaxArguments(
          input: rows.input, output: rows.output, rowLength: rowLength, rowCount: rows.count,
          isSigned: isSigned, exponentials: exponentials, scratch: rows.scratch))
    }
  }

  private func runPairs(_ rows: Rows) {
    let signToggle: UInt8 = isSigned ? 0x80 : 0
    let input = rows.input.assumingMemoryBound(to: UInt8.self)
    let output = rows.output.assumingMemoryBound(to: UInt8.self)
    pairs.withUnsafeBufferPointer { pairs in
      for row in 0..<rows.count {
        let (a, b) = (input[2 * row] ^ signToggle, input[2 * row + 1] ^ signToggle)
        let isOrdered = a >= b
        let results = pairs[Int(isOrdered ? a - b : b - a)]
        output[2 * row] = isOrdered ? results.greater : results.lesser
        output[2 * row + 1] = isOrdered ? results.lesser : results.greater
      }
    }
  }
}

/// Divides a row's exponentials by their sum and converts the ratios to bytes.
private struct RowScale {
  let result: FixedPointResult

  init(sum: Int32, isSigned: Bool) {
    let reciprocal = FixedPointReciprocal(of: sum)
    let exponent = reciprocal.exponent - (31 - DifferenceScale.sumIntegerBits)
    let shift = (exponent + 31 - UInt8.bitWidth).clamped(to: 0...31)
    let lowest: Int32 = isSigned ? -128 : 0
    result = FixedPointResult(
      multiplier: reciprocal.fraction, exponent: Int32(-shift),
      range: QuantizedRange(zeroPoint: lowest, minimum: lowest, maximum: lowest + 255),
      isBounded: false)
  }

  /// Returns the bits of a result.
  func callAsFunction(_ exponential: Int32) -> UInt8 {
    let ratio = saturatingRoundingDoublingHigh(result.multiplier, exponential)
    let scaled = roundingShiftRight(ratio, by: Int(-result.exponent)) &+ result.range.zeroPoint
    let range = result.range.minimum...result.range.maximum
    return UInt8(truncatingIfNeeded: scaled.clamped(to: range))
  }
}
