/// One case of a conformance corpus: a model, its inputs, and its expected outputs.
package struct ConformanceCase: Sendable {
  /// The location of the corpus.
  package let files: CorpusFiles
  /// The directory that holds the case: the operator, or the model of a golden result.
  package let group: String
  package let name: String
  /// A one-line description of what is exercised.
  package let notes: String
  package let modelPath: String
  package let expectation: Expectation
  /// Whether the expected error is about a missing operator.
  package let expectsMissingOperator: Bool
  /// The invocations, in order on one interpreter; state persists between them.
  package let invocations: [Invocation]
  /// The tolerance of outputs that have none of their own.
  package let tolerance: Tolerance
  /// Results of other official kernels: an offset for every output of every invocation.
  package let alternatives: [[[Int]]]
  /// The bytes of all tensors, to which their offsets refer.
  package let values: [UInt8]

  package func tolerance(of output: ConformanceTensor) -> Tolerance {
    output.tolerance ?? tolerance
  }

  /// The expected outcome of a run; the raw value is the corpus's word.
  package enum Expectation: String, Sendable {
    case success = "ok"
    case loadError = "load_error"
    case allocateError = "allocate_error"
    case invokeError = "invoke_error"
  }

  /// One invocation and the resizes before it.
  package struct Invocation: Sendable {
    /// The key of the signature to run; `nil` for the first subgraph.
    package let signature: String?
    package let resizes: [Resize]
    package let inputs: [ConformanceTensor]
    package let outputs: [ConformanceTensor]
  }

  /// A new shape for an input, which remains until the next resize.
  package struct Resize: Sendable {
    /// The position among the inputs.
    package let input: Int
    package let shape: [Int]
  }
}

/// A defect of a case in the corpus, not of an engine.
package struct ConformanceCaseError: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let problem: String

  package var description: String { "\(path): \(problem)" }
}
