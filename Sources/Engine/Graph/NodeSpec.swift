package import OcellusModelFile

/// The model file's description of one node, from which its operator decodes itself.
///
/// Unchecked: its pointers lead into the model's bytes, which never change and outlive the graph.
package struct NodeSpec: @unchecked Sendable {
  package var subgraph: Int
  package var index: Int
  package var operatorName: String
  package var version: Int
  /// The operands; `nil` for an optional operand that is left out.
  package var inputs: [TensorSpec?]
  package var outputs: [TensorSpec]
  package var intermediates: [TensorSpec?]
  package var options: OptionsTable
  package var options2: OptionsTable
  package var customOptions: UnsafeRawBufferPointer
  /// All subgraphs of the file, for operators that call some of them.
  package var subgraphs: [SubgraphRecord]
  /// The operator codes of the file, for the operators in those subgraphs.
  package var operatorCodes: [OperatorCodeRecord]

  /// Returns a reader of the options, if they are the union member with this tag.
  package func options(_ tag: Int) -> OptionReader {
    OptionReader(table: options.table(ifTagged: tag), node: self)
  }

  package func options2(_ tag: Int) -> OptionReader {
    OptionReader(table: options2.table(ifTagged: tag), node: self)
  }

  // MARK: Errors

  /// Makes an error at this node; by default tensors or options that do not fit each other.
  package func error(_ message: String, _ kind: ModelError.Kind = .mismatch) -> ModelError {
    ModelError(kind, at: problem(message))
  }

  package func unsupported(_ message: String) -> ModelError { error(message, .unsupported) }

  package func problem(_ message: String) -> ModelError.Problem {
    .init(subgraph: subgraph, node: index, operatorName: operatorName, message: message)
  }

  /// Throws a mismatch unless `condition` holds.
  package func require(
    _ condition: Bool, _ message: @autoclosure () -> String
  ) throws(ModelError) {
    if !condition { throw error(message()) }
  }

  /// Throws unless the operator takes this number of operands and results, and the operands exist.
  ///
  /// Operands after the smallest count, such as a bias, may be left out. `mayLeaveOut` is for
  /// operators that allow other operands to be left out, and check that themselves.
  package func requireOperands(
    _ inputCounts: ClosedRange<Int>, outputs outputCounts: ClosedRange<Int> = 1...1,
    mayLeaveOut: Bool = false
  ) throws(ModelError) {
    try require(
      inputCounts.contains(inputs.count),
      "takes \(inputCounts.text) inputs but the file gives \(inputs.count)")
    try require(
      outputCounts.contains(outputs.count),
      "has \(outputCounts.text) outputs but the file gives \(outputs.count)")
    guard !mayLeaveOut else { return }
    let neededCount = inputCounts.upperBound == .max ? inputs.count : inputCounts.lowerBound
    for position in 0..<neededCount { _ = try input(position) }
  }

  package func requireOperands(
    _ inputCount: Int, outputs outputCount: Int = 1, mayLeaveOut: Bool = false
  ) throws(ModelError) {
    try requireOperands(
      inputCount...inputCount, outputs: outputCount...outputCount, mayLeaveOut: mayLeaveOut)
  }

  /// Throws `unsupported` unless the tensor has one of these types.
  package func require(
    _ tensor: TensorSpec, _ types: ElementType...
  ) throws(ModelError) {
    guard !types.contains(tensor.type) else { return }
    let names = types.map(\.name).joined(separator: ", ")
    throw unsupported("tensor \(tensor.label) is \(tensor.type.name), must be \(names)")
  }

  // MARK: Operands

  /// Returns an operand, or throws if it is left out.
  package func input(_ position: Int) throws(ModelError) -> TensorSpec {
    guard let tensor = optionalInput(position) else { throw error("input \(position) is missing") }
    return tensor
  }

  package func optionalInput(_ position: Int) -> TensorSpec? {
    position < inputs.count ? inputs[position] : nil
  }

  package func output(_ position: Int) throws(ModelError) -> TensorSpec {
    guard position < outputs.count else { throw error("output \(position) is missing") }
    return outputs[position]
  }

  /// Returns the tensor's quantization, which must have one scale for the whole tensor.
  package func perTensorQuantization(
    of tensor: TensorSpec
  ) throws(ModelError) -> (scale: Float, zeroPoint: Int) {
    guard let quantization = tensor.quantization, quantization.scales.count == 1 else {
      throw error("tensor \(tensor.label) needs one scale and zero point")
    }
    return (quantization.scale, quantization.zeroPoint)
  }
}

extension ClosedRange<Int> {
  /// The range in words: `2`, `2 to 5` or `at least 1`.
  fileprivate var text: String {
    if lowerBound == upperBound { return "\(lowerBound)" }
    return upperBound == .max ? "at least \(lowerBound)" : "\(lowerBound) to \(upperBound)"
  }
}
