import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@Suite struct ElementConversionTests {
  private func converted<Source: BitwiseCopyable & ExpressibleByIntegerLiteral, Target>(
    _ conversion: ElementConversion, _ source: [Source], to zero: Target, table: Int
  ) -> [Target] where Target: BitwiseCopyable {
    let input = GuardedMemory(source)
    let output = GuardedMemory(count: source.count, filledWith: zero)
    tables[table].elementwise.converted(
      conversion, ElementRow(input: input.start, output: output.start, count: source.count))
    return output.elements
  }

  /// Ties, numbers next to ties, and numbers outside the type's range.
  private static let reals: [Float] = {
    let ties = (-300...300).map { Float($0) + 0.5 }
    let special: [Float] = [
      0, -0, .nan, .infinity, -.infinity, 1e30, -1e30, .leastNonzeroMagnitude,
    ]
    return (special + ties + ties.map(\.nextUp) + ties.map(\.nextDown)).map { $0 * 0.25 }
  }()

  @Test(arguments: tables.indices)
  func quantizing(table: Int) {
    for scale: Float in [0.25, 0.1] {
      let range = QuantizedRange(zeroPoint: 3, minimum: -128, maximum: 127)
      let got = converted(
        .quantize(.int8, scale: scale, range: range), Self.reals, to: Int8(0), table: table)
      let want = Self.reals.map { real in
        let steps = (real / scale).rounded(.toNearestOrAwayFromZero) + 3
        return steps.isNaN ? -128 : Int8(max(-128, min(127, steps)))
      }
      #expect(got == want, "\(scale)")
    }
    let shorts = converted(
      .quantize(
        .int16, scale: 0.25, range: QuantizedRange(zeroPoint: 0, minimum: -32768, maximum: 32767)),
      Self.reals.map { $0 * 64 }, to: Int16(0), table: table)
    let want = Self.reals.map { real in
      let steps = (real * 64 / 0.25).rounded(.toNearestOrAwayFromZero)
      return steps.isNaN ? Int16.min : Int16(max(-32768, min(32767, steps)))
    }
    #expect(shorts == want)
  }

  /// Quotients at ties, next to ties and far outside the type's range, and random bit patterns.
  @Test(arguments: tables.indices)
  func quantizingNextToTies(table: Int) {
    var numbers = SeededGenerator(seed: 20)
    let scales: [Float] =
      [1, 0x1.fffffep-9, 0x1.000002p-3, 0x1p-59, 0x1p59, 0x1p-61, 0x1p61]
      + (0..<40).map { _ in Float.random(in: 0x1p-9..<0x1p3, using: &numbers) }
    for scale in scales {
      let ties = (-260...260).flatMap { step in
        let tie = (Float(step) + 0.5) * scale
        return [tie.nextDown.nextDown, tie.nextDown, tie, tie.nextUp, tie.nextUp.nextUp]
      }
      let far = (16...120).flatMap { exponent in
        let magnitude = Float(sign: .plus, exponent: exponent, significand: 1.37) * scale
        return [magnitude, -magnitude]
      }
      let any = (0..<500).map { _ in
        Float(bitPattern: UInt32.random(in: 0 ... .max, using: &numbers))
      }
      let reals = (ties + far + any).shuffled(using: &numbers)
      let zeroPoint = Int32.random(in: 0...255, using: &numbers)
      let got = converted(
        .quantize(
          .uint8, scale: scale,
          range: QuantizedRange(zeroPoint: zeroPoint, minimum: 0, maximum: 255)),
        reals, to: UInt8(0), table: table)
      let differ = reals.indices.first { index in
        let steps = (reals[index] / scale).rounded(.toNearestOrAwayFromZero) + Float(zeroPoint)
        return got[index] != (steps.isNaN ? 0 : UInt8(max(0, min(255, steps))))
      }
      #expect(differ == nil, "\(differ.map { reals[$0] } ?? 0) / \(scale)")
    }
  }

  @Test(arguments: tables.indices)
  func dequantizing(table: Int) {
    for count in awkwardSizes {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 73) }
      let unsigned = converted(
        .dequantize(.uint8, scale: 0.3, zeroPoint: 200), bytes, to: Float(0), table: table)
      #expect(unsigned == bytes.map { 0.3 * Float(Int($0) - 200) }, "\(count)")
      let signed = converted(
        .dequantize(.int8, scale: 0.3, zeroPoint: -7), bytes, to: Float(0), table: table)
      #expect(signed == bytes.map { 0.3 * Float(Int(Int8(bitPattern: $0)) + 7) }, "\(count)")
      let shorts = (0..<count).map { Int16(truncatingIfNeeded: $0 &* 7919) }
      let wide = converted(
        .dequantize(.int16, scale: 0.01, zeroPoint: 0), shorts, to: Float(0), table: table)
      #expect(wide == shorts.map { 0.01 * Float($0) }, "\(count)")
    }
  }

  @Test(arguments: tables.indices)
  func requantizing(table: Int) {
    let shorts = (-32768...32767).map { Int16($0) }
    for exponent: Int32 in [-9, -8, -1, 0, 1] {
      let result = FixedPointResult(
        multiplier: 1_600_000_000, exponent: exponent,
        range: QuantizedRange(zeroPoint: -3, minimum: -128, maximum: 127), isBounded: false)
      let got = converted(
        .requantize(.int16, zeroPoint: 0, to: .int8, result), shorts, to: Int8(0), table: table)
      let want = shorts.map {
        Int8(
          clamping: OfficialRounding.scale(
            Int32($0), multiplier: 1_600_000_000, shift: exponent) - 3)
      }
      #expect(got == want, "\(exponent)")
      let sums = shorts.map { Int32($0) &* 801 }
      let narrow = converted(
        .scaleSums(zeroPoint: 77_000, result), sums, to: Int8(0), table: table)
      let scaled = sums.map {
        Int8(
          clamping: OfficialRounding.scale(
            $0 - 77_000, multiplier: 1_600_000_000, shift: exponent) - 3)
      }
      #expect(narrow == scaled, "\(exponent)")
    }
    let bytes = (0...255).map { UInt8($0) }
    let result = FixedPointResult(
      multiplier: 1_600_000_000, exponent: 6,
      range: QuantizedRange(zeroPoint: 0, minimum: -32768, maximum: 32767), isBounded: false)
    let wide = converted(
      .requantize(.uint8, zeroPoint: 100, to: .int16, result), bytes, to: Int16(0), table: table)
    let want = bytes.map {
      Int16(
        clamping: OfficialRounding.scale(Int32($0) - 100, multiplier: 1_600_000_000, shift: 6))
    }
    #expect(wide == want)
  }

  /// All 16-bit numbers, rectified with a slope of either sign, and their magnitudes.
  @Test(arguments: tables.indices)
  func rectifyingShorts(table: Int) {
    let shorts = (-32768...32767).map { Int16($0) }
    let range = QuantizedRange(zeroPoint: 0, minimum: -32768, maximum: 32767)
    func result(_ multiplier: Int32, _ exponent: Int32) -> FixedPointResult {
      FixedPointResult(
        multiplier: multiplier, exponent: exponent, range: range, isBounded: false)
    }
    func scaled(_ number: Int16, _ result: FixedPointResult) -> Int32 {
      OfficialRounding.scale(
        Int32(number), multiplier: result.multiplier, shift: result.exponent)
    }
    for (kept, sloped) in [
      (result(1 << 30, 1), result(1_374_389_535, -3)), (result(1_900_000_000, 2), result(0, 0)),
      (result(1_100_000_001, -1), result(2_000_000_000, 3)),
    ] {
      for isNegated in [false, true] {
        let got = converted(
          .rectify(kept: kept, sloped: sloped, negatesSloped: isNegated), shorts, to: Int16(0),
          table: table)
        let want = shorts.map { number in
          let below = scaled(number, sloped)
          return Int16(
            clamping: number >= 0 ? scaled(number, kept) : isNegated ? -below : below)
        }
        #expect(got == want)
      }
      let magnitudes = converted(.scaleMagnitudes(kept), shorts, to: Int16(0), table: table)
      let want = shorts.map {
        Int16(
          clamping: OfficialRounding.scale(
            abs(Int32($0)), multiplier: kept.multiplier, shift: kept.exponent))
      }
      #expect(magnitudes == want)
    }
  }

  @Test(arguments: tables.indices)
  func negatives(table: Int) {
    for count in [1, 3, 16, 63, 64, 65, 256] {
      let bytes = (0..<count).map { Int8(truncatingIfNeeded: $0 * 37 - 128) }
      let got = converted(.negateBytes, bytes, to: Int8(0), table: table)
      #expect(got == bytes.map { $0 == -128 ? -128 : -$0 }, "\(count)")
    }
  }

  @Test(arguments: tables.indices)
  func allHalves(table: Int) {
    let bits = (0...UInt16.max).map { $0 }
    let got = converted(.widenHalves, bits, to: Float(0), table: table)
    let differ = bits.first { bits in
      let want = Float(Float16(bitPattern: bits))
      let result = got[Int(bits)]
      return want.isNaN ? !result.isNaN : result.bitPattern != want.bitPattern
    }
    #expect(differ == nil, "\(differ ?? 0)")
  }

  @Test(arguments: tables.indices)
  func integers(table: Int) {
    let integers: [Int32] = [0, -1, .min, .max, 16_777_217, -16_777_219, 5, 7, 9]
    let got = converted(.integersToFloats, integers, to: Float(0), table: table)
    #expect(got == integers.map { Float($0) })
  }
}
