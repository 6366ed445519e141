/// Decodes tensors and their constant data.
extension ModelDecoder {
  mutating func tensor(
    _ table: FlatTable, tensorCount: Int
  ) throws(ModelFileError) -> TensorRecord {
    let type = try tensorType(table, TensorField.type)
    let shape = try integers(table, TensorField.shape, as: Int32.self) ?? []
    var tensor = TensorRecord(
      name: try string(table, TensorField.name) ?? "", type: type, shape: shape,
      shapeSignature: try integers(table, TensorField.shapeSignature, as: Int32.self),
      hasRank: try table.bool(TensorField.hasRank),
      bufferIndex: try table.integer(TensorField.buffer, as: UInt32.self),
      quantization: try quantization(
        table.table(TensorField.quantization), shape: shape, tensorCount: tensorCount),
      isVariable: try table.bool(TensorField.isVariable),
      variantSubtypes: try variantSubtypes(table), byteOffset: table.byteOffset)
    try checkShape(of: tensor)
    tensor.data = try constantData(of: tensor, table)
    if tensor.data != nil { tensor.sparsity = try sparsity(table.table(TensorField.sparsity)) }
    try checkData(of: tensor)
    return tensor
  }

  private func tensorType(_ table: FlatTable, _ field: Int) throws(ModelFileError) -> TensorType {
    let value = try table.integer(field, as: Int8.self)
    guard let type = TensorType(rawValue: value) else {
      throw .unsupported("type \(value) is beyond the schema", at: table.byteOffset)
    }
    return type
  }

  private mutating func variantSubtypes(
    _ table: FlatTable
  ) throws(ModelFileError) -> [VariantSubtypeRecord] {
    try records(of: table.tables(TensorField.variantTensors), named: "variant subtype") {
      decoder, table, _ throws(ModelFileError) in
      VariantSubtypeRecord(
        type: try decoder.tensorType(table, VariantSubtypeField.type),
        shape: try decoder.integers(table, VariantSubtypeField.shape, as: Int32.self) ?? [],
        hasRank: try table.bool(VariantSubtypeField.hasRank))
    }
  }

  private func checkShape(of tensor: TensorRecord) throws(ModelFileError) {
    let isRepresentable =
      tensor.type.bitWidth == nil
      ? elementCount(tensor.shape) != nil : tensor.type.byteCount(shape: tensor.shape) != nil
    guard isRepresentable else {
      throw .malformed(
        "shape \(tensor.shape) is negative or beyond all memory", at: tensor.byteOffset)
    }
  }

  /// Returns the bytes of a constant; `nil` for every other tensor.
  private mutating func constantData(
    of tensor: TensorRecord, _ table: FlatTable
  ) throws(ModelFileError) -> UnsafeRawBufferPointer? {
    let data = try data(ofBuffer: tensor.bufferIndex, at: table.byteOffset)
    let external = try table.integer(TensorField.externalBuffer, as: UInt32.self)
    let isConstant = data != nil || external != 0
    // Like the official runtime, which has no initial values for variables.
    if tensor.isVariable, isConstant || tensor.type.bitWidth == nil {
      throw .unsupported(
        "variable with a constant value or of type \(tensor.type.name)", at: table.byteOffset)
    }
    guard external != 0 else { return data }
    guard data == nil else {
      throw .unsupported("both a buffer and an external buffer", at: table.byteOffset)
    }
    return try externalBuffers.data(of: external, at: table.byteOffset)
  }

  /// Throws if a constant is shorter than its shape, because it would be read beyond its end.
  private func checkData(of tensor: TensorRecord) throws(ModelFileError) {
    guard let data = tensor.data else { return }
    if tensor.type == .string { return try checkStrings(of: tensor, data) }
    let stored = try tensor.sparsity?.storedElementCount(shape: tensor.shape)
    let storedShape = stored.map { [$0] } ?? tensor.shape
    guard tensor.type.bitWidth != nil else { return }
    guard let needed = tensor.type.byteCount(shape: storedShape), data.count >= needed else {
      throw .malformed(
        "\(tensor.type.name)\(storedShape) does not fit in a buffer of \(data.count) bytes",
        at: tensor.byteOffset)
    }
  }

  private func checkStrings(
    of tensor: TensorRecord, _ data: UnsafeRawBufferPointer
  ) throws(ModelFileError) {
    let strings = try PackedStrings(validating: data)
    guard let needed = elementCount(tensor.shape), strings.count >= needed else {
      throw .malformed("string\(tensor.shape) has \(strings.count) strings", at: tensor.byteOffset)
    }
  }
}
