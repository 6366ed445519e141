/// Converts records to the tables of the schema.
extension ModelWriter {
  /// Returns the bytes of a .tflite file.
  package func bytes() -> [UInt8] {
    var layout = Layout()
    let subgraphs = subgraphs.map { layout.table(of: $0) }
    let metadata = metadata.map { layout.table(of: $0) }
    let root: FlatFields = [
      ModelField.version: .uint32(3),
      ModelField.operatorCodes: .tables(layout.operatorCodes.map(Layout.table(of:))),
      ModelField.subgraphs: .tables(subgraphs),
      ModelField.description: .string(description),
      ModelField.buffers: .tables(layout.buffers),
      ModelField.metadata: .tables(metadata),
      ModelField.signatures: .tables(signatures.map(Layout.table(of:))),
    ]
    return FlatBufferBuilder.file(identifier: ModelFile.identifier, root: root)
  }

  /// The buffers and operator codes of the model, which its other tables refer to by index.
  private struct Layout {
    /// The first one stands for no buffer.
    var buffers: [FlatFields] = [[:]]
    private(set) var operatorCodes: [OperatorCodeRecord] = []
    private var codeIndices: [OperatorCodeRecord: Int] = [:]

    mutating func index(of code: OperatorCodeRecord) -> Int {
      if let index = codeIndices[code] { return index }
      codeIndices[code] = operatorCodes.count
      operatorCodes.append(code)
      return operatorCodes.count - 1
    }

    mutating func buffer(_ bytes: [UInt8]) -> FlatValue {
      buffers.append([BufferField.data: .bytes(bytes, alignment: 16)])
      return .uint32(UInt32(buffers.count - 1))
    }

    // MARK: Tables

    mutating func table(of subgraph: Subgraph) -> FlatFields {
      [
        SubgraphField.name: .string(subgraph.name),
        SubgraphField.tensors: .tables(subgraph.tensors.map { table(of: $0) }),
        SubgraphField.inputs: .int32s(subgraph.inputs),
        SubgraphField.outputs: .int32s(subgraph.outputs),
        SubgraphField.operators: .tables(subgraph.operators.map { table(of: $0) }),
      ]
    }

    mutating func table(of tensor: Tensor) -> FlatFields {
      var fields: FlatFields = [
        TensorField.name: .string(tensor.name),
        TensorField.type: .int8(Int8(tensor.type.rawValue)),
        TensorField.shape: .int32s(tensor.shape),
      ]
      fields[TensorField.buffer] = tensor.constant.map { buffer($0) }
      fields[TensorField.shapeSignature] = tensor.shapeSignature.map { .int32s($0) }
      fields[TensorField.quantization] = tensor.quantization.map { .table($0.flatFields) }
      fields[TensorField.sparsity] = tensor.sparsity.map { .table($0.flatFields) }
      if tensor.isVariable { fields[TensorField.isVariable] = .bool(true) }
      if tensor.hasRank { fields[TensorField.hasRank] = .bool(true) }
      if !tensor.variantSubtypes.isEmpty {
        fields[TensorField.variantTensors] = .tables(tensor.variantSubtypes.map(Self.table(of:)))
      }
      return fields
    }

    mutating func table(of operation: Operator) -> FlatFields {
      var fields: FlatFields = [
        OperatorField.codeIndex: .uint32(UInt32(index(of: operation.code))),
        OperatorField.inputs: .int32s(operation.inputs),
        OperatorField.outputs: .int32s(operation.outputs),
      ]
      if let options = operation.options {
        fields[OperatorField.optionsTag] = .uint8(UInt8(options.tag))
        fields[OperatorField.options] = .table(options.fields)
      }
      if let options = operation.options2 {
        fields[OperatorField.options2Tag] = .uint8(UInt8(options.tag))
        fields[OperatorField.options2] = .table(options.fields)
      }
      if !operation.customOptions.isEmpty {
        fields[OperatorField.customOptions] = .bytes(operation.customOptions, alignment: 16)
      }
      if !operation.intermediates.isEmpty {
        fields[OperatorField.intermediates] = .int32s(operation.intermediates)
      }
      if !operation.mutatingVariableInputs.isEmpty {
        fields[OperatorField.mutatingVariableInputs] = .bools(operation.mutatingVariableInputs)
      }
      return fields
    }

    mutating func table(of metadata: Metadata) -> FlatFields {
      [
        MetadataField.name: .string(metadata.name),
        MetadataField.buffer: buffer(metadata.bytes),
      ]
    }

    static func table(of code: OperatorCodeRecord) -> FlatFields {
      var fields: FlatFields = [
        // A code that does not fit in the old field is stored there as 127, the highest that does.
        OperatorCodeField.deprecatedBuiltinCode: .int8(Int8(min(code.builtinCode, 127))),
        OperatorCodeField.builtinCode: .int32(Int32(code.builtinCode)),
        OperatorCodeField.version: .int32(Int32(code.version)),
      ]
      fields[OperatorCodeField.customCode] = code.customCode.map { .string($0) }
      return fields
    }

    static func table(of subtype: VariantSubtypeRecord) -> FlatFields {
      [
        VariantSubtypeField.type: .int8(Int8(subtype.type.rawValue)),
        VariantSubtypeField.shape: .int32s(subtype.shape),
        VariantSubtypeField.hasRank: .bool(subtype.hasRank),
      ]
    }

    static func table(of signature: SignatureRecord) -> FlatFields {
      [
        SignatureField.key: .string(signature.key),
        SignatureField.subgraph: .uint32(UInt32(signature.subgraphIndex)),
        SignatureField.inputs: .tables(signature.inputs.map(table(of:))),
        SignatureField.outputs: .tables(signature.outputs.map(table(of:))),
      ]
    }

    static func table(of named: NamedTensor) -> FlatFields {
      [
        TensorMapField.name: .string(named.name),
        TensorMapField.tensor: .uint32(UInt32(named.tensor)),
      ]
    }
  }
}

extension FlatValue {
  static func int32s(_ values: [Int]) -> FlatValue { .int32s(values.map(Int32.init)) }
}
