import OcellusEngine
import Testing

@Suite struct HybridQuantizationTests {
  private func round(
    _ values: [Float],
    _ quantize: (UnsafeBufferPointer<Float>, UnsafeMutableBufferPointer<Int8>, RunControl?) ->
      HybridQuantization
  ) -> (HybridQuantization, [Int8]) {
    var integers = [Int8](repeating: 99, count: values.count)
    let quantization = values.withUnsafeBufferPointer { values in
      integers.withUnsafeMutableBufferPointer { quantize(values, $0, nil) }
    }
    return (quantization, integers)
  }

  /// In steps of 2/127, -1 is -63.5 steps and 0.5 is 31.75.
  @Test func symmetricRoundsTiesAwayFromZero() {
    let (quantization, integers) = round([-1, 0.5, 2], HybridQuantization.symmetric)
    #expect(quantization == HybridQuantization(scale: 2 / 127, zeroPoint: 0))
    #expect(integers == [-64, 32, 127])
  }

  /// In steps of 0.5 from -27.5 to 100, zero is 55 steps above the lowest integer.
  @Test func asymmetricPutsZeroOnAnInteger() {
    let (quantization, integers) = round([-27.5, 0, 100], HybridQuantization.asymmetric)
    #expect(quantization == HybridQuantization(scale: 0.5, zeroPoint: -73))
    #expect(integers == [-128, -73, 127])
  }

  /// The range is extended to zero, and values are rounded before the zero point is added.
  @Test func asymmetricRangesReachZero() {
    let (quantization, integers) = round([127.5, 255], HybridQuantization.asymmetric)
    #expect(quantization == HybridQuantization(scale: 1, zeroPoint: -128))
    #expect(integers == [0, 127])
  }

  /// Ties round as in recorded results of the official runtime, where the number just below one
  /// half becomes one within the first eight elements.
  @Test func halvesAsTheOfficialRuntimeRoundsThem() {
    let (_, positive) = round(
      [127.5, 255, 0.5, 1.5, 0.49999997, 2.5, -0.0, 0, 0.49999997, 0.5, 3.5],
      HybridQuantization.asymmetric)
    #expect(positive == [0, 127, -127, -126, -127, -125, -128, -128, -128, -127, -124])
    let (quantization, mixed) = round(
      [-100, 155, 0.5, -0.5, 0.49999997, -0.49999997, 1.5, -1.5, 0.49999997, -0.49999997, -2.5],
      HybridQuantization.asymmetric)
    #expect(quantization == HybridQuantization(scale: 1, zeroPoint: -28))
    #expect(mixed == [-128, 127, -27, -29, -27, -29, -26, -30, -28, -28, -31])
  }

  /// The range is a difference in single precision, which is itself rounded.
  @Test func rangesAreRounded() {
    let (quantization, integers) = round(
      [-0.1, 3.3, 0.7, 1.1, 2.2, -0.05, 0.3, 0.9], HybridQuantization.asymmetric)
    #expect(quantization == HybridQuantization(scale: 0.013333333, zeroPoint: -120))
    #expect(integers == [-128, 127, -67, -37, 45, -124, -97, -52])
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
