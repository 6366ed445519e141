package import OcellusModelFile

/// What the model file says about one node: handed to an operator to decode itself from.
///
/// Unchecked: its pointers lead into the model's bytes, which never change and outlive the graph.
package struct NodeSpec: @unchecked Sendable {
  package var subgraph: Int
  package var index: Int
  package var operatorName: String
  package var version: Int
  /// The operands; `nil` stands for an optional one that is left out.
  package var inputs: [TensorSpec?]
  package var outputs: [TensorSpec]
  package var intermediates: [TensorSpec?]
  package var options: OptionsTable
  package var options2: OptionsTable
  package var customOptions: UnsafeRawBufferPointer
  /// For operators that call other subgraphs.
  package var subgraphs: [SubgraphRecord]
  /// What the operators of those subgraphs are.
  package var operatorCodes: [OperatorCodeRecord]

  /// The options in the union member with this tag, in either of the schema's two unions.
  package func options(_ tag: Int) -> OptionReader {
    OptionReader(table: options.table(ifTagged: tag), node: self)
  }

  package func options2(_ tag: Int) -> OptionReader {
    OptionReader(table: options2.table(ifTagged: tag), node: self)
  }

  // MARK: Errors

  /// An error at this node: tensors or options that do not fit, unless `kind` says otherwise.
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

  /// Throws unless there are as many operands and results as the operator takes, and the
  /// operands are there.
  ///
  /// Those behind the smallest count may be left out: a bias, say. `mayLeaveOut` is for operators
  /// that have such operands in between, and look for themselves.
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

  /// An operand that must be there.
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

  /// The tensor's quantization, which must have one scale for the whole tensor.
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
  /// `2`, or `2 to 5`, or `at least 1`.
  fileprivate var text: String {
    if lowerBound == upperBound { return "\(lowerBound)" }
    return upperBound == .max ? "at least \(lowerBound)" : "\(lowerBound) to \(upperBound)"
  }
}
