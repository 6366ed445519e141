/// The tables that the decoder reads, from the root of a model on.
extension TableSchema {
  package static let model = TableSchema(
    "Model",
    [
      Field(ModelField.version, "version", .uint32),
      Field(ModelField.operatorCodes, "operator_codes", .tables(operatorCode)),
      Field(ModelField.subgraphs, "subgraphs", .tables(subgraph)),
      Field(ModelField.description, "description", .string),
      Field(ModelField.buffers, "buffers", .tables(buffer)),
      Field(ModelField.metadata, "metadata", .tables(metadata)),
      Field(ModelField.signatures, "signature_defs", .tables(signature)),
      Field(
        ModelField.externalBufferGroups, "external_buffer_groups", .tables(externalBufferGroup)),
      Field(ModelField.externalBuffers, "external_buffers", .tables(externalBuffer)),
    ])

  static let operatorCode = TableSchema(
    "OperatorCode",
    [
      Field(OperatorCodeField.deprecatedBuiltinCode, "deprecated_builtin_code", .int8),
      Field(OperatorCodeField.customCode, "custom_code", .string),
      Field(OperatorCodeField.version, "version", .int32),
      Field(OperatorCodeField.builtinCode, "builtin_code", .int32),
    ])

  static let subgraph = TableSchema(
    "SubGraph",
    [
      Field(SubgraphField.tensors, "tensors", .tables(tensor)),
      Field(SubgraphField.inputs, "inputs", .int32s),
      Field(SubgraphField.outputs, "outputs", .int32s),
      Field(SubgraphField.operators, "operators", .tables(operation)),
      Field(SubgraphField.name, "name", .string),
    ])

  static let tensor = TableSchema(
    "Tensor",
    [
      Field(TensorField.shape, "shape", .int32s),
      Field(TensorField.type, "type", .int8),
      Field(TensorField.buffer, "buffer", .uint32),
      Field(TensorField.name, "name", .string),
      Field(TensorField.quantization, "quantization", .table(quantization)),
      Field(TensorField.isVariable, "is_variable", .bool),
      Field(TensorField.sparsity, "sparsity", .table(sparsity)),
      Field(TensorField.shapeSignature, "shape_signature", .int32s),
      Field(TensorField.hasRank, "has_rank", .bool),
      Field(TensorField.variantTensors, "variant_tensors", .tables(variantSubtype)),
      Field(TensorField.externalBuffer, "external_buffer", .uint32),
    ])

  static let variantSubtype = TableSchema(
    "VariantSubType",
    [
      Field(VariantSubtypeField.shape, "shape", .int32s),
      Field(VariantSubtypeField.type, "type", .int8),
      Field(VariantSubtypeField.hasRank, "has_rank", .bool),
    ])

  static let operation = TableSchema(
    "Operator",
    [
      Field(OperatorField.codeIndex, "opcode_index", .uint32),
      Field(OperatorField.inputs, "inputs", .int32s),
      Field(OperatorField.outputs, "outputs", .int32s),
      Field(OperatorField.optionsTag, "builtin_options_type", .uint8),
      Field(
        OperatorField.options, "builtin_options",
        .union(
          tag: OperatorField.optionsTag, members: members(of: OptionsSchema.builtinOptions))),
      Field(OperatorField.customOptions, "custom_options", .flexBuffer),
      Field(OperatorField.mutatingVariableInputs, "mutating_variable_inputs", .bools),
      Field(OperatorField.intermediates, "intermediates", .int32s),
      Field(OperatorField.largeCustomOptionsOffset, "large_custom_options_offset", .uint64),
      Field(OperatorField.largeCustomOptionsSize, "large_custom_options_size", .uint64),
      Field(OperatorField.options2Tag, "builtin_options_2_type", .uint8),
      Field(
        OperatorField.options2, "builtin_options_2",
        .union(
          tag: OperatorField.options2Tag, members: members(of: OptionsSchema.builtinOptions2))),
    ])

  /// Returns the tables of a union by their tags, which start at 1.
  private static func members(of schemas: [OptionsSchema]) -> [Int: TableSchema] {
    Dictionary(
      uniqueKeysWithValues: schemas.enumerated().map { ($0 + 1, TableSchema($1)) })
  }

  static let buffer = TableSchema(
    "Buffer",
    [
      Field(BufferField.data, "data", .bytes),
      Field(BufferField.offset, "offset", .uint64),
      Field(BufferField.size, "size", .uint64),
    ])

  static let metadata = TableSchema(
    "Metadata",
    [
      Field(MetadataField.name, "name", .string),
      Field(MetadataField.buffer, "buffer", .uint32),
    ])

  static let signature = TableSchema(
    "SignatureDef",
    [
      Field(SignatureField.inputs, "inputs", .tables(tensorMap)),
      Field(SignatureField.outputs, "outputs", .tables(tensorMap)),
      Field(SignatureField.key, "signature_key", .string),
      Field(SignatureField.subgraph, "subgraph_index", .uint32),
    ])

  static let tensorMap = TableSchema(
    "TensorMap",
    [
      Field(TensorMapField.name, "name", .string),
      Field(TensorMapField.tensor, "tensor_index", .uint32),
    ])

  static let externalBufferGroup = TableSchema(
    "ExternalBufferGroup", [Field(ExternalBufferGroupField.name, "name", .string)])

  static let externalBuffer = TableSchema(
    "ExternalBuffer",
    [
      Field(ExternalBufferField.identifier, "id", .uint32),
      Field(ExternalBufferField.group, "group", .uint32),
      Field(ExternalBufferField.offset, "offset", .uint64),
      Field(ExternalBufferField.length, "length", .uint64),
      Field(ExternalBufferField.packing, "packing", .string),
    ])
}

/// Quantization and sparsity.
extension TableSchema {
  static let quantization = TableSchema(
    "QuantizationParameters",
    [
      Field(QuantizationField.minimum, "min", .floats),
      Field(QuantizationField.maximum, "max", .floats),
      Field(QuantizationField.scale, "scale", .floats),
      Field(QuantizationField.zeroPoint, "zero_point", .int64s),
      Field(QuantizationField.detailsTag, "details_type", .uint8),
      Field(
        QuantizationField.details, "details",
        .union(
          tag: QuantizationField.detailsTag,
          members: [
            QuantizationDetailsTag.custom: customQuantization,
            QuantizationDetailsTag.blockwise: blockwiseQuantization,
            QuantizationDetailsTag.multiAxis: multiAxisQuantization,
          ])),
      Field(QuantizationField.dimension, "quantized_dimension", .int32),
    ])

  static let customQuantization = TableSchema("CustomQuantization", [Field(0, "custom", .bytes)])

  static let blockwiseQuantization = TableSchema("BlockwiseQuantization", scaleFields)

  static let multiAxisQuantization = TableSchema(
    "MultiAxisQuantization",
    scaleFields + [
      Field(QuantizationDetailsField.dimensions, "quantized_dimensions", .int32s)
    ])

  private static let scaleFields = [
    Field(QuantizationDetailsField.scales, "scales", .int32),
    Field(QuantizationDetailsField.zeroPoints, "zero_points", .int32),
    Field(QuantizationDetailsField.blockSize, "block_size", .int32),
  ]

  static let sparsity = TableSchema(
    "SparsityParameters",
    [
      Field(SparsityField.traversalOrder, "traversal_order", .int32s),
      Field(SparsityField.blockMap, "block_map", .int32s),
      Field(SparsityField.dimensions, "dim_metadata", .tables(sparseDimension)),
    ])

  static let sparseDimension = TableSchema(
    "DimensionMetadata",
    [
      Field(SparseDimensionField.format, "format", .int8),
      Field(SparseDimensionField.denseSize, "dense_size", .int32),
      Field(SparseDimensionField.arraySegmentsTag, "array_segments_type", .uint8),
      Field(
        SparseDimensionField.arraySegments, "array_segments",
        .union(tag: SparseDimensionField.arraySegmentsTag, members: indexVectors)),
      Field(SparseDimensionField.arrayIndicesTag, "array_indices_type", .uint8),
      Field(
        SparseDimensionField.arrayIndices, "array_indices",
        .union(tag: SparseDimensionField.arrayIndicesTag, members: indexVectors)),
    ])

  private static let indexVectors: [Int: TableSchema] = [
    SparseIndexTag.int32: TableSchema("Int32Vector", [Field(0, "values", .int32s)]),
    SparseIndexTag.uint16: TableSchema("Uint16Vector", [Field(0, "values", .uint16s)]),
    SparseIndexTag.uint8: TableSchema("Uint8Vector", [Field(0, "values", .bytes)]),
  ]
}
