import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct PoolTests {
  private func options(
    padding: Int8, stride: Int32 = 1, rows: Int32 = 1, columns: Int32
  ) -> ModelWriter.Options {
    .init(
      tag: BuiltinOptionsTag.pool2D,
      [
        0: .int8(padding), 1: .int32(stride), 2: .int32(stride), 3: .int32(columns),
        4: .int32(rows),
      ])
  }

  /// Elements outside the input do not count as zeros.
  @Test func meansLeaveOutThePadding() throws {
    let (_, means) = try run(
      "AVERAGE_POOL_2D", [.init([1, 1, 3, 1], [3, 6, 9] as [Float])],
      options: options(padding: 0, columns: 3), as: Float.self)
    #expect(means == [4.5, 6, 7.5])
  }

  @Test func quantizedMeansRoundTiesAwayFromZero() throws {
    let (_, means) = try run(
      "AVERAGE_POOL_2D", [.init([1, 1, 4, 1], [-1, -2, 1, 2] as [Int8], scale: 1)], version: 2,
      options: options(padding: 1, stride: 2, columns: 2), scale: 1, as: Int8.self)
    #expect(means == [-2, 2])
  }

  @Test func maximaSkipWhatIsNotANumber() throws {
    let (_, maxima) = try run(
      "MAX_POOL_2D", [.init([1, 1, 4, 1], [.nan, 1, .nan, .nan] as [Float])],
      options: options(padding: 1, stride: 2, columns: 2), as: Float.self)
    #expect(maxima == [1, -.greatestFiniteMagnitude])
  }

  @Test func rootsOfMeanSquares() throws {
    let (_, roots) = try run(
      "L2_POOL_2D", [.init([1, 1, 2, 1], [1, -7] as [Float])],
      options: options(padding: 1, columns: 2), as: Float.self)
    #expect(roots == [5])
  }

  @Test func aWindowThatDoesNotFitHasNoResult() throws {
    let (shape, _) = try run(
      "MAX_POOL_2D", [.init([1, 1, 4, 1], [1, 2, 3, 4] as [Float])],
      options: options(padding: 1, rows: 9, columns: 2), as: Float.self)
    #expect(shape == [1, 0, 3, 1])
  }

  /// The largest window costs no more than the input that it covers.
  @Test func theLargestWindowCoversTheInput() throws {
    let (_, maxima) = try run(
      "MAX_POOL_2D", [.init([1, 1, 2, 1], [1, 2] as [Float])],
      options: options(padding: 0, rows: .max, columns: .max), as: Float.self)
    #expect(maxima == [2, 2])
  }

  @Test(arguments: [Int32(0), -1])
  func windowsWithoutExtentAreRefused(extent: Int32) {
    #expect(throws: ModelError.self) {
      try run(
        "MAX_POOL_2D", [.init([1, 1, 2, 1], [1, 2] as [Float])],
        options: options(padding: 0, columns: extent), as: Float.self)
    }
  }

  // MARK: MediaPipe

  /// SAME padding, strides of 2 and windows of 2 by 2, without activation.
  private let structure = [UInt8](bytesOf: [1, 2, 2, 2, 2, 0] as [Int32])

  @Test func argumentsOfTheMaximumSayTheTap() throws {
    let input = ModelWriter.Tensor("x", .float32, [1, 2, 2, 1])
    let model = ModelWriter.singleOperator(
      OperatorCodeRecord(
        builtinCode: BuiltinOperator.custom, customCode: "MaxPoolingWithArgmax2D"),
      reading: [input], writing: [.init("y", .float32, []), .init("taps", .float32, [])],
      customOptions: structure)
    let interpreter = try Interpreter(Model(bytes: model.bytes()))
    try interpreter.setInput(at: 0, to: [1, 2, 4, 3] as [Float])
    try interpreter.run()
    #expect(try interpreter.output(at: 0) == [4] as [Float])
    #expect(try interpreter.output(at: 1) == [2.1] as [Float])
  }

  /// Tap 2 is in the second row's first column and tap 0 in the corner; 99 and -9 are no taps.
  @Test func unpoolingPutsMaximaBack() throws {
    let (shape, values) = try run(
      "MaxUnpooling2D",
      [
        .init([1, 1, 2, 2], [5, 6, 7, 8] as [Float]),
        .init([1, 1, 2, 2], [2.1, 99, 0.1, -9] as [Float]),
      ], customOptions: structure, as: Float.self)
    #expect(shape == [1, 2, 4, 2])
    #expect(values == [0, 0, 0, 0, 7, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test(arguments: ["MaxUnpooling2D", "MaxPoolingWithArgmax2D", "Convolution2DTransposeBias"])
  func shortOptionsAreRefused(name: String) {
    #expect(throws: ModelError.self) {
      try run(
        name, [TestTensor([1, 1, 1, 1], [1] as [Float])], customOptions: [1, 0], as: Float.self)
    }
  }
}
