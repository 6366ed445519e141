package import OcellusEngine

extension EntryPoint {
  /// Copies the inputs.
  package func storedInputs() throws -> [StoredTensor] {
    try inputs.enumerated().map { index, input in
      StoredTensor(
        type: input.type, shape: input.shape, quantization: input.quantization,
        bytes: try withInputBytes(at: index) { Array($0) })
    }
  }

  /// Sets an input to a tensor, resizing it to the tensor's shape.
  package func setInput(at index: Int, to tensor: StoredTensor) throws {
    if tensor.shape != inputDescription(at: index).shape {
      try resizeInput(at: index, to: tensor.shape)
    }
    try setInput(at: index, bytes: tensor.bytes)
  }

  /// Sets the inputs to the real numbers of another model's inputs, converted to its own types.
  ///
  /// - Throws: an error if an input cannot hold the other model's elements.
  package func setInputs(to tensors: [StoredTensor]) throws {
    guard tensors.count == inputs.count else {
      throw AuditError("one model has \(tensors.count) inputs, and the other \(inputs.count)")
    }
    for (index, tensor) in tensors.enumerated() {
      let input = inputDescription(at: index)
      guard let converted = tensor.converted(to: input.type, input.quantization) else {
        throw AuditError(
          "input '\(input.name)' is \(input.type.name), and cannot hold what the other model's "
            + "\(tensor.type.name) input is shown")
      }
      try setInput(at: index, to: converted)
    }
  }
}
