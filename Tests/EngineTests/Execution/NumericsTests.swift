import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// `Numerics.exact`, checked against the reference kernels, which the conformance corpus checks
/// against the official kernels.
@Suite struct NumericsTests {
  /// An operator with one input of floats, and its constants.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var version = 1
    var input: [Int]
    /// Shapes of constants of random floats.
    var constants: [[Int]] = []
    var axes: [Int32] = []
    var options: ModelWriter.Options?

    var testDescription: String { name }

    func model() throws -> Model {
      var random = SeededGenerator(seed: 5)
      var operands = [ModelWriter.Tensor("x", .float32, input)]
      for shape in constants {
        operands.append(
          .init(
            "c", .float32, shape,
            constant: [UInt8](bytesOf: random.floats(shape.reduce(1, *)))))
      }
      if !axes.isEmpty {
        operands.append(.init("axes", .int32, [axes.count], constant: [UInt8](bytesOf: axes)))
      }
      let code = OperatorCodeRecord(
        builtinCode: BuiltinOperator.code(named: name) ?? BuiltinOperator.custom, version: version)
      return try Model(
        bytes: ModelWriter.singleOperator(
          code, reading: operands, writing: [.init("y", .float32, [])], options: options
        ).bytes())
    }

    func bits(_ model: Model, _ options: Interpreter.Options) throws -> [UInt32] {
      var random = SeededGenerator(seed: 6)
      let interpreter = try Interpreter(model, options: options)
      try interpreter.setInput(at: 0, to: random.floats(input.reduce(1, *)).map { $0 * 5 })
      try interpreter.run()
      return try interpreter.output(at: 0, as: Float.self).map(\.bitPattern)
    }
  }

  private static let window: FlatFields = [
    0: .int8(0), 1: .int32(1), 2: .int32(1),
  ]

  static let cases: [Case] = [
    .init(
      name: "FULLY_CONNECTED", input: [9, 133], constants: [[70, 133], [70]],
      options: .init(tag: BuiltinOptionsTag.fullyConnected, [0: .int8(0)])),
    .init(
      name: "CONV_2D", input: [1, 40, 40, 7], constants: [[19, 3, 3, 7], [19]],
      options: .init(tag: BuiltinOptionsTag.conv2D, window)),
    .init(
      name: "CONV_2D", input: [1, 40, 40, 3], constants: [[2, 3, 3, 3], [2]],
      options: .init(tag: BuiltinOptionsTag.conv2D, window)),
    .init(
      name: "DEPTHWISE_CONV_2D", input: [1, 30, 30, 21], constants: [[1, 3, 3, 21], [21]],
      options: .init(
        tag: BuiltinOptionsTag.depthwiseConv2D,
        [0: .int8(0), 1: .int32(1), 2: .int32(1), 3: .int32(1)])),
    .init(name: "MEAN", input: [3, 1001], axes: [1]),
    .init(
      name: "SOFTMAX", input: [70, 129],
      options: .init(tag: BuiltinOptionsTag.softmax, [0: .float(1)])),
    .init(name: "LOGISTIC", input: [10_001]), .init(name: "TANH", input: [10_001]),
    .init(name: "EXP", input: [10_001]), .init(name: "ELU", input: [10_001]),
  ]

  @Test(arguments: cases)
  func exactResultsHaveTheBitsOfPlainLoops(_ operation: Case) throws {
    let model = try operation.model()
    let plain = try operation.bits(model, .init(usesReferenceKernels: true))
    for threads in [1, 2, 8] {
      let exact = try operation.bits(model, .init(threads: threads, numerics: .exact))
      #expect(exact == plain, "\(threads) threads")
    }
  }

  /// Weights that one interpreter has packed or folded do not affect the results of another.
  @Test(arguments: cases)
  func interpretersOfOneModelDoNotMeet(_ operation: Case) throws {
    let options: [Interpreter.Options] = [.init(), .init(numerics: .exact)]
    let alone = try options.map { try operation.bits(operation.model(), $0) }
    let model = try operation.model()
    for index in [0, 1, 0] {
      #expect(try operation.bits(model, options[index]) == alone[index])
    }
    let other = try operation.model()
    for index in [1, 0] { #expect(try operation.bits(other, options[index]) == alone[index]) }
  }
}
