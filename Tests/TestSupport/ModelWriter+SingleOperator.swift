package import OcellusModelFile

extension ModelWriter {
  /// A model of one operator: what it reads comes first among the tensors, then what it writes.
  ///
  /// Tensors read that are neither constants nor variables are the model's inputs.
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

  /// The model as read from its bytes.
  package func file() throws(ModelFileError) -> ModelFile { try ModelFile(ModelBytes(bytes())) }
}

extension Array where Element == UInt8 {
  /// The bytes of numbers in memory, as constants of tensors are stored.
  package init<Number>(bytesOf numbers: [Number]) {
    self = numbers.withUnsafeBytes { Array($0) }
  }
}
