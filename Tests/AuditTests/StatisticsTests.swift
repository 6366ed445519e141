import OcellusAudit
import OcellusEngine
import OcellusTestSupport
import Testing

/// Statistics equal those of simple loops over arrays of numbers.
@Suite struct StatisticsTests {
  private func statistics<Number: BitwiseCopyable>(
    _ numbers: [Number], _ type: ElementType, zeroPoint: Int = 3, isSampled: Bool = false
  ) throws -> TensorStatistics {
    try #require(
      numbers.withUnsafeBytes {
        TensorStatistics(
          of: $0, type: type, quantization: .init(scales: [1], zeroPoints: [zeroPoint]),
          isSampled: isSampled)
      })
  }

  @Test(arguments: [1, 15, 16, 17, 4095, 4096, 4097, 10_000])
  func floats(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let numbers = generator.floats(count)
    let found = try statistics(numbers, .float32)
    #expect(found.elementCount == count)
    #expect(found.minimum == numbers.min().map { Double($0) })
    #expect(found.maximum == numbers.max().map { Double($0) })
    let mean = numbers.reduce(0) { $0 + Double($1) } / Double(count)
    #expect(abs((found.mean ?? .nan) - mean) < 1e-6)
    #expect(found.nanCount == 0 && found.infinityCount == 0)
    #expect(found.histogram?.counts.reduce(0, +) == count)
  }

  @Test func oddFloatsAreCountedApart() throws {
    let numbers: [Float] = [.nan, -.infinity, 3, -0.0, .infinity, -2, .signalingNaN]
    let found = try statistics(numbers, .float32)
    #expect(found.nanCount == 2)
    #expect(found.infinityCount == 2)
    #expect(found.minimum == -2 && found.maximum == 3)
    let mean = try #require(found.mean)
    #expect(abs(mean - 1 / 3) < 1e-12)
    let none = try statistics([Float.nan], .float32)
    #expect(none.minimum == nil && none.histogram == nil)
  }

  @Test(arguments: [1, 255, 256, 4096, 9999, 40_001])
  func bytesOfBothSigns(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let signed = generator.bytes(count, isSigned: true).map { Int8(bitPattern: $0) }
    let found = try statistics(signed, .int8)
    #expect(found.minimum == signed.min().map { Double($0) })
    #expect(found.maximum == signed.max().map { Double($0) })
    #expect(found.saturatedCount == signed.count { $0 == .min || $0 == .max })
    #expect(found.mean == signed.reduce(0) { $0 + Double($1) } / Double(count))
    let unsigned = try statistics(signed.map { UInt8(bitPattern: $0) }, .uint8)
    #expect(unsigned.saturatedCount == signed.count { $0 == 0 || $0 == -1 })
    // If the lowest byte means zero, as after a ReLU, it is not counted as saturated.
    let positive = try statistics(signed, .int8, zeroPoint: -128)
    #expect(positive.saturatedCount == signed.count { $0 == .max })
  }

  @Test func histogramsOfLargeTensorsAreSampled() throws {
    var generator = SeededGenerator(seed: 3)
    let numbers = generator.floats(100_000)
    let sampled = try #require(try statistics(numbers, .float32, isSampled: true).histogram)
    let whole = try #require(try statistics(numbers, .float32).histogram)
    #expect(whole.sampleCount == 100_000)
    #expect((512...1024).contains(sampled.sampleCount))
    #expect(sampled.counts.reduce(0, +) == sampled.sampleCount)
  }

  @Test func otherTypes() throws {
    #expect(try statistics([Int64(-5), 7], .int64).mean == 1)
    #expect(try statistics([1.5, 2.5], .float64).maximum == 2.5)
    let numbers: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let complex = numbers.withUnsafeBytes {
      TensorStatistics(of: $0, type: .complex64, quantization: nil, isSampled: false)
    }
    #expect(complex == nil)
  }
}
