/// The softmax of rows of bytes as the reference computes it, with what depends on two bytes only
/// taken from tables.
struct ByteSoftmaxRows: Sendable {
  private let rowLength: Int
  /// By the difference to a row's maximum: exponentials in units of 2⁻³¹.
  private let exponentials: [Int32]
  /// The same as they are summed up.
  private let summands: [Int32]
  /// What makes the order of input bytes that of unsigned ones, and of results.
  private let inputFlip: UInt8
  private let outputFlip: UInt8
  /// For rows of two, by their difference: the results of the greater and of the lesser.
  private var pairs: [(greater: UInt8, lesser: UInt8)] = []

  init(exponentials: [Int32], rowLength: Int, input: ElementType, output: ElementType) {
    self.rowLength = rowLength
    self.exponentials = exponentials
    summands = exponentials.map {
      roundingShiftRight($0, by: DifferenceScale.sumIntegerBits)
    }
    inputFlip = input == .int8 ? 0x80 : 0
    outputFlip = output == .int8 ? 0x80 : 0
    guard rowLength == 2 else { return }
    pairs = (0...255).map { difference in
      let scale = RowScale(sum: summands[0] &+ summands[difference])
      return (
        scale(exponentials[0]) ^ outputFlip, scale(exponentials[difference]) ^ outputFlip
      )
    }
  }

  func run(_ input: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>, rows: Int) {
    if rowLength == 2 { return runPairs(input, output, rows: rows) }
    exponentials.withUnsafeBufferPointer { exponentials in
      summands.withUnsafeBufferPointer { summands in
        for row in 0..<rows {
          let elements = input + row * rowLength
          var maximum: UInt8 = 0
          for index in 0..<rowLength { maximum = max(maximum, elements[index] ^ inputFlip) }
          var sum: Int32 = 0
          for index in 0..<rowLength {
            sum &+= summands[Int(maximum - (elements[index] ^ inputFlip))]
          }
          let scale = RowScale(sum: sum)
          let results = output + row * rowLength
          for index in 0..<rowLength {
            let difference = Int(maximum - (elements[index] ^ inputFlip))
            results[index] = scale(exponentials[difference]) ^ outputFlip
          }
        }
      }
    }
  }

  private func runPairs(
    _ input: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>, rows: Int
  ) {
    pairs.withUnsafeBufferPointer { pairs in
      for row in 0..<rows {
        let (a, b) = (input[2 * row] ^ inputFlip, input[2 * row + 1] ^ inputFlip)
        let isOrdered = a >= b
        let results = pairs[Int(isOrdered ? a - b : b - a)]
        output[2 * row] = isOrdered ? results.greater : results.lesser
        output[2 * row + 1] = isOrdered ? results.lesser : results.greater
      }
    }
  }
}

/// Divides a row's exponentials by their sum, to bytes.
private struct RowScale {
  let fraction: Int32
  let shift: Int

  init(sum: Int32) {
    let reciprocal = FixedPointReciprocal(of: sum)
    fraction = reciprocal.fraction
    let exponent = reciprocal.exponent - (31 - DifferenceScale.sumIntegerBits)
    shift = min(max(exponent + 31 - UInt8.bitWidth, 0), 31)
  }

  func callAsFunction(_ exponential: Int32) -> UInt8 {
    let ratio = saturatingRoundingDoublingHigh(fraction, exponential)
    return UInt8(clamping: roundingShiftRight(ratio, by: shift))
  }
}
