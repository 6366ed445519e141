/// One case of a conformance corpus: a model, its inputs, and its expected outputs.
struct ConformanceCase: Sendable {
  /// The location of the corpus.
  let files: CorpusFiles
  /// The directory that holds the case: the operator, or the model of a golden result.
  let group: String
  let name: String
  /// A one-line description of what is exercised.
  let notes: String
  let modelPath: String
  let expectation: Expectation
  /// Whether the expected error is about a missing operator.
  let expectsMissingOperator: Bool
  /// The invocations, in order on one interpreter; state persists between them.
  let invocations: [Invocation]
  /// The tolerance of outputs that have none of their own.
  let tolerance: Tolerance
  /// Results of other official kernels: an offset for every output of every invocation.
  let alternatives: [[[Int]]]
  /// The bytes of all tensors, to which their offsets refer.
  let values: [UInt8]

  func tolerance(of output: ConformanceTensor) -> Tolerance { output.tolerance ?? tolerance }

  /// The expected outcome of a run; the raw value is the corpus's word.
  enum Expectation: String, Sendable {
    case success = "ok"
    case loadError = "load_error"
    case allocateError = "allocate_error"
    case invokeError = "invoke_error"
  }

  /// One invocation and the resizes before it.
  struct Invocation: Sendable {
    /// The key of the signature to run; `nil` for the first subgraph.
    let signature: String?
    let resizes: [Resize]
    let inputs: [ConformanceTensor]
    let outputs: [ConformanceTensor]
  }

  /// A new shape for an input, which remains until the next resize.
  struct Resize: Sendable {
    /// The position among the inputs.
    let input: Int
    let shape: [Int]
  }
}

/// A defect of a case in the corpus, not of an engine.
struct ConformanceCaseError: Error, Equatable, CustomStringConvertible {
  let path: String
  let problem: String

  var description: String { "\(path): \(problem)" }
}
