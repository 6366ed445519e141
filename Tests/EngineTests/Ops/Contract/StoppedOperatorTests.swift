import OcellusEngine
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

/// Operators that go through many elements can be stopped in the middle.
@Suite struct StoppedOperatorTests {
  private typealias Tensor = ModelWriter.Tensor

  /// A model of one operator with much work.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var reading: [ModelWriter.Tensor]
    var writing: [ModelWriter.Tensor]
    var options: ModelWriter.Options?
    var options2: ModelWriter.Options?

    var testDescription: String { name }
  }

  private static let count = 1 << 24

  private static func input(_ type: TensorType, _ shape: [Int]) -> Tensor {
    Tensor("x", type, shape)
  }
  private static func output(_ type: TensorType) -> Tensor { Tensor("y", type, []) }
  private static func constant(_ shape: [Int], _ numbers: [Int32]) -> Tensor {
    Tensor("c", .int32, shape, constant: [UInt8](bytesOf: numbers))
  }

  static let cases = [
    Case(
      name: "BUCKETIZE", reading: [input(.float32, [count])], writing: [output(.int32)],
      options: .init(tag: BuiltinOptionsTag.bucketize, [0: .floats([-1, 1, 2, 3, 4, 5, 6, 7])])),
    Case(
      name: "RANDOM_STANDARD_NORMAL", reading: [constant([1], [Int32(count)])],
      writing: [output(.float32)], options: .init(tag: BuiltinOptionsTag.random, [0: .int64(1)])),
    Case(
      name: "MULTINOMIAL", reading: [input(.float32, [1, count]), constant([], [1 << 20])],
      writing: [output(.int32)], options: .init(tag: BuiltinOptionsTag.random, [0: .int64(1)])),
    Case(
      name: "SPARSE_TO_DENSE",
      reading: [
        input(.int32, [count]), constant([1], [4]), input(.float32, [count]), input(.float32, []),
      ], writing: [output(.float32)]),
    Case(
      name: "SCATTER_ND",
      reading: [input(.int32, [count, 1]), input(.float32, [count]), constant([1], [4])],
      writing: [output(.float32)]),
    Case(
      name: "GATHER_ND", reading: [input(.float32, [4]), input(.int32, [count, 1])],
      writing: [output(.float32)]),
    Case(
      name: "STABLEHLO_GATHER", reading: [input(.float32, [4]), input(.int32, [count, 1])],
      writing: [Tensor("y", .float32, [count])],
      options2: .init(
        tag: BuiltinOptions2Tag.stablehloGather,
        [1: .int64s([0]), 2: .int64s([0]), 3: .int64(1), 4: .int64s([1])])),
    Case(
      name: "HASHTABLE_LOOKUP",
      reading: [input(.int32, [count]), input(.int32, [4]), input(.float32, [4])],
      writing: [output(.float32), output(.uint8)]),
    Case(
      name: "ONE_HOT",
      reading: [
        input(.int32, [count]), constant([], [1]), input(.float32, []), input(.float32, []),
      ],
      writing: [output(.float32)], options: .init(tag: BuiltinOptionsTag.oneHot, [0: .int32(-1)])),
    Case(
      name: "TOPK_V2", reading: [input(.float32, [count]), constant([1], [Int32(count)])],
      writing: [output(.float32), output(.int32)]),
    Case(
      name: "UNIQUE", reading: [input(.int32, [count])], writing: [output(.int32), output(.int32)],
      options: .init(tag: BuiltinOptionsTag.unique, [0: .int8(2)])),
    Case(
      name: "TRANSPOSE", reading: [input(.uint8, [1 << 12, 1 << 13]), constant([2], [1, 0])],
      writing: [output(.uint8)]),
    Case(
      name: "RFFT2D", reading: [input(.float32, [1, 1 << 20]), constant([2], [1, 1 << 20])],
      writing: [output(.complex64)]),
  ]

  /// The processor time of the calling thread, in seconds.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// A run that is stopped early takes a small fraction of a debug build's time for all elements.
  @Test(arguments: cases, [false, true])
  func theTimeOfABudgetEndsLoops(_ stopped: Case, usesReferenceKernels: Bool) throws {
    let writer = ModelWriter.singleOperator(
      .init(named: stopped.name), reading: stopped.reading, writing: stopped.writing,
      options: stopped.options, options2: stopped.options2)
    var budget = RunBudget(time: .milliseconds(20))
    budget.planningTime = .seconds(60)
    let interpreter = try Interpreter(
      Model(bytes: writer.bytes()),
      options: .init(budget: budget, usesReferenceKernels: usesReferenceKernels))
    try interpreter.allocate()
    let start = Self.processorTime
    do { try interpreter.run() } catch { #expect(error.kind == .deadlineExceeded) }
    #expect(Self.processorTime - start < 0.4)
  }
}
