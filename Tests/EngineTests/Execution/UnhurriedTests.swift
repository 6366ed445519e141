import OcellusEngine
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

/// A lenient time limit, such as that of the default budget, also ends planning and long steps.
@Suite struct UnhurriedTests {
  private typealias Tensor = ModelWriter.Tensor

  /// A model of one operator with many short rows, whose loops are too short to poll the control.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var reading: [ModelWriter.Tensor]
    var writing: [ModelWriter.Tensor]
    var options: ModelWriter.Options?
    var options2: ModelWriter.Options?
    /// The bytes of the input, for operators that do not accept zeros.
    var input: [UInt8]?

    var testDescription: String { name }

    /// The model.
    var model: Model {
      get throws {
        try Model(
          bytes: ModelWriter.singleOperator(
            .init(named: name), reading: reading, writing: writing, options: options,
            options2: options2
          ).bytes())
      }
    }
  }

  private static func input(_ type: TensorType, _ shape: [Int]) -> Tensor {
    Tensor("x", type, shape)
  }
  private static func output(_ type: TensorType, _ shape: [Int] = []) -> Tensor {
    Tensor("y", type, shape)
  }
  private static func constant(_ shape: [Int], _ numbers: [Int32]) -> Tensor {
    Tensor("c", .int32, shape, constant: [UInt8](bytesOf: numbers))
  }
  private static func window(_ extent: Int64) -> Tensor {
    Tensor("w", .int64, [2], constant: [UInt8](bytesOf: [extent, extent]))
  }

  private static let rows = 20_000

  /// A string tensor of one string of many words.
  private static let text: [UInt8] = {
    let text = [String](repeating: "a", count: 2000).joined(separator: " ")
    return [UInt8](bytesOf: [1, 12, 12 + Int32(text.utf8.count)]) + Array(text.utf8)
  }()

  static let cases = [
    Case(
      name: "REDUCE_WINDOW",
      reading: [input(.float32, [64, 64]), input(.float32, []), window(3), window(1), window(1)],
      writing: [output(.float32)],
      options2: .init(tag: BuiltinOptions2Tag.reduceWindow, [0: .int32(1)])),
    Case(
      name: "SKIP_GRAM", reading: [input(.string, [1])], writing: [output(.string, [1])],
      options: .init(
        tag: BuiltinOptionsTag.skipGram, [0: .int32(2), 1: .int32(9), 2: .bool(false)]),
      input: text),
    Case(
      name: "EMBEDDING_LOOKUP", reading: [input(.int32, [rows]), input(.float32, [2, 4])],
      writing: [output(.float32)]),
    Case(
      name: "EMBEDDING_LOOKUP_SPARSE",
      reading: [
        input(.int32, [rows]), input(.int32, [rows, 1]), constant([1], [1]),
        input(.float32, [rows]), input(.float32, [2, 4]),
      ], writing: [output(.float32)],
      options: .init(tag: BuiltinOptionsTag.embeddingLookupSparse, [0: .int8(0)])),
    Case(
      name: "REVERSE_SEQUENCE", reading: [input(.float32, [4, 3]), input(.int32, [4])],
      writing: [output(.float32)],
      options: .init(tag: BuiltinOptionsTag.reverseSequence, [0: .int32(1), 1: .int32(0)])),
    Case(
      name: "MULTINOMIAL", reading: [input(.float32, [3, 4]), constant([], [5])],
      writing: [output(.int32)], options: .init(tag: BuiltinOptionsTag.random, [0: .int64(1)])),
    Case(
      name: "RFFT2D", reading: [input(.float32, [4, 2, 2]), constant([2], [2, 2])],
      writing: [output(.complex64)]),
    Case(
      name: "TOPK_V2", reading: [input(.float32, [5, 4]), constant([1], [2])],
      writing: [output(.float32), output(.int32)]),
  ]

  /// A time limit that has passed when it begins.
  private static let over = Duration.seconds(-1)

  /// A budget with a lenient time limit that has passed when the run begins.
  private static let spent: RunBudget = {
    var budget = RunBudget(time: over)
    budget.planningTime = .seconds(60)
    budget.shortestLenientTime = over
    return budget
  }()

  private func interpreter(_ stopped: Case, _ budget: RunBudget) throws -> Interpreter {
    let interpreter = try Interpreter(
      stopped.model, options: .init(budget: budget, usesReferenceKernels: true))
    try interpreter.allocate()
    if let input = stopped.input { try interpreter.setInput(at: 0, bytes: input) }
    return interpreter
  }

  @Test(arguments: cases)
  func itEndsStepsOfShortRows(_ stopped: Case) throws {
    let late = try interpreter(stopped, Self.spent)
    let error = #expect(throws: ModelError.self) { try late.run() }
    #expect(error?.kind == .deadlineExceeded)
    // The model has no other error.
    try interpreter(stopped, RunBudget()).run()
  }

  @Test(arguments: [false, true])
  func itEndsPlanning(isTimeOfItsOwn: Bool) throws {
    var budget = Self.spent
    budget.planningTime = isTimeOfItsOwn ? Self.over : nil
    budget.time = isTimeOfItsOwn ? nil : Self.over
    let late = try Interpreter(Self.cases[0].model, options: .init(budget: budget))
    let error = #expect(throws: ModelError.self) { try late.allocate() }
    #expect(error?.kind == .deadlineExceeded)
  }

  /// A loop of steps that are too short to read the clock ends, too.
  @Test func itEndsEndlessLoops() throws {
    var loop = SyntheticLoop()
    loop.rounds = .max
    let interpreter = try Interpreter(
      Model(bytes: loop.bytes), options: .init(budget: Self.spent))
    let error = #expect(throws: ModelError.self) { try interpreter.run() }
    #expect(error?.kind == .deadlineExceeded)
  }

  /// Models from strangers run with the defaults, which the guide for programs states.
  @Test func defaultsAreThoseOfTheGuide() throws {
    let guide = String(
      decoding: try FileSystem.read(
        PackageFiles.path("Sources/Umbrella/Ocellus.docc/InPrograms.md")), as: UTF8.self)
    let text = guide.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let budget = RunBudget()
    #expect(
      text.contains(
        "by default \(budget.bytes >> 30) GiB beside the file, 10¹³ multiply-adds, and a minute"))
    #expect(budget.multiplyAdds == 10_000_000_000_000)
    #expect(budget.time == .seconds(60))
    #expect(budget.planningTime == nil)
  }

  /// The time limit of each run starts anew, whether the limit before it was lenient or not.
  @Test func itEndsOneRunOnly() throws {
    let control = RunControl()
    control.start(RunTimeLimit(Self.over, shortestLenientTime: Self.over))
    #expect(control.isOver)
    #expect(throws: ModelError.self) { try control.check() }
    for time in [Duration.seconds(60), .seconds(Int64.max), .seconds(1), .seconds(1), nil] {
      control.start(time.map { RunTimeLimit($0, shortestLenientTime: .seconds(10)) })
      #expect(!control.isOver)
      try control.check()
    }
    // With a lenient limit, the clock is not read before every step.
    control.start(RunTimeLimit(Self.over, shortestLenientTime: Self.over))
    try control.check()
    control.start(RunTimeLimit(Self.over, shortestLenientTime: .seconds(10)))
    #expect(throws: ModelError.self) { try control.check() }
  }
}
