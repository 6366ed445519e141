import Foundation
import OcellusTestSupport
import TensorFlowLite
import Testing

@Suite struct SignatureRunnerTests {
  private let input = Data(copyingBufferOf: [Float32(2), Float32(4)])

  private func interpreter() throws -> Interpreter {
    try Interpreter(modelData: OfficialTestModel.multipleSignatures)
  }

  @Test func findsSignaturesByKey() throws {
    let interpreter = try interpreter()
    #expect(interpreter.signatureKeys == ["add", "sub"])
    let runner = try interpreter.signatureRunner(with: "add")
    #expect(runner.signatureKey == "add")
    #expect(runner.inputs == ["x"])
    #expect(runner.outputs == ["output_0"])
    #expect(throws: SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: "dummy")) {
      try interpreter.signatureRunner(with: "dummy")
    }
  }

  @Test func modelsWithoutSignaturesHaveNone() throws {
    #expect(try Interpreter(modelData: OfficialTestModel.add).signatureKeys == [])
  }

  @Test func resizesAndCopies() throws {
    let runner = try interpreter().signatureRunner(with: "add")
    #expect(try runner.input(named: "x").shape == [1])
    let data = input
    #expect(throws: SignatureRunnerError.invalidTensorDataCount(provided: 8, required: 4)) {
      try runner.copy(data, toInputNamed: "x")
    }
    try runner.resizeInput(named: "x", toShape: [2])
    try runner.allocateTensors()
    try runner.copy(input, toInputNamed: "x")
    #expect(
      try runner.input(named: "x")
        == Tensor(name: "add_x:0", dataType: .float32, shape: [2], data: input))
  }

  @Test func resizesOnlyWhatTheModelLeavesOpen() throws {
    let runner = try interpreter().signatureRunner(with: "add")
    #expect(throws: SignatureRunnerError.failedToResizeInputTensor(inputName: "x")) {
      try runner.resizeInput(named: "x", toShape: [1, 2])
    }
    #expect(throws: SignatureRunnerError.failedToResizeInputTensor(inputName: "dummy")) {
      try runner.resizeInput(named: "dummy", toShape: [2])
    }
  }

  @Test func namesUnknownTensors() throws {
    let runner = try interpreter().signatureRunner(with: "add")
    #expect(
      throws: SignatureRunnerError.failedToGetTensor(
        tensorType: "input", nameInSignature: "dummy")
    ) { try runner.input(named: "dummy") }
    #expect(
      throws: SignatureRunnerError.failedToGetTensor(
        tensorType: "output", nameInSignature: "dummy")
    ) { try runner.output(named: "dummy") }
  }

  @Test(arguments: [("add", [Float32(4), 6]), ("sub", [0, 2])])
  func invokesWithInputs(key: String, result: [Float32]) throws {
    let runner = try interpreter().signatureRunner(with: key)
    #expect(try runner.output(named: "output_0").shape == [1])
    try runner.resizeInput(named: "x", toShape: [2])
    try runner.invoke(with: ["x": input])
    #expect(
      try runner.output(named: "output_0")
        == Tensor(
          name: "StatefulPartitionedCall:0", dataType: .float32, shape: [2],
          data: Data(copyingBufferOf: result)))
  }
}
