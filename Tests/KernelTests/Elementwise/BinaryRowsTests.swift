import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// Two operands in guarded memory, as rows in all the layouts that kernels accept.
private struct RowCase: CustomStringConvertible {
  var length: Int
  var rows: Int
  var firstIsScalar: Bool
  var secondIsScalar: Bool
  var secondIsShared: Bool

  static let all: [RowCase] = awkwardSizes.flatMap { length in
    [
      RowCase(
        length: length, rows: 1, firstIsScalar: false, secondIsScalar: false,
        secondIsShared: false),
      RowCase(
        length: length, rows: 3, firstIsScalar: false, secondIsScalar: false,
        secondIsShared: true),
      RowCase(
        length: length, rows: 2, firstIsScalar: true, secondIsScalar: false,
        secondIsShared: false),
      RowCase(
        length: length, rows: 3, firstIsScalar: false, secondIsScalar: true,
        secondIsShared: false),
    ]
  }

  var firstCount: Int { firstIsScalar ? rows : rows * length }
  var secondCount: Int {
    secondIsShared ? (secondIsScalar ? 1 : length) : secondIsScalar ? rows : rows * length
  }
  var resultCount: Int { rows * length }

  func firstIndex(_ result: Int) -> Int { firstIsScalar ? result / length : result }
  func secondIndex(_ result: Int) -> Int {
    secondIsShared ? result % length : secondIsScalar ? result / length : result
  }

  func rows<Element>(
    _ first: GuardedMemory<Element>, _ second: GuardedMemory<Element>,
    _ output: GuardedMemory<Element>
  ) -> BinaryRows {
    let bytes = MemoryLayout<Element>.stride
    return BinaryRows(
      first: first.start, second: second.start, output: output.start, rowLength: length,
      rowCount: rows, firstStride: (firstIsScalar ? 1 : length) * bytes,
      secondStride: secondIsShared ? 0 : (secondIsScalar ? 1 : length) * bytes,
      firstIsScalar: firstIsScalar, secondIsScalar: secondIsScalar)
  }

  var description: String {
    "\(rows) × \(length), scalar \(firstIsScalar) \(secondIsScalar), shared \(secondIsShared)"
  }
}

@Suite struct BinaryRowsTests {
  private let special: [Float] = [0, -0, .nan, .infinity, -.infinity, 1, -1, 6, 7, 3.4e38]

  private func floats(_ count: Int, seed: UInt64) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return random.floats(count).enumerated().map { index, value in
      index % 3 == 0 ? special[Int.random(in: 0..<special.count, using: &random)] : value
    }
  }

  @Test(arguments: tables.indices)
  func floatFunctions(table: Int) {
    let functions: [(BinaryFloatFunction, (Float, Float) -> Float)] = [
      (.add, { $0 + $1 }), (.subtract, { $0 - $1 }), (.multiply, { $0 * $1 }),
      (.divide, { $0 / $1 }), (.maximum, { $0 > $1 ? $0 : $1 }),
      (.minimum, { $0 < $1 ? $0 : $1 }), (.squaredDifference, { ($0 - $1) * ($0 - $1) }),
      (.rectifyWithSlope, { $0 >= 0 ? $0 : $0 * $1 }),
      (.floorQuotient, { Float((Double($0) / Double($1)).rounded(.down)) }),
    ]
    let range = FloatRange(lowerBound: -2, upperBound: 6)
    for rowCase in RowCase.all {
      let a = floats(rowCase.firstCount, seed: 1)
      let b = floats(rowCase.secondCount, seed: 2)
      let first = GuardedMemory(a)
      let second = GuardedMemory(b)
      for (name, function) in functions {
        let output = GuardedMemory<Float>(count: rowCase.resultCount, filledWith: 99)
        tables[table].elementwise.floats(name, range, rowCase.rows(first, second, output))
        let want = (0..<rowCase.resultCount).map {
          clamped(function(a[rowCase.firstIndex($0)], b[rowCase.secondIndex($0)]), -2, 6)
        }
        #expect(bits(output.elements) == bits(want), "\(name) of \(rowCase)")
      }
    }
  }

  @Test(arguments: tables.indices)
  func resultsMayReplaceTheFirstOperand(table: Int) {
    for count in awkwardSizes {
      let a = floats(count, seed: 3)
      let b = floats(count, seed: 4)
      let first = GuardedMemory(a)
      let second = GuardedMemory(b)
      tables[table].elementwise.floats(
        .add, FloatRange(),
        BinaryRows(
          first: first.start, second: second.start, output: first.start, rowLength: count))
      #expect(bits(first.elements) == bits(zip(a, b).map { $0 + $1 }), "\(count)")
    }
  }

  /// The sum as the official kernel defines it, with 20 spare bits.
  private static func officialSum(
    _ a: Int32, _ b: Int32, sign: Int32, multiplier: Int32, shift: Int32, result: Int32
  ) -> Int32 {
    let first = OfficialRounding.scale(a << 20, multiplier: 1 << 30, shift: 0)
    let second = OfficialRounding.scale(b << 20, multiplier: multiplier, shift: -shift)
    return OfficialRounding.scale(first + sign * second, multiplier: result, shift: -19)
  }

  @Test(arguments: tables.indices)
  func sumsOfAllPairsOfBytes(table: Int) {
    let bytes = (0..<65536).map { Int8(truncatingIfNeeded: $0) }
    let others = (0..<65536).map { Int8(truncatingIfNeeded: $0 >> 8) }
    let first = GuardedMemory(bytes)
    let second = GuardedMemory(others)
    let output = GuardedMemory<Int8>(count: 65536, filledWith: 0)
    for (multiplier, shift, sign): (Int32, Int32, Int32) in [
      (1 << 30, 0, 1), (1 << 30, 0, -1), (1_518_500_250, 1, 1), (1_073_741_825, 3, -1),
      (2_147_483_647, 7, 1), (1 << 30, 2, 1),
    ] {
      let (zeroPoint, resultMultiplier): (Int32, Int32) = (-5, 1_717_986_918)
      let fraction = multiplier & 2047
      let factor = multiplier >> 11
      let rounding = 1024 - 7 * fraction
      let sum = QuantizedSum(
        element: .int8,
        first: QuantizedSumTerm(factor: 1 << 19, constant: 3 << 19),
        second: QuantizedSumTerm(
          factor: sign * factor, constant: sign * -7 * factor + (sign < 0 ? 1 : 0),
          fraction: sign * fraction, fractionConstant: sign < 0 ? -rounding - 1 : rounding,
          fractionBits: 11, shift: shift),
        result: FixedPointResult(
          multiplier: resultMultiplier, exponent: -19,
          range: QuantizedRange(zeroPoint: zeroPoint, minimum: -128, maximum: 127),
          isBounded: shift % 2 == 0))
      tables[table].elementwise.quantizedSum(
        sum,
        BinaryRows(
          first: first.start, second: second.start, output: output.start, rowLength: 65536))
      let want = (0..<65536).map { index in
        let sum = Self.officialSum(
          Int32(bytes[index]) + 3, Int32(others[index]) - 7, sign: sign, multiplier: multiplier,
          shift: shift, result: resultMultiplier)
        return Int8(clamping: sum + zeroPoint)
      }
      #expect(output.elements == want, "\(multiplier) >> \(shift), sign \(sign)")
    }
  }

  @Test(arguments: tables.indices, [true, false])
  func rectifications(table: Int, isBounded: Bool) {
    let kernels = tables[table].elementwise
    let zeroPoint: Int32 = 7
    let slopeZeroPoint: Int32 = -3
    let resultZeroPoint: Int32 = -11
    let (kept, sloped): (Int32, Int32) = (1_717_986_918, 1_234_567_890)
    func result(_ multiplier: Int32, _ exponent: Int32) -> FixedPointResult {
      FixedPointResult(
        multiplier: multiplier, exponent: exponent,
        range: QuantizedRange(zeroPoint: resultZeroPoint, minimum: -128, maximum: 127),
        isBounded: isBounded)
    }
    var rectification = QuantizedRectification(
      element: .int8, zeroPoint: zeroPoint, slopeZeroPoint: slopeZeroPoint,
      kept: result(kept, -1), sloped: result(sloped, -6))
    for (index, rowCase) in RowCase.all.enumerated() {
      if index % 2 == 1 {
        rectification.kept.inFloats = kernels.floatScaling(rectification.kept, 135)
        rectification.sloped.inFloats = kernels.floatScaling(rectification.sloped, 135 * 130)
      }
      var random = SeededGenerator(seed: 5)
      let a = random.bytes(rowCase.firstCount, isSigned: true).map { Int8(bitPattern: $0) }
      let b = random.bytes(rowCase.secondCount, isSigned: true).map { Int8(bitPattern: $0) }
      let first = GuardedMemory(a)
      let second = GuardedMemory(b)
      let output = GuardedMemory<Int8>(count: rowCase.resultCount, filledWith: 0)
      kernels.quantizedRectification(
        rectification, rowCase.rows(first, second, output))
      let want = (0..<rowCase.resultCount).map { index in
        let number = Int32(a[rowCase.firstIndex(index)]) - zeroPoint
        let slope = Int32(b[rowCase.secondIndex(index)]) - slopeZeroPoint
        let scaled =
          number >= 0
          ? OfficialRounding.scale(number, multiplier: kept, shift: -1)
          : OfficialRounding.scale(number * slope, multiplier: sloped, shift: -6)
        return Int8(clamping: scaled + resultZeroPoint)
      }
      #expect(output.elements == want, "\(rowCase)")
    }
  }

  @Test(arguments: tables.indices)
  func linearSums(table: Int) {
    for rowCase in RowCase.all {
      var random = SeededGenerator(seed: 8)
      let a = random.bytes(rowCase.firstCount, isSigned: false)
      let b = random.bytes(rowCase.secondCount, isSigned: false)
      let first = GuardedMemory(a)
      let second = GuardedMemory(b)
      let output = GuardedMemory<UInt8>(count: rowCase.resultCount, filledWith: 0)
      let sum = LinearSum(
        element: .uint8, firstFactor: 3_000_001, secondFactor: -2_000_003, constant: 99_999_999,
        shift: 21, minimum: 20, maximum: 240)
      tables[table].elementwise.linearSum(sum, rowCase.rows(first, second, output))
      let want = (0..<rowCase.resultCount).map { index in
        let (x, y) = (Int(a[rowCase.firstIndex(index)]), Int(b[rowCase.secondIndex(index)]))
        return UInt8(max(20, min(240, (x * 3_000_001 - y * 2_000_003 + 99_999_999) >> 21)))
      }
      #expect(output.elements == want, "\(rowCase)")
    }
  }

  @Test(arguments: tables.indices)
  func productsOfBytes(table: Int) {
    for (index, rowCase) in RowCase.all.enumerated() {
      var random = SeededGenerator(seed: 5)
      let a = random.bytes(rowCase.firstCount, isSigned: false)
      let b = random.bytes(rowCase.secondCount, isSigned: false)
      let first = GuardedMemory(a)
      let second = GuardedMemory(b)
      let output = GuardedMemory<UInt8>(count: rowCase.resultCount, filledWith: 0)
      for exponent: Int32 in [-7, 0, 3, 12, 13] {
        var product = QuantizedProduct(
          element: .uint8, firstZeroPoint: 128, secondZeroPoint: 3,
          result: FixedPointResult(
            multiplier: 1_234_567_890, exponent: exponent,
            range: QuantizedRange(zeroPoint: 100, minimum: 10, maximum: 250),
            isBounded: exponent < 0 && index % 3 > 0))
        if index % 3 == 2 {
          product.result.inFloats = tables[table].elementwise.floatScaling(
            product.result, 128 * 252)
        }
        tables[table].elementwise.quantizedProduct(product, rowCase.rows(first, second, output))
        let want = (0..<rowCase.resultCount).map { index in
          let product =
            (Int32(a[rowCase.firstIndex(index)]) - 128)
            * (Int32(b[rowCase.secondIndex(index)]) - 3)
          let scaled = OfficialRounding.scale(
            product, multiplier: 1_234_567_890, shift: exponent)
          return UInt8(min(250, max(10, Int(scaled) + 100)))
        }
        #expect(output.elements == want, "\(rowCase) \(exponent)")
      }
    }
  }

  /// All products of signed bytes, scaled so that nearly all results differ.
  @Test(arguments: tables.indices)
  func productsThatRoundOnce(table: Int) {
    let numbers = GuardedMemory((-128...127).map { Int8($0) })
    let output = GuardedMemory<Int8>(count: 65536, filledWith: 0)
    for (multiplier, exponent) in [(1 << 30, 0), (1_900_000_001, 0), (1_100_000_000, 1)]
      as [(Int32, Int32)]
    {
      let product = QuantizedProduct(
        element: .int8, firstZeroPoint: -3, secondZeroPoint: 5,
        result: FixedPointResult(
          multiplier: multiplier, exponent: exponent,
          range: QuantizedRange(zeroPoint: 7, minimum: -128, maximum: 127), isBounded: false))
      tables[table].elementwise.quantizedProduct(
        product,
        BinaryRows(
          first: numbers.start, second: numbers.start, output: output.start, rowLength: 256,
          rowCount: 256, firstStride: 1, firstIsScalar: true))
      let want = (-128...127).flatMap { (a: Int32) in
        (-128...127).map { (b: Int32) in
          let scaled = OfficialRounding.scale(
            (a + 3) * (b - 5), multiplier: multiplier, shift: exponent)
          return Int8(clamping: scaled + 7)
        }
      }
      #expect(output.elements == want, "\(multiplier) \(exponent)")
    }
  }

  /// All products of signed bytes, with scales as models have them and scales that produce ties.
  @Test(arguments: tables.indices)
  func productsScaledInFloats(table: Int) {
    let kernels = tables[table].elementwise
    let numbers = GuardedMemory((-128...127).map { Int8($0) })
    let output = GuardedMemory<Int8>(count: 65536, filledWith: 0)
    var random = SeededGenerator(seed: 12)
    let scales = (0..<40).map { index -> (Int32, Int32) in
      let multiplier = Int32(1 << 30) + Int32(random.next() % (1 << 30))
      return (index % 4 == 0 ? 1 << 30 : multiplier, -1 - Int32(index) / 4)
    }
    var found = 0
    for (multiplier, exponent) in scales {
      var result = FixedPointResult(
        multiplier: multiplier, exponent: exponent,
        range: QuantizedRange(zeroPoint: 7, minimum: -128, maximum: 127), isBounded: true)
      result.inFloats = kernels.floatScaling(result, 131 * 133)
      if result.inFloats == nil { continue }
      found += 1
      let product = QuantizedProduct(
        element: .int8, firstZeroPoint: -3, secondZeroPoint: 5, result: result)
      kernels.quantizedProduct(
        product,
        BinaryRows(
          first: numbers.start, second: numbers.start, output: output.start, rowLength: 256,
          rowCount: 256, firstStride: 1, firstIsScalar: true))
      let want = (-128...127).flatMap { (a: Int32) in
        (-128...127).map { (b: Int32) in
          let scaled = OfficialRounding.scale(
            (a + 3) * (b - 5), multiplier: multiplier, shift: exponent)
          return Int8(clamping: scaled + 7)
        }
      }
      #expect(output.elements == want, "\(multiplier) \(exponent)")
    }
    #if arch(arm64)
      // Arm has an instruction for doubling multiplications, so kernels do not scale in floats.
      #expect(found == 0)
    #else
      #expect(found >= 36)
    #endif
  }

  @Test(arguments: tables.indices)
  func productsOfShorts(table: Int) {
    for count in awkwardSizes {
      let a = (0..<count).map { Int16(truncatingIfNeeded: $0 &* 7919) }
      let b = (0..<count).map { $0 % 5 == 0 ? Int16.min : Int16(truncatingIfNeeded: $0 &* 31) }
      let first = GuardedMemory(a)
      let second = GuardedMemory(b)
      let output = GuardedMemory<Int16>(count: count, filledWith: 0)
      let product = QuantizedProduct(
        element: .int16, firstZeroPoint: 0, secondZeroPoint: 0,
        result: FixedPointResult(
          multiplier: 1_900_000_000, exponent: -13,
          range: QuantizedRange(zeroPoint: 0, minimum: -32768, maximum: 32767),
          isBounded: false))
      tables[table].elementwise.quantizedProduct(
        product,
        BinaryRows(
          first: first.start, second: second.start, output: output.start, rowLength: count))
      let want = zip(a, b).map { a, b in
        Int16(
          clamping: OfficialRounding.scale(
            Int32(a) * Int32(b), multiplier: 1_900_000_000, shift: -13))
      }
      #expect(output.elements == want, "\(count)")
    }
  }

  /// All pairs of signed bytes.
  @Test(arguments: tables.indices)
  func squaredDifferences(table: Int) {
    let numbers = GuardedMemory((-128...127).map { Int8($0) })
    let output = GuardedMemory<Int8>(count: 65536, filledWith: 0)
    func result(_ multiplier: Int32, _ exponent: Int32, zeroPoint: Int32 = 0) -> FixedPointResult {
      FixedPointResult(
        multiplier: multiplier, exponent: exponent,
        range: QuantizedRange(zeroPoint: zeroPoint, minimum: -128, maximum: 127),
        isBounded: false)
    }
    for exponent: Int32 in [-22, -18, -14] {
      let difference = QuantizedSquaredDifference(
        firstZeroPoint: -3, secondZeroPoint: 100, spareBits: 7, first: result(1 << 30, 0),
        second: result(1_300_000_000, -2),
        result: result(1_900_000_000, exponent, zeroPoint: -120))
      tables[table].elementwise.quantizedSquaredDifference(
        difference,
        BinaryRows(
          first: numbers.start, second: numbers.start, output: output.start, rowLength: 256,
          rowCount: 256, firstStride: 1, firstIsScalar: true))
      let want = (-128...127).flatMap { (a: Int32) in
        (-128...127).map { (b: Int32) in
          let first = OfficialRounding.scale((a + 3) << 7, multiplier: 1 << 30, shift: 0)
          let second = OfficialRounding.scale(
            (b - 100) << 7, multiplier: 1_300_000_000, shift: -2)
          let square = (first - second) * (first - second)
          return Int8(
            clamping: OfficialRounding.scale(square, multiplier: 1_900_000_000, shift: exponent)
              - 120)
        }
      }
      #expect(output.elements == want, "\(exponent)")
    }
  }

  /// `std::min(std::max(x, low), high)`.
  private func clamped(_ x: Float, _ low: Float, _ high: Float) -> Float {
    let atLeast = x < low ? low : x
    return high < atLeast ? high : atLeast
  }

  /// Bit patterns, in which all NaNs are equal.
  private func bits(_ values: [Float]) -> [UInt32] {
    values.map { $0.isNaN ? Float.nan.bitPattern : $0.bitPattern }
  }
}
