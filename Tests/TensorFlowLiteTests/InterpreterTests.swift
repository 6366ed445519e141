import Foundation
import OcellusTestSupport
import TensorFlowLite
import Testing

/// The assertions of the official runtime's `InterpreterTests`, and more of its measured behaviour,
/// hold.
@Suite struct InterpreterTests {
  private let shape: Tensor.Shape = [2]
  private let input = Data(copyingBufferOf: [Float32(1), Float32(3)])
  private let output = Data(copyingBufferOf: [Float32(3), Float32(9)])

  private func interpreter() throws -> Interpreter {
    try Interpreter(modelData: OfficialTestModel.add)
  }

  /// Returns an interpreter that is ready to run on two elements.
  private func readyInterpreter() throws -> Interpreter {
    let interpreter = try interpreter()
    try interpreter.resizeInput(at: 0, to: shape)
    try interpreter.allocateTensors()
    return interpreter
  }

  // MARK: Making

  @Test func makesOneOfAFile() throws {
    let file = try TemporaryFile(OfficialTestModel.add)
    let interpreter = try Interpreter(modelPath: file.path)
    #expect(interpreter.options == nil)
    #expect(interpreter.delegates == nil)
  }

  @Test(arguments: ["", "/invalid/path"]) func refusesAMissingFile(path: String) {
    #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelPath: path) }
  }

  @Test func refusesAFileThatIsNoModel() throws {
    let file = try TemporaryFile(Data("not a model, but long enough".utf8))
    let path = file.path
    #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelPath: path) }
  }

  @Test func refusesBytesThatAreNoModel() {
    #expect(throws: InterpreterError.failedToCreateInterpreter) {
      try Interpreter(modelData: Data("not a model".utf8))
    }
  }

  @Test func keepsItsOptions() throws {
    var options = Interpreter.Options()
    options.threadCount = 2
    let interpreter = try Interpreter(modelData: OfficialTestModel.addQuantized, options: options)
    #expect(interpreter.options == options)
    #expect(interpreter.delegates == nil)
  }

  @Test func ignoresSenselessThreadCounts() throws {
    var options = Interpreter.Options()
    options.threadCount = -1
    let interpreter = try Interpreter(modelData: OfficialTestModel.add, options: options)
    try interpreter.allocateTensors()
    try interpreter.invoke()
  }

  @Test func countsTensors() throws {
    let interpreter = try interpreter()
    #expect(interpreter.inputTensorCount == 1)
    #expect(interpreter.outputTensorCount == 1)
  }

  // MARK: The state machine

  @Test func runsAfterAllocation() throws {
    let interpreter = try interpreter()
    try interpreter.allocateTensors()
    try interpreter.invoke()
  }

  @Test func mustAllocateFirst() throws {
    let interpreter = try interpreter()
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
    #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 0) }
    let data = Data(count: 768)
    // The official runtime writes through a null pointer here.
    #expect(throws: InterpreterError.allocateTensorsRequired) {
      try interpreter.copy(data, toInputAt: 0)
    }
  }

  @Test func mustAllocateAfterResizing() throws {
    let interpreter = try readyInterpreter()
    try interpreter.resizeInput(at: 0, to: [3])
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
    try interpreter.allocateTensors()
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).shape == [3])
  }

  @Test func resizingToTheSameShapeChangesNothing() throws {
    let interpreter = try readyInterpreter()
    try interpreter.resizeInput(at: 0, to: shape)
    try interpreter.invoke()
  }

  @Test func refusesNegativeExtents() throws {
    let interpreter = try interpreter()
    #expect(throws: InterpreterError.failedToResizeInputTensor(index: 0)) {
      try interpreter.resizeInput(at: 0, to: [-1])
    }
  }

  @Test func takesRanksOfAnyKind() throws {
    let interpreter = try interpreter()
    try interpreter.resizeInput(at: 0, to: [2, 2, 3])
    try interpreter.allocateTensors()
    try interpreter.resizeInput(at: 0, to: [])
    try interpreter.allocateTensors()
    #expect(try interpreter.copy(Data(count: 4), toInputAt: 0).data.count == 4)
    try interpreter.resizeInput(at: 0, to: [0])
    try interpreter.allocateTensors()
    try interpreter.invoke()
    // Tensors without bytes have no memory, which the official runtime reports with this error.
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
  }

  // MARK: Tensors

  @Test func givesTheInput() throws {
    let interpreter = try readyInterpreter()
    let copied = try interpreter.copy(input, toInputAt: 0)
    #expect(copied.data == input)
    #expect(
      try interpreter.input(at: 0)
        == Tensor(name: "input", dataType: .float32, shape: shape, data: input))
  }

  @Test func givesTheOutput() throws {
    let interpreter = try readyInterpreter()
    try interpreter.copy(input, toInputAt: 0)
    try interpreter.invoke()
    #expect(
      try interpreter.output(at: 0)
        == Tensor(name: "output", dataType: .float32, shape: shape, data: output))
    #expect([Float32](unsafeData: try interpreter.output(at: 0).data) == [3, 9])
  }

  @Test func givesQuantizedTensors() throws {
    let interpreter = try Interpreter(modelData: OfficialTestModel.addQuantized)
    try interpreter.resizeInput(at: 0, to: shape)
    try interpreter.allocateTensors()
    try interpreter.copy(Data([1, 3]), toInputAt: 0)
    try interpreter.invoke()
    let parameters = QuantizationParameters(scale: 0.003922, zeroPoint: 0)
    #expect(
      try interpreter.input(at: 0)
        == Tensor(
          name: "input", dataType: .uInt8, shape: shape, data: Data([1, 3]),
          quantizationParameters: parameters))
    #expect(
      try interpreter.output(at: 0)
        == Tensor(
          name: "output", dataType: .uInt8, shape: shape, data: Data([3, 9]),
          quantizationParameters: parameters))
  }

  @Test func namesWrongIndices() throws {
    let interpreter = try readyInterpreter()
    let error = InterpreterError.invalidTensorIndex(index: 1, maxIndex: 0)
    let data = input
    #expect(throws: error) { try interpreter.input(at: 1) }
    #expect(throws: error) { try interpreter.output(at: 1) }
    #expect(throws: error) { try interpreter.resizeInput(at: 1, to: [2]) }
    #expect(throws: error) { try interpreter.copy(data, toInputAt: 1) }
  }

  @Test func namesWrongSizes() throws {
    let interpreter = try readyInterpreter()
    #expect(throws: InterpreterError.invalidTensorDataCount(provided: 7, required: 8)) {
      try interpreter.copy(Data(count: 7), toInputAt: 0)
    }
  }
}

@Suite struct InterpreterOptionsTests {
  @Test func defaults() {
    let options = Interpreter.Options()
    #expect(options.threadCount == nil)
    #expect(options.isXNNPackEnabled == false)
  }

  @Test func areEqualWhenBothFieldsAre() {
    var options = Interpreter.Options()
    options.threadCount = 2
    #expect(options != Interpreter.Options())
    var others = Interpreter.Options()
    others.threadCount = 2
    #expect(options == others)
    others.isXNNPackEnabled = true
    #expect(options != others)
  }
}
