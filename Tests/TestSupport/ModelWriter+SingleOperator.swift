package import OcellusModelFile

extension ModelWriter {
  /// Returns a model of one operator, whose operands precede its results in the list of tensors.
  ///
  /// Operands that are neither constants nor variables are the model's inputs.
  package static func singleOperator(
    _ code: OperatorCodeRecord, reading: [Tensor], writing: [Tensor], options: Options? = nil,
    options2: Options? = nil, customOptions: [UInt8] = []
  ) -> ModelWriter {
    let outputs = Array(reading.count..<(reading.count + writing.count))
    let inputs = reading.indices.filter {
      reading[$0].constant == nil && !reading[$0].isVariable
    }
    let operation = Operator(
      code, inputs: Array(reading.indices), outputs: outputs, options: options,
      options2: options2, customOptions: customOptions)
    return ModelWriter(subgraphs: [
      Subgraph(tensors: reading + writing, inputs: inputs, outputs: outputs, operators: [operation])
    ])
  }

  /// Returns the model, read from its bytes.
  package func file() throws(ModelFileError) -> ModelFile { try ModelFile(ModelBytes(bytes())) }
}

extension Array where Element == UInt8 {
  /// Creates the bytes of numbers in memory, as tensors' constants are stored.
  package init<Number>(bytesOf numbers: [Number]) {
    self = numbers.withUnsafeBytes { Array($0) }
  }
}
