import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform
import OcellusTestSupport
import Testing

@Suite struct SoftmaxTests {
  private func softmax(
    _ values: [Float], rowLength: Int, beta: Float, numerics: Numerics = .fast, table: Int
  ) -> [Float] {
    let input = GuardedMemory(values)
    let output = GuardedMemory<Float>(count: values.count, filledWith: 99)
    tables[table].elementwise.softmax(
      SoftmaxArguments(
        input: input.start, output: output.start, rowLength: rowLength,
        rowCount: values.count / rowLength, beta: beta, numerics: numerics))
    return output.elements
  }

  /// Softmax matches double precision, also with a negative factor, which exchanges maximum and
  /// minimum, and with 6, where most powers are below the normal numbers.
  @Test(arguments: tables.indices, [0.5, -0.5, 0, 6] as [Float])
  func rowsOfAllLengths(table: Int, beta: Float) {
    for length in awkwardSizes {
      var random = SeededGenerator(seed: UInt64(length))
      // Short rows may be computed many at a time.
      let rowCount = length < 20 ? 37 : 3
      let values = random.floats(rowCount * length).map { $0 * 20 }
      let got = softmax(values, rowLength: length, beta: beta, table: table)
      for row in 0..<rowCount {
        let elements = values[row * length..<(row + 1) * length].map { Double($0) }
        let powers = elements.map { exp(($0 - (elements.max() ?? 0)) * Double(beta)) }
        let sum = powers.reduce(0, +)
        for (index, power) in powers.enumerated() {
          let want = power / sum
          // The difference to the maximum is rounded, too. With a negative factor, the sum is
          // nearly all due to the minimum.
          let other = beta < 0 ? (elements.min() ?? 0) : elements[index]
          let tolerance = 3e-7 * (1 + ((elements.max() ?? 0) - other) * abs(Double(beta)))
          let difference = abs(Double(got[row * length + index]) - want)
          let leastNormal = Double(Float.leastNormalMagnitude)
          #expect(difference <= max(tolerance * want, leastNormal), "\(length)")
        }
      }
    }
  }

  /// Exact results are powers of the C library, added from the first to the last.
  @Test(arguments: tables.indices)
  func exactRowsAreThoseOfAPlainLoop(table: Int) {
    for length in awkwardSizes {
      var random = SeededGenerator(seed: UInt64(length))
      let rowCount = length < 20 ? 35 : 1 + length % 6
      let values = random.floats(rowCount * length).map { $0 * 30 }
      let got = softmax(values, rowLength: length, beta: 0.7, numerics: .exact, table: table)
      let want = (0..<rowCount).flatMap { row -> [Float] in
        let elements = values[row * length..<(row + 1) * length]
        let powers = elements.map { expf(($0 - (elements.max() ?? 0)) * 0.7) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
      }
      #expect(got == want, "\(rowCount) rows of \(length)")
    }
  }

  @Test(arguments: tables.indices)
  func hugeDifferencesAndNaN(table: Int) {
    #expect(softmax([3e38, -3e38, 0], rowLength: 3, beta: 1, table: table) == [1, 0, 0])
    let results = softmax([0, .nan, 1], rowLength: 3, beta: 1, table: table)
    let areNaN = results.allSatisfy(\.isNaN)
    #expect(areNaN)
  }

  @Test func instructionSetsAgree() {
    let fused = tables.indices.filter { tables[$0].name != "baseline" }
    for length in awkwardSizes {
      var random = SeededGenerator(seed: 7)
      let values = random.floats(length)
      let all = fused.map { table in
        softmax(values, rowLength: length, beta: 3, table: table).map(\.bitPattern)
      }
      let agree = all.allSatisfy { $0 == all[0] }
      #expect(agree, "\(length)")
    }
  }
}
