import OcellusAudit
import OcellusEngine
import Testing

@Suite struct InputGeneratorTests {
  /// The stream equals that of `fill` in the benchmark's Python script, for inputs 0 and 3.
  @Test func isTheStreamOfTheOfficialRace() {
    func numbers<Number: BitwiseCopyable>(
      _ input: Int, _ type: ElementType, as: Number.Type
    ) -> [Number] {
      var stream = InputGenerator(input: input)
      return stream.bytes(of: type, count: 4).withUnsafeBytes { bytes in
        (0..<4).map {
          bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Number>.stride, as: Number.self)
        }
      }
    }
    #expect(
      numbers(0, .float32, as: Float.self) == [
        0.8833107948303223, 0.4315279722213745, 0.02643376588821411, 0.9708819389343262,
      ])
    #expect(
      numbers(3, .float64, as: Double.self) == [
        0.11345028877258301, 0.7002934813499451, 0.6129746437072754, 0.07286667823791504,
      ])
    #expect(
      numbers(0, .float16, as: Float16.self) == [
        0.88330078125, 0.431640625, 0.02642822265625, 0.970703125,
      ])
    #expect(numbers(0, .uint8, as: UInt8.self) == [175, 244, 79, 236])
    #expect(numbers(3, .int8, as: Int8.self) == [-19, -119, 1, -49])
    #expect(numbers(0, .int16, as: Int16.self) == [-12881, 26100, 17743, -32276])
    #expect(numbers(0, .int32, as: Int32.self) == [1, 0, 1, 0])
    #expect(numbers(0, .int64, as: Int64.self) == [1, 0, 1, 0])
    #expect(numbers(0, .bool, as: UInt8.self) == [1, 0, 1, 0])
    #expect(numbers(0, .complex64, as: SIMD2<Float>.self) == [[1, 0], [0, 0], [1, 0], [0, 0]])
    #expect(numbers(0, .bfloat16, as: UInt16.self) == [0x3F62, 0x3EDD, 0x3CD9, 0x3F79])
  }

  @Test func roundsToTheNearestBrainFloat() {
    func brainFloat(_ number: Double) -> [UInt8] {
      var bytes: [UInt8] = []
      NumberFormat.bfloat16.append(number, to: &bytes)
      return bytes
    }
    #expect(brainFloat(1) == [0x80, 0x3F])
    // 1 + 2^-8 is halfway between 0x3F80 and 0x3F81 and rounds to even; a little more rounds up.
    #expect(brainFloat(1 + 0x1p-8) == [0x80, 0x3F])
    #expect(brainFloat(1 + 0x1p-8 + 0x1p-20) == [0x81, 0x3F])
    #expect(brainFloat(1 + 3 * 0x1p-8) == [0x82, 0x3F])
  }
}
