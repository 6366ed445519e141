package import OcellusModelFile

/// Converts the file's records into a graph, and collects all problems on the way.
package struct GraphBuilder {
  let file: ModelFile
  /// The definition of every operator code in the file; `nil` for unknown ones.
  private let definitions: [OperatorDefinition?]
  private var problems = GraphProblems()
  private var subgraphs: [Subgraph?]
  private var states: [VisitState]

  /// The number of scales that nodes may still decode: many nodes may share a tensor with many
  /// scales.
  private var scalesLeft: Int

  private enum VisitState { case unvisited, open, done }

  /// The deepest nesting of calls: each level takes stack when a graph is built, planned and run.
  private static let deepestCall = 64

  package init(_ file: ModelFile, registry: OperatorRegistry) {
    self.file = file
    // A scale that is not shared takes four bytes of the file, and a bias usually has one too.
    scalesLeft = 1_000_000 + file.bytes.buffer.count
    definitions = file.operatorCodes.map { registry[$0.name] }
    subgraphs = .init(repeating: nil, count: file.subgraphs.count)
    states = .init(repeating: .unvisited, count: file.subgraphs.count)
  }

  /// Builds the subgraphs that the main one and the signatures can reach.
  ///
  /// Signatures with nodes that cannot be run, such as those that save what a model has learned,
  /// are left out: the others work without them.
  ///
  /// - Throws: one error that lists every problem of every node, if the first subgraph has any.
  package mutating func build() throws(ModelError) -> Graph {
    let entries = [0] + file.signatures.map(\.subgraphIndex)
    for entry in entries { try visit(entry, depth: 0) }
    if subgraphs[0] == nil, let all = problems.failure(of: entries) { throw all }
    return Graph(subgraphs: subgraphs, problems: problems)
  }

  /// Builds a subgraph, and the subgraphs that its nodes call, which must not form a cycle.
  private mutating func visit(_ index: Int, depth: Int) throws(ModelError) {
    guard states.indices.contains(index) else {
      throw ModelError(.malformed, "there is no subgraph \(index)")
    }
    guard depth <= Self.deepestCall else {
      throw ModelError(
        .unsupported, "subgraphs call each other more than \(Self.deepestCall) levels deep")
    }
    switch states[index] {
    case .done: return
    case .open:
      throw ModelError(.malformed, "subgraph \(index) calls itself, directly or through others")
    case .unvisited: break
    }
    states[index] = .open
    let subgraph = try build(index)
    for node in subgraph?.nodes ?? [] {
      for callee in node.operation.callees {
        problems.addCall(of: callee, by: index)
        try visit(callee, depth: depth + 1)
        try requireDeclaredResults(of: callee, calledBy: node.spec)
      }
    }
    let callees = subgraph?.nodes.flatMap(\.operation.callees) ?? []
    subgraphs[index] = callees.allSatisfy { subgraphs[$0] != nil } ? subgraph : nil
    states[index] = .done
  }

  /// Throws unless the results of a called subgraph have the types that the file declares.
  ///
  /// Callers rely on the declared types, but the operators that compute the results may set others.
  private func requireDeclaredResults(
    of index: Int, calledBy node: NodeSpec
  ) throws(ModelError) {
    guard let callee = subgraphs[index] else { return }
    let record = file.subgraphs[index]
    for output in callee.outputs {
      let declared = ElementType(record.tensors[output].type)
      try node.require(
        callee.tensors[output].type == declared,
        "calls subgraph \(index), whose output \(callee.tensors[output].label) is "
          + "\(callee.tensors[output].type.name), not \(declared?.name ?? "") as declared")
    }
  }

  private mutating func build(_ index: Int) throws(ModelError) -> Subgraph? {
    let record = file.subgraphs[index]
    let tensors = try tensorSpecs(of: record, subgraph: index)
    var nodes: [Node] = []
    for position in record.operators.indices {
      setResultTypes(of: record.operators[position], in: tensors)
      if let node = decode(position, of: record, subgraph: index, tensors: tensors) {
        nodes.append(node)
      }
    }
    guard !problems.contain(index) else { return nil }
    return try Subgraph(index: index, record: record, tensors: tensors, nodes: nodes)
  }

  private func tensorSpecs(
    of record: SubgraphRecord, subgraph: Int
  ) throws(ModelError) -> [TensorSpec] {
    var specs: [TensorSpec] = []
    specs.reserveCapacity(record.tensors.count)
    for (index, tensor) in record.tensors.enumerated() {
      guard let type = ElementType(tensor.type) else {
        throw ModelError(
          .unsupported,
          "tensor '\(tensor.name)' (tensor \(index)) of subgraph \(subgraph) has "
            + "the type \(tensor.type.name), which is not supported", byteOffset: tensor.byteOffset)
      }
      specs.append(TensorSpec(index: index, record: tensor, type: type))
    }
    for index in specs.indices {
      guard let scales = specs[index].quantization?.blockwise?.scalesTensor,
        specs.indices.contains(scales), specs[scales].type == .float16,
        let values = specs[scales].constant
      else { continue }
      specs[index].quantization?.blockScales = Float16Elements(values)
    }
    return specs
  }

  /// Gives the results of a node the types that the official kernel gives them.
  ///
  /// Converters leave wrong declarations behind, such as floats in a quantized graph; the operators
  /// that follow then see the right types.
  private func setResultTypes(of operation: OperatorRecord, in tensors: [TensorSpec]) {
    guard let rule = definitions[operation.codeIndex]?.resultType else { return }
    for output in operation.outputs where !tensors[output].isConstant {
      switch rule {
      case .always(let type): tensors[output].type = type
      case .ofInput(let position):
        guard operation.inputs.indices.contains(position), operation.inputs[position] >= 0 else {
          continue
        }
        tensors[output].type = tensors[operation.inputs[position]].type
      }
    }
  }

  /// Decodes one node, and records a failure as a problem of the subgraph.
  private mutating func decode(
    _ position: Int, of record: SubgraphRecord, subgraph: Int, tensors: [TensorSpec]
  ) -> Node? {
    let operation = record.operators[position]
    let code = file.operatorCodes[operation.codeIndex]
    let spec = NodeSpec(
      subgraph: subgraph, index: position, operatorName: code.name, version: code.version,
      inputs: operation.inputs.map { $0 < 0 ? nil : tensors[$0] },
      outputs: operation.outputs.map { tensors[$0] },
      intermediates: operation.intermediates.map { $0 < 0 ? nil : tensors[$0] },
      options: operation.options, options2: operation.options2,
      customOptions: operation.customOptions, subgraphs: file.subgraphs,
      operatorCodes: file.operatorCodes)
    do {
      try chargeScales(of: spec)
      return Node(
        spec: spec, operation: try makeOperator(for: spec, codeIndex: operation.codeIndex))
    } catch {
      problems.add(error.place ?? spec.problem(error.message), error.kind, of: subgraph)
      return nil
    }
  }

  /// Charges a node's scales to a limit: operators make a multiplier of every scale.
  private mutating func chargeScales(of spec: NodeSpec) throws(ModelError) {
    for input in spec.inputs { scalesLeft -= input?.quantization?.scales.count ?? 0 }
    for output in spec.outputs { scalesLeft -= output.quantization?.scales.count ?? 0 }
    if scalesLeft < 0 { throw spec.error("needs too many scales", .overBudget) }
  }

  private func makeOperator(
    for spec: NodeSpec, codeIndex: Int
  ) throws(ModelError) -> any Operator {
    guard let definition = definitions[codeIndex] else {
      throw spec.error(
        file.operatorCodes[codeIndex].isCustom
          ? "no custom operator of this name is registered"
          : "this operator is not supported", .missingOperator)
    }
    guard definition.versions.contains(spec.version) else {
      throw spec.error(
        "version \(spec.version) is not supported, only up to \(definition.versions.upperBound)",
        .missingOperator)
    }
    if let principal = (spec.inputs.first ?? nil) ?? spec.outputs.first,
      !definition.types.isEmpty, !definition.types.contains(principal.type)
    {
      throw spec.unsupported(
        "tensor \(principal.label) has the type \(principal.type.name), which is not supported here"
      )
    }
    for (position, input) in spec.inputs.enumerated() {
      if let input, input.sparsity != nil, !definition.sparseInputs.contains(position) {
        throw spec.unsupported("tensor \(input.label) is sparse, which is not supported here")
      }
    }
    return try definition.make(spec)
  }
}
