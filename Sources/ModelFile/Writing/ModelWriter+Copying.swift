/// Converts records of a file to records that can be written.
extension ModelWriter {
  /// Copies a whole model, so that it can be changed and written again.
  package init(copying file: ModelFile) throws(ModelFileError) {
    self.init(
      description: file.description, subgraphs: [], signatures: file.signatures,
      metadata: file.metadata.map { Metadata(name: $0.name, bytes: Array($0.bytes)) })
    for subgraph in file.subgraphs {
      subgraphs.append(try Subgraph(copying: subgraph, codes: file.operatorCodes))
    }
  }

  /// The properties of a tensor that are known besides those in the file.
  package struct KnownTensor: Sendable {
    /// The extents in a run.
    package let shape: [Int]
    /// The type in a run; `nil` if it is the file's.
    package let type: TensorType?
    /// The value, if it is the same in every run.
    package let constant: [UInt8]?

    package init(shape: [Int], type: TensorType? = nil, constant: [UInt8]? = nil) {
      self.shape = shape
      self.type = type
      self.constant = constant
    }
  }

  /// Returns a model that consists of one operator of another model.
  ///
  /// The inputs are those of the operator that are not constants, variables, or `known` to be
  /// constant. The subgraphs that the operator calls are included.
  package static func extracting(
    operator index: Int, ofSubgraph subgraphIndex: Int, from file: ModelFile,
    knowing known: [Int: KnownTensor] = [:]
  ) throws(ModelFileError) -> [UInt8] {
    let source = file.subgraphs[subgraphIndex]
    let main = try Subgraph(
      extracting: source.operators[index], from: source, codes: file.operatorCodes, known)
    var writer = ModelWriter(description: file.description, subgraphs: [main])
    if main.operators.contains(where: { !$0.calledSubgraphs.isEmpty }) {
      try writer.appendSubgraphsCalled(from: file)
    }
    return writer.bytes()
  }

  private mutating func appendSubgraphsCalled(from file: ModelFile) throws(ModelFileError) {
    let available = try ModelWriter(copying: file).subgraphs
    var numbers: [Int: Int] = [:]
    var position = 0
    while position < subgraphs.count {
      for called in subgraphs[position].operators.flatMap(\.calledSubgraphs)
      where available.indices.contains(called) && numbers[called] == nil {
        numbers[called] = subgraphs.count
        subgraphs.append(available[called])
      }
      position += 1
    }
    for subgraph in subgraphs.indices {
      for index in subgraphs[subgraph].operators.indices {
        subgraphs[subgraph].operators[index].renumberSubgraphs(numbers)
      }
    }
  }
}

extension ModelWriter.Subgraph {
  fileprivate init(
    copying record: SubgraphRecord, codes: [OperatorCodeRecord]
  ) throws(ModelFileError) {
    var operators: [ModelWriter.Operator] = []
    for node in record.operators {
      operators.append(try ModelWriter.Operator(copying: node, codes: codes))
    }
    self.init(
      name: record.name, tensors: record.tensors.map(ModelWriter.Tensor.init(copying:)),
      inputs: record.inputs, outputs: record.outputs, operators: operators)
  }

  fileprivate init(
    extracting node: OperatorRecord, from source: SubgraphRecord, codes: [OperatorCodeRecord],
    _ known: [Int: ModelWriter.KnownTensor]
  ) throws(ModelFileError) {
    let kept = source.tensorsNeeded(by: node)
    let numbers = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
    // Only -1, for a tensor that is left out, has no new index.
    func renumbered(_ tensor: Int) -> Int { numbers[tensor] ?? -1 }

    var operation = try ModelWriter.Operator(copying: node, codes: codes)
    operation.inputs = operation.inputs.map(renumbered)
    operation.outputs = operation.outputs.map(renumbered)
    operation.intermediates = operation.intermediates.map(renumbered)

    let tensors = kept.map { tensor in
      var copy = ModelWriter.Tensor(copying: source.tensors[tensor])
      copy.quantization?.renumberTensors(renumbered)
      if let known = known[tensor] {
        copy.shape = known.shape
        copy.type = known.type ?? copy.type
        copy.shapeSignature = nil
        copy.constant = copy.constant ?? known.constant
      }
      return copy
    }
    let inputs = Set(operation.inputs).sorted().filter {
      $0 >= 0 && tensors[$0].constant == nil && !tensors[$0].isVariable
    }
    self.init(
      name: source.name, tensors: tensors, inputs: inputs, outputs: operation.outputs,
      operators: [operation])
  }
}

extension SubgraphRecord {
  /// Returns the operator's tensors, and those that hold the scales of their quantization.
  fileprivate func tensorsNeeded(by node: OperatorRecord) -> [Int] {
    let own = node.inputs + node.outputs + node.intermediates
    let scales = own.filter { $0 >= 0 }.flatMap { tensor in
      tensors[tensor].quantization?.tensors ?? []
    }
    var seen: Set<Int> = [-1]
    return (own + scales).filter { seen.insert($0).inserted }
  }
}

extension QuantizationRecord {
  /// The tensors that hold scales and zero points; -1 for none.
  package var tensors: [Int] {
    [
      blockwise?.scalesTensor, blockwise?.zeroPointsTensor, multiAxis?.scalesTensor,
      multiAxis?.zeroPointsTensor,
    ].compactMap { $0 }
  }

  /// Gives the tensors that hold scales and zero points their new numbers.
  package mutating func renumberTensors(_ renumbered: (Int) -> Int) {
    if let record = blockwise {
      blockwise?.scalesTensor = renumbered(record.scalesTensor)
      blockwise?.zeroPointsTensor = renumbered(record.zeroPointsTensor)
    }
    if let record = multiAxis {
      multiAxis?.scalesTensor = renumbered(record.scalesTensor)
      multiAxis?.zeroPointsTensor = renumbered(record.zeroPointsTensor)
    }
  }
}

extension ModelWriter.Tensor {
  fileprivate init(copying record: TensorRecord) {
    self.init(
      record.name, record.type, record.shape, shapeSignature: record.shapeSignature,
      constant: record.data.map { Array($0) }, quantization: record.quantization,
      isVariable: record.isVariable, sparsity: record.sparsity)
    hasRank = record.hasRank
    variantSubtypes = record.variantSubtypes
  }
}

extension ModelWriter.Operator {
  fileprivate init(
    copying record: OperatorRecord, codes: [OperatorCodeRecord]
  ) throws(ModelFileError) {
    self.init(
      codes[record.codeIndex], inputs: record.inputs, outputs: record.outputs,
      options: try ModelWriter.Options(
        copying: record.options, OptionsSchema.builtinOptions(tag: record.options.tag)),
      options2: try ModelWriter.Options(
        copying: record.options2, OptionsSchema.builtinOptions2(tag: record.options2.tag)),
      customOptions: Array(record.customOptions))
    intermediates = record.intermediates
    mutatingVariableInputs = record.mutatingVariableInputs
  }

  fileprivate var calledSubgraphs: [Int] {
    (options?.calledSubgraphs(in: OptionsSchema.builtinOptions(tag:)) ?? [])
      + (options2?.calledSubgraphs(in: OptionsSchema.builtinOptions2(tag:)) ?? [])
  }

  fileprivate mutating func renumberSubgraphs(_ numbers: [Int: Int]) {
    options?.renumberSubgraphs(numbers, in: OptionsSchema.builtinOptions(tag:))
    options2?.renumberSubgraphs(numbers, in: OptionsSchema.builtinOptions2(tag:))
  }
}

extension ModelWriter.Options {
  fileprivate init?(
    copying options: OptionsTable, _ schema: OptionsSchema?
  ) throws(ModelFileError) {
    guard let table = options.table, let schema else { return nil }
    self.init(tag: options.tag, try schema.values(of: table))
  }

  fileprivate func calledSubgraphs(in schema: (Int) -> OptionsSchema?) -> [Int] {
    subgraphFields(in: schema).flatMap { field -> [Int] in
      switch field.value {
      case .int32(let index): [Int(index)]
      case .int32s(let indices): indices.map(Int.init)
      default: []
      }
    }
  }

  fileprivate mutating func renumberSubgraphs(
    _ numbers: [Int: Int], in schema: (Int) -> OptionsSchema?
  ) {
    // An invalid index must not become a valid one.
    func renumbered(_ index: Int32) -> Int32 {
      numbers[Int(index)].map(Int32.init) ?? (index < 0 ? index : .max)
    }
    for (field, value) in subgraphFields(in: schema) {
      switch value {
      case .int32(let index): fields[field] = .int32(renumbered(index))
      case .int32s(let indices): fields[field] = .int32s(indices.map(renumbered))
      default: break
      }
    }
  }

  /// Returns the fields that hold indices of subgraphs; a missing index means subgraph 0.
  private func subgraphFields(
    in schema: (Int) -> OptionsSchema?
  ) -> [(field: Int, value: FlatValue)] {
    guard let schema = schema(tag) else { return [] }
    return schema.fields.indices.compactMap { field in
      guard schema.fields[field].refersToSubgraphs else { return nil }
      let first: FlatValue? = schema.fields[field].kind == .int32 ? .int32(0) : nil
      return (fields[field] ?? first).map { (field, $0) }
    }
  }
}
