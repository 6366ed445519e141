/// Decodes subgraphs and their operators.
extension ModelDecoder {
  mutating func subgraphs(
    operatorCodes: [OperatorCodeRecord]
  ) throws(ModelFileError) -> [SubgraphRecord] {
    let subgraphs = try records(of: model.tables(ModelField.subgraphs), named: "subgraph") {
      decoder, table, _ throws(ModelFileError) in
      try decoder.subgraph(table, operatorCodes: operatorCodes)
    }
    guard !subgraphs.isEmpty else {
      throw .malformed("the model has no subgraph", at: model.byteOffset)
    }
    return subgraphs
  }

  private mutating func subgraph(
    _ table: FlatTable, operatorCodes: [OperatorCodeRecord]
  ) throws(ModelFileError) -> SubgraphRecord {
    guard let tensorTables = try table.tables(SubgraphField.tensors) else {
      throw .malformed("no list of tensors", at: table.byteOffset)
    }
    let tensors = try records(of: tensorTables, named: "tensor") {
      decoder, table, _ throws(ModelFileError) in
      try decoder.tensor(table, tensorCount: tensorTables.count)
    }
    let operators = try records(of: table.tables(SubgraphField.operators), named: "operator") {
      decoder, table, _ throws(ModelFileError) in
      try decoder.operatorRecord(
        table, operatorCodes: operatorCodes, tensorCount: tensors.count)
    }
    return SubgraphRecord(
      name: try string(table, SubgraphField.name) ?? "", tensors: tensors,
      inputs: try tensorIndices(table, SubgraphField.inputs, "input", in: 0..<tensors.count),
      outputs: try tensorIndices(table, SubgraphField.outputs, "output", in: 0..<tensors.count),
      operators: operators)
  }

  private mutating func tensorIndices(
    _ table: FlatTable, _ field: Int, _ role: StaticString, in valid: Range<Int>
  ) throws(ModelFileError) -> [Int] {
    let indices = try integers(table, field, as: Int32.self) ?? []
    if let wrong = indices.firstIndex(where: { !valid.contains($0) }) {
      throw .malformed(
        "\(role) \(wrong) is tensor \(indices[wrong]), there are \(valid.upperBound)",
        at: table.byteOffset)
    }
    return indices
  }

  // MARK: Operators

  private mutating func operatorRecord(
    _ table: FlatTable, operatorCodes: [OperatorCodeRecord], tensorCount: Int
  ) throws(ModelFileError) -> OperatorRecord {
    let codeIndex = try table.integer(OperatorField.codeIndex, as: UInt32.self)
    guard operatorCodes.indices.contains(codeIndex) else {
      throw .malformed(
        "operator code \(codeIndex), there are \(operatorCodes.count)", at: table.byteOffset)
    }
    let flags = try mutatingVariableInputs(table)
    let record = OperatorRecord(
      codeIndex: codeIndex,
      inputs: try tensorIndices(table, OperatorField.inputs, "input", in: -1..<tensorCount),
      outputs: try tensorIndices(table, OperatorField.outputs, "output", in: 0..<tensorCount),
      intermediates: try tensorIndices(
        table, OperatorField.intermediates, "intermediate", in: -1..<tensorCount),
      mutatingVariableInputs: flags,
      options: try options(
        table, tag: OperatorField.optionsTag, value: OperatorField.options,
        schema: OptionsSchema.builtinOptions(tag:)),
      options2: try options(
        table, tag: OperatorField.options2Tag, value: OperatorField.options2,
        schema: OptionsSchema.builtinOptions2(tag:)),
      customOptions: try customOptions(table), byteOffset: table.byteOffset)
    // The official runtime allows a custom operator to pass an input through as its output.
    if !operatorCodes[codeIndex].isCustom { try checkOverlap(record) }
    return record
  }

  private mutating func mutatingVariableInputs(
    _ table: FlatTable
  ) throws(ModelFileError) -> [Bool] {
    try budget.chargeElements(
      table.count(OperatorField.mutatingVariableInputs), at: table.byteOffset)
    return try table.bools(OperatorField.mutatingVariableInputs) ?? []
  }

  private func checkOverlap(_ record: OperatorRecord) throws(ModelFileError) {
    // Most operators have one output; a set pays off only for those with many.
    let inputs = record.outputs.count > 8 ? Set(record.inputs) : []
    for output in record.outputs
    where inputs.isEmpty ? record.inputs.contains(output) : inputs.contains(output) {
      throw .malformed("tensor \(output) is both input and output", at: record.byteOffset)
    }
  }

  private mutating func options(
    _ table: FlatTable, tag: Int, value: Int, schema: (Int) -> OptionsSchema?
  ) throws(ModelFileError) -> OptionsTable {
    let tag = try table.integer(tag, as: UInt8.self)
    // After the tag of a later schema there may not even be a table.
    guard let schema = schema(tag), let options = try table.table(value) else {
      return OptionsTable(tag: tag, table: nil)
    }
    try budget.chargeTable(at: options.byteOffset)
    try budget.chargeElements(schema.verify(options), at: options.byteOffset)
    return OptionsTable(tag: tag, table: options)
  }

  private func customOptions(
    _ table: FlatTable
  ) throws(ModelFileError) -> UnsafeRawBufferPointer {
    if let options = try table.bytes(OperatorField.customOptions) { return options }
    let options = try outOfLine(
      table, offset: OperatorField.largeCustomOptionsOffset,
      size: OperatorField.largeCustomOptionsSize)
    return options ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  // MARK: Signatures

  mutating func signatures(
    of subgraphs: [SubgraphRecord]
  ) throws(ModelFileError) -> [SignatureRecord] {
    try records(of: model.tables(ModelField.signatures), named: "signature") {
      decoder, table, _ throws(ModelFileError) in
      try decoder.signature(table, subgraphs: subgraphs)
    }
  }

  private mutating func signature(
    _ table: FlatTable, subgraphs: [SubgraphRecord]
  ) throws(ModelFileError) -> SignatureRecord {
    guard let key = try string(table, SignatureField.key) else {
      throw .malformed("no key", at: table.byteOffset)
    }
    let index = try table.integer(SignatureField.subgraph, as: UInt32.self)
    guard subgraphs.indices.contains(index) else {
      throw .malformed("subgraph \(index), there are \(subgraphs.count)", at: table.byteOffset)
    }
    let tensorCount = subgraphs[index].tensors.count
    return SignatureRecord(
      key: key, subgraphIndex: index,
      inputs: try namedTensors(table.tables(SignatureField.inputs), tensorCount: tensorCount),
      outputs: try namedTensors(table.tables(SignatureField.outputs), tensorCount: tensorCount))
  }

  private mutating func namedTensors(
    _ vector: FlatVector?, tensorCount: Int
  ) throws(ModelFileError) -> [NamedTensor] {
    try records(of: vector, named: "tensor name") {
      decoder, table, _ throws(ModelFileError) -> NamedTensor? in
      // The official runtime skips tensors without a name.
      guard let name = try decoder.string(table, TensorMapField.name) else { return nil }
      let tensor = try table.integer(TensorMapField.tensor, as: UInt32.self)
      guard tensor < tensorCount else {
        throw .malformed("tensor \(tensor), there are \(tensorCount)", at: table.byteOffset)
      }
      return NamedTensor(name: name, tensor: tensor)
    }.compactMap { $0 }
  }
}
