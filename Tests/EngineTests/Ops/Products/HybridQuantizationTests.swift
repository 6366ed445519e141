import OcellusEngine
import Testing

@Suite struct HybridQuantizationTests {
  private func round(
    _ values: [Float],
    _ quantize: (UnsafeBufferPointer<Float>, UnsafeMutableBufferPointer<Int8>) -> HybridQuantization
  ) -> (HybridQuantization, [Int8]) {
    var integers = [Int8](repeating: 99, count: values.count)
    let quantization = values.withUnsafeBufferPointer { values in
      integers.withUnsafeMutableBufferPointer { quantize(values, $0) }
    }
    return (quantization, integers)
  }

  /// Steps of 2/127: -63.5 and 31.75 of them.
  @Test func symmetricRoundsTiesAwayFromZero() {
    let (quantization, integers) = round([-1, 0.5, 2], HybridQuantization.symmetric)
    #expect(quantization == HybridQuantization(scale: 2 / 127, zeroPoint: 0))
    #expect(integers == [-64, 32, 127])
  }

  /// Steps of 0.5 from -27.5 to 100, so zero is 55 steps from the lowest integer.
  @Test func asymmetricPutsZeroOnAnInteger() {
    let (quantization, integers) = round([-27.5, 0, 100], HybridQuantization.asymmetric)
    #expect(quantization == HybridQuantization(scale: 0.5, zeroPoint: -73))
    #expect(integers == [-128, -73, 127])
  }

  /// Half a step below zero is rounded away from it.
  @Test func asymmetricRangesReachZero() {
    let (quantization, integers) = round([127.5, 255], HybridQuantization.asymmetric)
    #expect(quantization == HybridQuantization(scale: 1, zeroPoint: -128))
    #expect(integers == [-1, 127])
  }

  @Test func zerosHaveTheScaleOne() {
    for quantize in [HybridQuantization.symmetric, HybridQuantization.asymmetric] {
      let (quantization, integers) = round([0, -0.0], quantize)
      #expect(quantization == HybridQuantization(scale: 1, zeroPoint: 0))
      #expect(integers == [0, 0])
    }
  }

  @Test func whatIsNotFiniteDoesNotTrap() {
    for quantize in [HybridQuantization.symmetric, HybridQuantization.asymmetric] {
      _ = round([.nan, 1, .infinity, -.infinity], quantize)
      _ = round([.infinity, 1], quantize)
      _ = round([1, .nan], quantize)
      _ = round([], quantize)
    }
  }
}
