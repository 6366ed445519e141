package import OcellusModelFile

extension ModelWriter {
  /// A model of one operator whose tensors are, in order, its operands and its results.
  ///
  /// Operands that are neither constants nor variables are the model's inputs.
  package init(
    _ name: String, inputs: [Tensor], outputs: [Tensor], options: Options? = nil,
    customOptions: [UInt8] = [], version: Int = 1
  ) {
    let code = BuiltinOperator.code(named: name)
    self.init(subgraphs: [
      .init(
        tensors: inputs + outputs,
        inputs: inputs.indices.filter { inputs[$0].constant == nil && !inputs[$0].isVariable },
        outputs: Array(inputs.count..<inputs.count + outputs.count),
        operators: [
          .init(
            OperatorCodeRecord(
              builtinCode: code ?? BuiltinOperator.custom, customCode: code == nil ? name : nil,
              version: version),
            inputs: Array(inputs.indices),
            outputs: Array(inputs.count..<inputs.count + outputs.count), options: options,
            customOptions: customOptions)
        ])
    ])
  }
}

extension ModelWriter.Tensor {
  /// A constant of the given elements.
  package static func constant<Element: BitwiseCopyable>(
    _ name: String, _ type: TensorType, _ shape: [Int], _ values: [Element]
  ) -> Self {
    .init(name, type, shape, constant: values.withUnsafeBytes { Array($0) })
  }
}
