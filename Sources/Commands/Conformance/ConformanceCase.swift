/// One case of a conformance corpus: a model, what goes into it, and what must come out.
struct ConformanceCase: Sendable {
  /// Where the model is.
  let files: CorpusFiles
  /// The directory that holds the case: the operator, or the model of a golden result.
  let group: String
  let name: String
  /// One line on what is exercised.
  let notes: String
  let modelPath: String
  let expectation: Expectation
  /// Whether the error that is expected says that there is no such operator.
  let expectsMissingOperator: Bool
  /// The steps, one after the other on one interpreter; state persists between them.
  let invocations: [Invocation]
  /// How near outputs must come that have no tolerance of their own.
  let tolerance: Tolerance
  /// Other results that official kernels give; each has an offset for every output of every invocation.
  let alternatives: [[[Int]]]
  /// The bytes that the offsets of tensors count in.
  let values: [UInt8]

  func tolerance(of output: ConformanceTensor) -> Tolerance { output.tolerance ?? tolerance }

  /// How a run of the case must end; the raw value is the corpus's word.
  enum Expectation: String, Sendable {
    case success = "ok"
    case loadError = "load_error"
    case allocateError = "allocate_error"
    case invokeError = "invoke_error"
  }

  /// One invocation and what happens before it.
  struct Invocation: Sendable {
    /// The key of the signature to run; nil for the first subgraph.
    let signature: String?
    let resizes: [Resize]
    let inputs: [ConformanceTensor]
    let outputs: [ConformanceTensor]
  }

  /// A new shape for an input, which stands until the next one.
  struct Resize: Sendable {
    /// Position among the inputs.
    let input: Int
    let shape: [Int]
  }
}

/// A case that cannot be used, which is a fault of the corpus and not of an engine.
struct ConformanceCaseError: Error, Equatable, CustomStringConvertible {
  let path: String
  let problem: String

  var description: String { "\(path): \(problem)" }
}
