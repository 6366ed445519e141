import OcellusEngine

/// One run of a conformance case, which records the stage that it reaches.
struct CaseRun {
  private let conformanceCase: ConformanceCase
  private let options: Interpreter.Options
  /// The error that the case must expect if the engine refuses it at this stage.
  private(set) var stage = ConformanceCase.Expectation.loadError

  init(_ conformanceCase: ConformanceCase, options: Interpreter.Options) {
    self.conformanceCase = conformanceCase
    self.options = options
  }

  /// Returns the outputs of every invocation.
  ///
  /// - Throws: `ModelError` if the engine refuses something, `CaseMismatch` if the corpus and the
  ///   engine disagree about an input, which no case expects.
  mutating func results() throws -> [[OutputComparison.Result]] {
    stage = .loadError
    return try results(of: conformanceCase.files.model(at: conformanceCase.modelPath))
  }

  /// Returns the outputs of every invocation, with a model that is already loaded.
  mutating func results(of model: Model) throws -> [[OutputComparison.Result]] {
    try results(of: Interpreter(model, options: options))
  }

  /// Returns the outputs of every invocation, with an interpreter that may have run before.
  mutating func results(of interpreter: Interpreter) throws -> [[OutputComparison.Result]] {
    var results: [[OutputComparison.Result]] = []
    for invocation in conformanceCase.invocations {
      stage = .loadError
      let entry = try invocation.signature.map { try interpreter.signature($0) } ?? interpreter.main
      stage = .allocateError
      for resize in invocation.resizes {
        try entry.resizeInput(at: resize.input, to: Shape(resize.shape))
      }
      try entry.allocate()
      stage = .invokeError
      for input in invocation.inputs { try set(input, of: entry) }
      try entry.run()
      results.append(try outputs(of: entry, for: invocation))
    }
    return results
  }

  private func set(_ input: ConformanceTensor, of entry: EntryPoint) throws {
    do {
      try conformanceCase.values[input.range].withUnsafeBytes { bytes in
        try entry.setInput(at: input.index, bytes: bytes)
      }
    } catch let error as ModelError {
      throw CaseMismatch(problem: error.message)
    }
  }

  private func outputs(
    of entry: EntryPoint, for invocation: ConformanceCase.Invocation
  ) throws -> [OutputComparison.Result] {
    let descriptions = entry.outputs
    return try invocation.outputs.map { output in
      guard descriptions.indices.contains(output.index) else {
        throw CaseMismatch(problem: "there is no output \(output.index)")
      }
      let description = descriptions[output.index]
      return OutputComparison.Result(
        type: description.type.name, shape: description.shape.dimensions,
        bytes: try entry.withOutputBytes(at: output.index) { Array($0) })
    }
  }

  /// An input or output of the case that the model lacks or that has another size.
  struct CaseMismatch: Error, CustomStringConvertible {
    let problem: String
    var description: String { problem }
  }
}
