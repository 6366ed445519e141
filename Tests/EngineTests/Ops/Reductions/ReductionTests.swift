import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct ReductionTests {
  private let keepDimensions = ModelWriter.Options(
    tag: BuiltinOptionsTag.reducer, [0: .bool(true)])

  @Test func sumsAlongAxesThatAreApart() throws {
    let cube = TestTensor([2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8] as [Float])
    let (shape, sums) = try run("SUM", [cube, .init([2], [0, -1] as [Int32])], as: Float.self)
    #expect(shape == [2])
    #expect(sums == [14, 22])
  }

  @Test func keepsReducedAxesWhenAsked() throws {
    let matrix = TestTensor([2, 3], [1, 2, 3, 4, 5, 6] as [Int32])
    let (shape, maxima) = try run(
      "REDUCE_MAX", [matrix, .init([2], [1, 1] as [Int32])], options: keepDimensions,
      as: Int32.self)
    #expect(shape == [2, 1])
    #expect(maxima == [3, 6])
  }

  @Test func meansOfIntegersRoundTowardsZero() throws {
    let (_, means) = try run(
      "MEAN", [.init([2, 2], [-3, -4, 3, 4] as [Int32]), .init([1], [1] as [Int32])],
      as: Int32.self)
    #expect(means == [-3, 3])
  }

  @Test func integerSumsWrap() throws {
    let (_, sums) = try run(
      "SUM", [.init([2], [Int32.max, 1]), .init([1], [0] as [Int32])], as: Int32.self)
    #expect(sums == [.min])
  }

  /// The official kernels start from the first element when they reduce all axes.
  @Test func nanIsSkippedUnlessItComesFirstOfAll() throws {
    let row = TestTensor([1, 3], [Float.nan, 2, 1])
    #expect(try run("REDUCE_MAX", [row, .init([1], [1] as [Int32])], as: Float.self).values == [2])
    let all = try run("REDUCE_MAX", [row, .init([2], [0, 1] as [Int32])], as: Float.self)
    #expect(all.values[0].isNaN)
  }

  @Test func nothingReducesToWhatTheFoldStartsFrom() throws {
    let operands = [TestTensor([2, 0], [] as [Float]), TestTensor([1], [1] as [Int32])]
    let highest = Float.greatestFiniteMagnitude
    #expect(try run("SUM", operands, as: Float.self).values == [0, 0])
    #expect(try run("REDUCE_PROD", operands, as: Float.self).values == [1, 1])
    #expect(try run("REDUCE_MAX", operands, as: Float.self).values == [-highest, -highest])
    #expect(try run("REDUCE_MIN", operands, as: Float.self).values == [highest, highest])
    #expect(try run("MEAN", operands, as: Float.self).values.filter(\.isNaN).count == 2)
  }

  /// (0.5·(3−1) + 0.5·(6−1)) / 2 = 1.75, which is 7 in steps of 0.25, and 5 with the zero point of
  /// -2.
  @Test func quantizedMeansRescale() throws {
    let (_, means) = try run(
      "MEAN",
      [.init([2], [3, 6] as [Int8], scale: 0.5, zeroPoint: 1), .init([1], [0] as [Int32])],
      scale: 0.25, zeroPoint: -2, as: Int8.self)
    #expect(means == [5])
  }

  /// 2 · 1.5 = 3, which is 6 in steps of 0.5.
  @Test func quantizedProductsShareTheScale() throws {
    let (_, products) = try run(
      "REDUCE_PROD",
      [.init([2], [4, 3] as [Int8], scale: 0.5), .init([1], [0] as [Int32])], scale: 0.5,
      as: Int8.self)
    #expect(products == [6])
  }

  @Test func everyByteButZeroIsTrue() throws {
    var two = Boolean(true)
    two.byte = 2
    let operands = [TestTensor([2], [two, Boolean(false)]), TestTensor([1], [0] as [Int32])]
    #expect(try run("REDUCE_ANY", operands, as: Boolean.self).values[0].byte == 1)
    #expect(try run("REDUCE_ALL", operands, as: Boolean.self).values[0].byte == 0)
  }

  @Test(arguments: [2, -3, Int32.min])
  func refusesAxesOutOfRange(axis: Int32) {
    #expect(throws: ModelError.self) {
      try run("SUM", [.init([1, 1], [1] as [Float]), .init([1], [axis])], as: Float.self)
    }
  }

  /// The official sum of the exponentials of equal elements holds 4,095 of them and then wraps
  /// around.
  @Test(arguments: [4095, 4096, 9000])
  func sumsOfLongRowsWrapAround(length: Int) throws {
    func softmax(isReference: Bool) throws -> [UInt8] {
      try run(
        "SOFTMAX", [.init([1, length], [UInt8](repeating: 7, count: length), scale: 0.1)],
        options: .init(tag: BuiltinOptionsTag.softmax, [0: .float(1)]), scale: 1 / 256,
        running: .init(usesReferenceKernels: isReference), as: UInt8.self
      ).values
    }
    #expect(try softmax(isReference: false) == softmax(isReference: true))
  }

  @Test(arguments: [[1, 1], [3, 7], [9, 5], [2, 6, 4]], [false, true])
  func cumulativeSums(shape: [Int], isExclusive: Bool) throws {
    let count = shape.reduce(1, *)
    let values = (0..<count).map { Int32($0 * 37 % 11) }
    for isReversed in [false, true] {
      for axis in shape.indices {
        let stride = shape[(axis + 1)...].reduce(1, *)
        let want = (0..<count).map { place in
          let position = place / stride % shape[axis]
          let others = isReversed ? position..<shape[axis] : 0..<position + 1
          return others.filter { !isExclusive || $0 != position }
            .map { values[place + ($0 - position) * stride] }.reduce(0, +)
        }
        let got = try run(
          "CUMSUM",
          [.init(shape, values), .init([], [Int32(axis)], isConstant: true)],
          options: .init(
            tag: BuiltinOptionsTag.cumsum, [0: .bool(isExclusive), 1: .bool(isReversed)]),
          as: Int32.self)
        #expect(got.values == want, "axis \(axis), reversed \(isReversed)")
      }
    }
  }
}
