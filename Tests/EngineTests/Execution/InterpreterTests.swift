import Foundation
import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct InterpreterTests {
  /// `z = x + y`, whose shapes must fit.
  private static let addition = ModelWriter.singleOperator(
    OperatorCodeRecord(builtinCode: 0),
    reading: [.init("x", .float32, [2], shapeSignature: [-1]), .init("y", .float32, [2])],
    writing: [.init("z", .float32, [2])], options: .init(tag: BuiltinOptionsTag.add)
  ).bytes()

  private func interpreter(
    _ options: Interpreter.Options = .init()
  ) throws -> Interpreter {
    try Interpreter(Model(bytes: Self.addition), options: options)
  }

  @Test func computes() throws {
    let interpreter = try interpreter()
    try interpreter.setInput(at: 0, to: [1, 2] as [Float])
    try interpreter.setInput(at: 1, to: [10, 20] as [Float])
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == [11, 22])
  }

  @Test func describesItsTensors() throws {
    let interpreter = try interpreter()
    #expect(interpreter.inputs.map(\.name) == ["x", "y"])
    #expect(interpreter.inputs[0].shape == [2])
    #expect(interpreter.inputs[0].shapeSignature == [-1])
    #expect(interpreter.outputs[0].type == .float32)
    #expect(interpreter.main.inputIndex(named: "y") == 1)
  }

  // MARK: Resizing

  @Test func resizesSeveralInputsTogether() throws {
    let interpreter = try interpreter()
    try interpreter.resizeInput(at: 0, to: [3])
    try interpreter.resizeInput(at: 1, to: [3])
    try interpreter.setInput(at: 0, to: [1, 2, 3] as [Float])
    try interpreter.setInput(at: 1, to: [1, 1, 1] as [Float])
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == [2, 3, 4])
  }

  @Test func refusedShapesLeaveTheOldPlan() throws {
    let interpreter = try interpreter()
    try interpreter.setInput(at: 0, to: [1, 2] as [Float])
    try interpreter.setInput(at: 1, to: [10, 20] as [Float])
    try interpreter.resizeInput(at: 0, to: [3])
    let error = #expect(throws: ModelError.self) { try interpreter.allocate() }
    #expect(error?.kind == .mismatch)
    #expect(error?.place?.operatorName == "ADD")
    #expect(error?.message.contains("'x' (tensor 0) [3]") == true)
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == [11, 22])
  }

  @Test(arguments: [[-1], [1 << 40], [1 << 20, 1 << 21]])
  func refusesImpossibleShapes(dimensions: [Int]) throws {
    let interpreter = try interpreter()
    #expect(throws: ModelError.self) {
      try interpreter.resizeInput(at: 0, to: Shape(dimensions))
      try interpreter.allocate()
    }
  }

  @Test func refusesInputsOfAnotherSize() throws {
    let interpreter = try interpreter()
    let error = #expect(throws: ModelError.self) {
      try interpreter.setInput(at: 0, to: [1, 2, 3] as [Float])
    }
    #expect(error?.message.contains("takes 8 bytes but was given 12") == true)
  }

  // MARK: Budgets

  @Test func staysWithinItsBytes() throws {
    let interpreter = try interpreter(.init(budget: RunBudget(bytes: 1 << 20)))
    try interpreter.resizeInput(at: 0, to: [1 << 20])
    try interpreter.resizeInput(at: 1, to: [1])
    let error = #expect(throws: ModelError.self) { try interpreter.allocate() }
    #expect(error?.kind == .overBudget)
    #expect(interpreter.memoryInUse <= 1 << 20)
  }

  @Test func givesMemoryBack() throws {
    let interpreter = try interpreter()
    try interpreter.allocate()
    let small = interpreter.memoryInUse
    try interpreter.resizeInput(at: 0, to: [1000])
    try interpreter.resizeInput(at: 1, to: [1000])
    try interpreter.allocate()
    #expect(interpreter.memoryInUse >= 12_000)
    try interpreter.resizeInput(at: 0, to: [2])
    try interpreter.resizeInput(at: 1, to: [2])
    try interpreter.allocate()
    #expect(interpreter.memoryInUse == small)
  }

  @Test func cancelledRunsStopUntilResumed() throws {
    let interpreter = try interpreter()
    try interpreter.allocate()
    interpreter.cancellation.cancel()
    let error = #expect(throws: ModelError.self) { try interpreter.run() }
    #expect(error?.kind == .cancelled)
    interpreter.cancellation.resume()
    try interpreter.run()
  }

  // MARK: Sharing

  @Test func interpretersOfOneModelRunInParallel() async throws {
    let model = try Model(bytes: Self.addition)
    let sums = try await withThrowingTaskGroup(of: [Float].self) { group in
      for task in 0..<8 {
        group.addTask {
          let interpreter = try Interpreter(model)
          try interpreter.setInput(at: 1, to: [Float(task), 1])
          for _ in 0..<100 { try interpreter.run() }
          return try interpreter.output(at: 0)
        }
      }
      var sums: [[Float]] = []
      for try await sum in group { sums.append(sum) }
      return sums
    }
    #expect(Set(sums) == Set((0..<8).map { [Float($0), 1] }))
  }

  /// Threads that plan one model at the same time have no data race, as the thread sanitizer
  /// checks: each planning makes its own tables of 8-bit sums.
  @Test func modelsOfBytesArePlannedInParallel() async throws {
    let model = try Model(bytes: [UInt8](OfficialTestModel.addQuantized))
    let sums = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for task in 0..<8 {
        group.addTask {
          let interpreter = try Interpreter(model)
          try interpreter.setInput(at: 0, to: [UInt8](repeating: UInt8(task), count: 192))
          try interpreter.run()
          return try interpreter.output(at: 0)
        }
      }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(sums == Set((0..<8).map { [UInt8](repeating: 3 * $0, count: 192) }))
  }
}

/// Accessing a tensor as another type than the one in the file is an error.
@Suite struct TensorTypeTests {
  /// A model that casts floats to a type that the test chooses.
  private static func interpreter(_ type: TensorType) throws -> Interpreter {
    try Interpreter(
      Model(
        bytes: ModelWriter.singleOperator(
          OperatorCodeRecord(builtinCode: 53),
          reading: [.init("x", .float32, [2])], writing: [.init("y", type, [2])],
          options: .init(
            tag: BuiltinOptionsTag.cast, [0: .int8(0), 1: .int8(Int8(type.rawValue))])
        ).bytes()))
  }

  private func run(_ type: TensorType) throws -> Interpreter {
    let interpreter = try Self.interpreter(type)
    try interpreter.setInput(at: 0, to: [1, 2] as [Float])
    try interpreter.run()
    return interpreter
  }

  @Test func valuesOfTheRightTypeAreRead() throws {
    #expect(try run(.int32).output(at: 0, as: Int32.self) == [1, 2])
    #expect(try run(.uint8).output(at: 0, as: UInt8.self) == [1, 2])
    #expect(try run(.bool).output(at: 0, as: UInt8.self) == [1, 1])
    #expect(try run(.float64).output(at: 0, as: Double.self) == [1, 2])
  }

  @Test(arguments: [TensorType.int32, .uint8, .int8, .bool, .int64, .float16, .int16])
  func valuesOfAnotherTypeAreAnError(type: TensorType) throws {
    let interpreter = try run(type)
    func refuses<Element: TensorElement>(_: Element.Type) {
      guard ElementType(type) != Element.elementType else { return }
      if type == .bool, Element.elementType == .uint8 { return }
      let error = #expect(throws: ModelError.self) {
        try interpreter.output(at: 0, as: Element.self)
      }
      #expect(error?.kind == .mismatch)
      #expect(error?.message.contains(type.name) == true)
    }
    refuses(Float.self)
    refuses(Double.self)
    refuses(Int8.self)
    refuses(UInt8.self)
    refuses(Int16.self)
    refuses(UInt16.self)
    refuses(Int32.self)
    refuses(UInt32.self)
    refuses(Int64.self)
    refuses(Float16.self)
  }

  @Test func inputsAreCheckedToo() throws {
    let interpreter = try Self.interpreter(.int32)
    for attempt in [
      { try interpreter.setInput(at: 0, to: [1, 2] as [Int32]) },
      { try interpreter.setInput(at: 0, to: [1, 2] as [UInt8]) },
      { try interpreter.setInput(at: 0, to: [1] as [Float]) },
      { try interpreter.setInput(at: 1, to: [1, 2] as [Float]) },
    ] {
      let error = #expect(throws: ModelError.self) { try attempt() }
      #expect(error?.kind == .mismatch)
    }
  }

  @Test func thereAreNoValuesBeforeARun() throws {
    let interpreter = try Self.interpreter(.int32)
    #expect(throws: ModelError.self) { try interpreter.output(at: 0, as: Int32.self) }
    #expect(throws: ModelError.self) { try interpreter.output(at: 3, as: Int32.self) }
  }
}
