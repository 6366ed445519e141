package import OcellusEngine

extension EntryPoint {
  /// Copies of what the inputs are.
  package func storedInputs() throws -> [StoredTensor] {
    try inputs.enumerated().map { index, input in
      StoredTensor(
        type: input.type, shape: input.shape, quantization: input.quantization,
        bytes: try withInputBytes(at: index) { Array($0) })
    }
  }

  /// Shows a model a tensor, in its shape.
  package func setInput(at index: Int, to tensor: StoredTensor) throws {
    if tensor.shape != inputs[index].shape { try resizeInput(at: index, to: tensor.shape) }
    try setInput(at: index, bytes: tensor.bytes)
  }

  /// Shows a model what another one is shown: the same real numbers in its own types.
  ///
  /// - Throws: where an input cannot hold them.
  package func setInputs(to tensors: [StoredTensor]) throws {
    guard tensors.count == inputs.count else {
      throw AuditError("one model has \(tensors.count) inputs, and the other \(inputs.count)")
    }
    for (index, tensor) in tensors.enumerated() {
      let input = inputs[index]
      guard let converted = tensor.converted(to: input.type, input.quantization) else {
        throw AuditError(
          "input '\(input.name)' is \(input.type.name), and cannot hold what the other model's "
            + "\(tensor.type.name) input is shown")
      }
      try setInput(at: index, to: converted)
    }
  }
}
