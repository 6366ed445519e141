import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@Suite struct ElementwiseTests {
  private let special: [Float] = [0, -0, .nan, .infinity, -.infinity, 1, -1, 6, 7, 3.4e38]

  private func operands(_ count: Int, seed: UInt64) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return random.floats(count).enumerated().map { index, value in
      index % 3 == 0 ? special[Int.random(in: 0..<special.count, using: &random)] : value
    }
  }

  @Test(arguments: tables.indices)
  func binaryFunctions(table: Int) {
    let kernels = tables[table].elementwise
    let functions: [(String, Elementwise.Binary, (Float, Float) -> Float)] = [
      ("add", kernels.add, { $0 + $1 }), ("subtract", kernels.subtract, { $0 - $1 }),
      ("multiply", kernels.multiply, { $0 * $1 }),
      ("maximum", kernels.maximum, { $0 > $1 ? $0 : $1 }),
      ("minimum", kernels.minimum, { $0 < $1 ? $0 : $1 }),
    ]
    for count in awkwardSizes {
      let a = operands(count, seed: 1), b = operands(count, seed: 2)
      let first = GuardedMemory(a), second = GuardedMemory(b)
      for (name, kernel, function) in functions {
        for isScalar in [false, true] {
          let output = GuardedMemory<Float>(count: count, filledWith: 99)
          kernel(
            BinaryFloatArguments(
              first: first.start, second: second.start, secondIsScalar: isScalar,
              output: output.start, count: count, lowerBound: -2, upperBound: 6))
          let want = a.indices.map { clamped(function(a[$0], isScalar ? b[0] : b[$0]), -2, 6) }
          #expect(bits(output.elements) == bits(want), "\(name) of \(count), scalar \(isScalar)")
        }
      }
    }
  }

  @Test(arguments: tables.indices)
  func clampKeepsNaN(table: Int) {
    for count in awkwardSizes {
      let values = operands(count, seed: 3)
      let array = GuardedMemory(values)
      tables[table].elementwise.clamp(
        ClampFloatArguments(
          input: array.start, output: array.start, count: count, lowerBound: 0, upperBound: 6))
      #expect(bits(array.elements) == bits(values.map { clamped($0, 0, 6) }), "\(count)")
    }
  }

  @Test(arguments: tables.indices)
  func lookUpReplacesEveryByte(table: Int) {
    var random = SeededGenerator(seed: 4)
    let entries = random.bytes(256, isSigned: false)
    for count in awkwardSizes + [256] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let array = GuardedMemory(bytes), lookUpTable = GuardedMemory(entries)
      tables[table].elementwise.lookUp(
        LookUpArguments(
          input: array.start, table: lookUpTable.start, output: array.start, count: count))
      #expect(array.elements == bytes.map { entries[Int($0)] }, "\(count)")
    }
  }

  /// `std::min(std::max(x, low), high)`.
  private func clamped(_ x: Float, _ low: Float, _ high: Float) -> Float {
    let atLeast = x < low ? low : x
    return high < atLeast ? high : atLeast
  }

  /// Bit patterns, all NaN alike.
  private func bits(_ values: [Float]) -> [UInt32] {
    values.map { $0.isNaN ? Float.nan.bitPattern : $0.bitPattern }
  }
}
