import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@Suite struct FloatRoundingTests {
  /// Ties and their neighbours on both sides, and special values.
  private let special: [Float] =
    [0, -0.0, .nan, .infinity, -.infinity, 1e30, 0.49999997, -0.49999997]
    + (-130...130).flatMap { whole -> [Float] in
      let half = Float(whole) + 0.5
      return [half, half.nextDown, half.nextUp]
    }

  @Test(arguments: tables.indices)
  func halvesAreRoundedAwayFromZero(table: Int) {
    for (factor, zeroPoint, makesUnsigned) in [
      (1, 0, false), (1, -3, true), (0.37, 12, false), (0.37, 12, true),
    ] as [(Float, Int32, Bool)] {
      for count in awkwardSizes + [special.count] {
        let values = (0..<count).map { special[($0 &* 7 &+ count) % special.count] }
        let input = GuardedMemory(values)
        let output = GuardedMemory<UInt8>(count: count, filledWith: 99)
        tables[table].floatQuantization.round(
          FloatQuantizationArguments(
            input: input.start, count: count, factor: factor, zeroPoint: zeroPoint,
            minimum: -127, maximum: 127, makesUnsigned: makesUnsigned, output: output.start))
        let want = values.enumerated().map { index, value -> UInt8 in
          let steps = value * factor
          let rounded =
            index < count / 8 * 8
            ? (steps + (steps < 0 ? -0.5 : 0.5)).rounded(.towardZero)
            : steps.rounded(.toNearestOrAwayFromZero)
          let byte = rounded.isNaN ? -127 : Int(min(max(rounded + Float(zeroPoint), -127), 127))
          return UInt8(truncatingIfNeeded: makesUnsigned ? byte + 128 : byte)
        }
        #expect(output.elements == want, "\(count) times \(factor)")
      }
    }
  }

  @Test(arguments: tables.indices)
  func halvesAreRoundedToEvenAsInXNNPACK(table: Int) {
    for (factor, zeroPoint, makesUnsigned) in [
      (1, 0, false), (1, -3, true), (0.37, 12, false), (0.37, 127, true),
    ] as [(Float, Int32, Bool)] {
      for count in awkwardSizes + [special.count] {
        let values = (0..<count).map { special[($0 &* 7 &+ count) % special.count] }
        let input = GuardedMemory(values)
        let output = GuardedMemory<UInt8>(count: count, filledWith: 99)
        tables[table].floatQuantization.round(
          FloatQuantizationArguments(
            input: input.start, count: count, factor: factor, zeroPoint: zeroPoint,
            roundsToEven: true, minimum: -128, maximum: 127, makesUnsigned: makesUnsigned,
            output: output.start))
        let want = values.map { value -> UInt8 in
          let steps = (value * factor).rounded(.toNearestOrEven)
          let byte = steps.isNaN ? 127 : Int(min(max(steps + Float(zeroPoint), -128), 127))
          return UInt8(truncatingIfNeeded: makesUnsigned ? byte + 128 : byte)
        }
        #expect(output.elements == want, "\(count) times \(factor)")
      }
    }
  }

  @Test(arguments: tables.indices)
  func extremesAreFoundWhereverTheyAre(table: Int) {
    for count in awkwardSizes where count > 2 {
      for place in Set([0, count / 2, count - 2]) {
        var values = [Float](repeating: 1, count: count)
        values[place] = -5
        values[place + 1] = 7
        values[place == 0 ? count - 1 : 0] = .nan
        let input = GuardedMemory(values)
        let got = tables[table].floatQuantization.extremes(input.start, count, 1)
        #expect(got.lowest == -5 && got.highest == 7, "\(place) of \(count)")
      }
    }
  }

  @Test(arguments: tables.indices)
  func aFirstNumberThatIsNoneStays(table: Int) {
    let input = GuardedMemory([Float](repeating: 3, count: 40))
    let got = tables[table].floatQuantization.extremes(input.start, 40, .nan)
    #expect(got.lowest.isNaN && got.highest.isNaN)
  }
}
