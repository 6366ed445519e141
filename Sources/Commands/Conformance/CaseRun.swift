import OcellusEngine

/// One run of a conformance case, which remembers how far it came.
struct CaseRun {
  private let conformanceCase: ConformanceCase
  private let options: Interpreter.Options
  /// The error that a case would have to expect if the engine refused it now.
  private(set) var stage = ConformanceCase.Expectation.loadError

  init(_ conformanceCase: ConformanceCase, options: Interpreter.Options) {
    self.conformanceCase = conformanceCase
    self.options = options
  }

  /// The outputs of every invocation.
  ///
  /// - Throws: `ModelError` when the engine refuses something, `CaseMismatch` when the corpus and
  ///   the engine disagree about an input, which is never what a case is about.
  mutating func results() throws -> [[OutputComparison.Result]] {
    stage = .loadError
    return try results(of: conformanceCase.files.model(at: conformanceCase.modelPath))
  }

  /// The outputs of every invocation, from an interpreter of a model that is loaded already.
  mutating func results(of model: Model) throws -> [[OutputComparison.Result]] {
    try results(of: Interpreter(model, options: options))
  }

  /// The outputs of every invocation, from an interpreter that may have run before.
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

  /// An input or output that the case has and the model has not, or of another size.
  struct CaseMismatch: Error, CustomStringConvertible {
    let problem: String
    var description: String { problem }
  }
}
