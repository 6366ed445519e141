import Firebase
import Foundation
import OcellusTestSupport
import Testing

@Suite struct ModelInterpreterTests {
  private let models: SyntheticModelFiles
  private let interpreter: ModelInterpreter

  init() throws {
    models = try SyntheticModelFiles()
    interpreter = .modelInterpreter(
      localModel: CustomLocalModel(modelPath: models.labeler), threadCount: 1)
  }

  private func run(
    _ inputs: ModelInputs, _ options: ModelInputOutputOptions, by interpreter: ModelInterpreter
  ) async -> (outputs: ModelOutputs?, error: ProcessingError?) {
    await withCheckedContinuation { continuation in
      interpreter.run(inputs: inputs, options: options) { outputs, error in
        continuation.resume(returning: (outputs, error as? ProcessingError))
      }
    }
  }

  private func options(dimensions: [NSNumber] = [1, 3]) throws -> ModelInputOutputOptions {
    let options = ModelInputOutputOptions()
    try options.setInputFormat(index: 0, type: .uInt8, dimensions: [1, 4, 4, 3])
    try options.setOutputFormat(index: 0, type: .float32, dimensions: dimensions)
    return options
  }

  @Test func numbersAreThoseOfTheOriginal() {
    #expect(ModelElementType.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
  }

  @Test(arguments: [true, false]) func bytesAndArraysAreInputs(isData: Bool) async throws {
    let inputs = ModelInputs()
    let row = [UInt8](repeating: 7, count: 3)
    if isData {
      try inputs.addInput(Data(count: 48))
    } else {
      try inputs.addInput(
        [[[[UInt8]]]](
          repeating: Array(repeating: Array(repeating: row, count: 4), count: 4), count: 1))
    }
    let result = await run(inputs, try options(), by: interpreter)
    #expect(result.error == nil)
    let scores = try #require(try result.outputs?.output(index: 0) as? [[NSNumber]])
    #expect(scores == [[0.125, 0.625, 0.25]])
    #expect(throws: ProcessingError.self) { try result.outputs?.output(index: 1) }
  }

  @Test func tensorsHaveNames() throws {
    #expect(try interpreter.inputIndex(forOp: "picture") == 0)
    #expect(try interpreter.outputIndex(forOp: "scores") == 0)
    #expect(throws: ProcessingError.self) { try interpreter.outputIndex(forOp: "picture") }
  }

  @Test func formatsAreChecked() {
    let options = ModelInputOutputOptions()
    let wrong: [(ModelElementType, [NSNumber])] = [
      (.unknown, [1]), (.float32, []), (.int64, [1, 0]), (.uInt8, [-1]),
    ]
    for (type, dimensions) in wrong {
      #expect(throws: ProcessingError.self) {
        try options.setInputFormat(index: 0, type: type, dimensions: dimensions)
      }
      #expect(throws: ProcessingError.self) {
        try options.setOutputFormat(index: 0, type: type, dimensions: dimensions)
      }
    }
    #expect(throws: ProcessingError.self) { try ModelInputs().addInput("text") }
  }

  @Test func whatDoesNotFitIsAnError() async throws {
    let short = ModelInputs()
    try short.addInput(Data(count: 47))
    #expect(await run(short, try options(), by: interpreter).error != nil)
    #expect(await run(ModelInputs(), try options(), by: interpreter).error != nil)
    let whole = ModelInputs()
    try whole.addInput(Data(count: 48))
    let shape = try options(dimensions: [NSNumber(value: Int.max), NSNumber(value: 3)])
    #expect(await run(whole, shape, by: interpreter).error != nil)
    let type = try options()
    try type.setOutputFormat(index: 0, type: .int32, dimensions: [1, 3])
    #expect(await run(whole, type, by: interpreter).error != nil)
    // The next run succeeds.
    #expect(await run(whole, try options(), by: interpreter).error == nil)
  }

  @Test func modelsThatAreNotHereAreErrors() async throws {
    let inputs = ModelInputs()
    try inputs.addInput(Data(count: 48))
    let missing = CustomLocalModel(modelPath: "/no/such/file")
    let local = await run(inputs, try options(), by: .modelInterpreter(localModel: missing))
    guard case .failedToInitializeInterpreter? = local.error else {
      Issue.record("\(String(describing: local.error))")
      return
    }
    let remote = await run(
      inputs, try options(),
      by: .modelInterpreter(remoteModel: CustomRemoteModel(name: "nobody's")))
    #expect(remote.error == .modelNotDownloaded(name: "nobody's"))
  }
}
