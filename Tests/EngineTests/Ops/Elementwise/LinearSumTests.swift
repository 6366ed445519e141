import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// 8-bit sums in wrapping 32-bit arithmetic, checked against the official formula for all pairs.
@Suite struct LinearSumTests {
  /// The operands and the result of a sum, with the parameters that models give.
  private struct Sum {
    var element: QuantizedElement
    var sign: Int32
    var scales: (first: Float, second: Float, result: Float)
    var zeroPoints: (first: Int, second: Int, result: Int)
    var range: ClosedRange<Int32>

    var type: ElementType { element == .int8 ? .int8 : .uint8 }
    var numbers: ClosedRange<Int32> { element == .int8 ? -128...127 : 0...255 }
    var unit: Double { Double(2 * max(scales.first, scales.second)) }

    private func multiplier(_ ratio: Double) -> FixedPointMultiplier? {
      FixedPointMultiplier(ratio)
    }

    var quantized: QuantizedSum? {
      guard let a = multiplier(Double(scales.first) / unit),
        let b = multiplier(Double(scales.second) / unit),
        let c = multiplier(unit / (Double(1 << 20) * Double(scales.result))),
        let first = QuantizedSumTerm(
          QuantizedTerm(zeroPoint: zeroPoints.first, spareBits: 20, multiplier: a), sign: 1,
          of: type),
        let second = QuantizedSumTerm(
          QuantizedTerm(zeroPoint: zeroPoints.second, spareBits: 20, multiplier: b), sign: sign,
          of: type),
        let result = FixedPointResult(
          c, zeroPoint: Int32(zeroPoints.result), range: range, of: type)
      else { return nil }
      return QuantizedSum(element: element, first: first, second: second, result: result)
    }

    /// The official formula's results for all pairs, in which the second operand varies faster.
    var officialResults: [UInt8] {
      guard let a = multiplier(Double(scales.first) / unit),
        let b = multiplier(Double(scales.second) / unit),
        let c = multiplier(unit / (Double(1 << 20) * Double(scales.result)))
      else { return [] }
      func scaled(_ number: Int32, _ multiplier: FixedPointMultiplier) -> Int32 {
        OfficialRounding.scale(
          number, multiplier: multiplier.fraction, shift: Int32(multiplier.exponent))
      }
      let firsts = numbers.map { scaled(($0 - Int32(zeroPoints.first)) << 20, a) }
      let seconds = numbers.map { scaled(($0 - Int32(zeroPoints.second)) << 20, b) }
      return firsts.flatMap { first in
        seconds.map { second in
          let result = scaled(first + sign * second, c) + Int32(zeroPoints.result)
          return UInt8(
            truncatingIfNeeded: min(range.upperBound, max(range.lowerBound, result)))
        }
      }
    }
  }

  private func results(of sum: LinearSum, _ numbers: ClosedRange<Int32>) -> [UInt8] {
    let operand = numbers.map { UInt8(truncatingIfNeeded: $0) }
    var results = [UInt8](repeating: 0, count: 65536)
    operand.withUnsafeBytes { operand in
      results.withUnsafeMutableBytes { results in
        guard let first = operand.baseAddress, let output = results.baseAddress else { return }
        KernelTable.best.elementwise.linearSum(
          sum,
          BinaryRows(
            first: first, second: first, output: output, rowLength: 256, rowCount: 256,
            firstStride: 1, firstIsScalar: true))
      }
    }
    return results
  }

  /// For random scales, most sums have a linear form, and every linear form has exact results.
  @Test func anyScales() throws {
    var random = SeededGenerator(seed: 31)
    let count = 150
    var lines = 0
    for index in 0..<count {
      let element = index % 3 == 0 ? QuantizedElement.uint8 : .int8
      let numbers = element == .uint8 ? 0...255 : -128...127
      let greatest = Float.random(in: 0.001...0.5, using: &random)
      let range =
        index % 4 == 0
        ? Int32(numbers.lowerBound + 20)...Int32(numbers.upperBound - 35)
        : Int32(numbers.lowerBound)...Int32(numbers.upperBound)
      let sum = Sum(
        element: element, sign: index % 2 == 0 ? 1 : -1,
        scales: (
          greatest, greatest * .random(in: 0.05...1, using: &random),
          greatest * .random(in: 0.3...3, using: &random)
        ),
        zeroPoints: (
          .random(in: numbers, using: &random), .random(in: numbers, using: &random),
          .random(in: numbers, using: &random)
        ),
        range: range)
      let quantized = try #require(sum.quantized)
      guard let line = LinearSum(quantized, KernelTable.best.elementwise) else { continue }
      lines += 1
      #expect(results(of: line, sum.numbers) == sum.officialResults, "\(sum)")
    }
    #expect(lines >= count * 3 / 4, "\(lines) of \(count)")
  }

  /// Scales with simple ratios produce ties, and some results that no linear form reproduces.
  @Test(arguments: [1, 0.5, 0.25, 0.75, 2, 1.5] as [Float])
  func ties(ratio: Float) throws {
    for (second, sign) in [(1, 1), (1, -1), (0.5, 1), (0.5, -1), (0.75, 1)] as [(Float, Int32)] {
      for zeroPoint in [-128, 0, 7] {
        let sum = Sum(
          element: .int8, sign: sign, scales: (0.5, 0.5 * second, 0.5 * ratio),
          zeroPoints: (zeroPoint, -3, zeroPoint), range: -128...127)
        let quantized = try #require(sum.quantized)
        guard let line = LinearSum(quantized, KernelTable.best.elementwise) else { continue }
        #expect(results(of: line, sum.numbers) == sum.officialResults, "\(sum)")
      }
    }
  }
}
