import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Float options at special values give the same bits in every execution mode.
@Suite struct FloatOptionTests {
  private static let numbers: [Float] = [
    0, -0.0, 1, -1, 0.5, -0.5, .nan, .infinity, -.infinity, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude,
    -.leastNonzeroMagnitude,
  ]

  private static let ways: [Interpreter.Options] = [
    .init(), .init(numerics: .exact), .init(usesReferenceKernels: true),
  ]

  /// The expected values follow the official kernel's formula, which also multiplies zeros.
  @Test(arguments: numbers)
  func leakySlopes(_ alpha: Float) throws {
    // 37 elements cover whole vectors and a remainder.
    let arguments = (0..<37).map { Self.numbers[$0 % Self.numbers.count] }
    let expected = arguments.map { $0 > 0 ? $0 : $0 * alpha }
    for way in Self.ways {
      let results: [Float] = try run(
        "LEAKY_RELU", [TestTensor([37], arguments)],
        options: .init(tag: BuiltinOptionsTag.leakyRelu, [0: .float(alpha)]), running: way
      ).values
      for (position, (result, expected)) in zip(results, expected).enumerated() {
        let isSame =
          result.bitPattern == expected.bitPattern || (result.isNaN && expected.isNaN)
        #expect(isSame, "\(arguments[position]): \(result), not \(expected)")
      }
    }
  }
}
