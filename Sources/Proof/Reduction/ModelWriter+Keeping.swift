import OcellusModelFile

extension ModelWriter {
  /// Returns a model that consists of some nodes of a subgraph.
  ///
  /// Tensors that other nodes computed become inputs. The outputs are those of the subgraph, and
  /// results that no kept node reads. Subgraphs that the nodes call are kept whole.
  func keeping(nodes: [Int], ofSubgraph index: Int = 0) -> ModelWriter {
    let source = subgraphs[index]
    var main = source
    main.operators = nodes.map { source.operators[$0] }
    let produced = Set(main.operators.flatMap(\.outputs))
    let read = Set(main.operators.flatMap { $0.inputs + $0.intermediates })
    let needed = read.subtracting(produced).filter { tensor in
      tensor >= 0 && source.tensors[tensor].constant == nil && !source.tensors[tensor].isVariable
        && !main.operators.contains { $0.intermediates.contains(tensor) }
    }
    main.inputs = source.inputs.filter(needed.contains)
    main.inputs += needed.subtracting(main.inputs).sorted()
    let ends = source.outputs.filter { produced.contains($0) }
    main.outputs = ends
    main.outputs += produced.subtracting(read).subtracting(ends).sorted()
    // Subgraphs that nobody calls any more would otherwise be kept; the first one is the main one.
    var model = ModelWriter(description: description, subgraphs: [main.withoutUnusedTensors()])
    model.appendCalledSubgraphs(of: self)
    return model
  }

  /// Appends the subgraphs that nodes call, and gives them their new numbers.
  private mutating func appendCalledSubgraphs(of source: ModelWriter) {
    var numbers: [Int: Int] = [:]
    var position = 0
    while position < subgraphs.count {
      for operation in subgraphs[position].operators {
        for called in operation.calledSubgraphs
        where source.subgraphs.indices.contains(called) && numbers[called] == nil {
          numbers[called] = subgraphs.count
          subgraphs.append(source.subgraphs[called])
        }
      }
      position += 1
    }
    for subgraph in subgraphs.indices {
      for node in subgraphs[subgraph].operators.indices {
        subgraphs[subgraph].operators[node].renumberSubgraphs(numbers)
      }
    }
  }
}

extension ModelWriter.Subgraph {
  /// Returns the subgraph without tensors that nothing refers to.
  func withoutUnusedTensors() -> Self {
    let used = operators.flatMap { $0.inputs + $0.outputs + $0.intermediates } + inputs + outputs
    var kept = Set(used.filter { $0 >= 0 })
    for tensor in kept {
      kept.formUnion(tensors[tensor].quantization?.tensors.filter { $0 >= 0 } ?? [])
    }
    let order = kept.sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
    func renumbered(_ tensor: Int) -> Int { numbers[tensor] ?? -1 }
    var smaller = self
    smaller.tensors = order.map { tensors[$0] }
    for index in smaller.tensors.indices {
      smaller.tensors[index].quantization?.renumberTensors(renumbered)
    }
    smaller.inputs = inputs.map(renumbered)
    smaller.outputs = outputs.map(renumbered)
    for index in smaller.operators.indices {
      smaller.operators[index].inputs = smaller.operators[index].inputs.map(renumbered)
      smaller.operators[index].outputs = smaller.operators[index].outputs.map(renumbered)
      smaller.operators[index].intermediates = smaller.operators[index].intermediates.map(
        renumbered)
    }
    return smaller
  }
}

extension ModelWriter.Operator {
  /// The subgraphs that the operator calls.
  fileprivate var calledSubgraphs: [Int] {
    let fields =
      (options?.subgraphFields(OptionsSchema.builtinOptions(tag:)) ?? [])
      + (options2?.subgraphFields(OptionsSchema.builtinOptions2(tag:)) ?? [])
    return fields.flatMap { field -> [Int] in
      switch field.value {
      case .int32(let index): [Int(index)]
      case .int32s(let indices): indices.map(Int.init)
      default: []
      }
    }
  }

  fileprivate mutating func renumberSubgraphs(_ numbers: [Int: Int]) {
    options?.renumberSubgraphs(numbers, OptionsSchema.builtinOptions(tag:))
    options2?.renumberSubgraphs(numbers, OptionsSchema.builtinOptions2(tag:))
  }
}

extension ModelWriter.Options {
  /// Returns the fields that hold numbers of subgraphs; a missing one means subgraph 0.
  fileprivate func subgraphFields(
    _ schema: (Int) -> OptionsSchema?
  ) -> [(field: Int, value: FlatValue)] {
    guard let schema = schema(tag) else { return [] }
    return schema.fields.enumerated().compactMap { index, field in
      guard field.refersToSubgraphs else { return nil }
      let first: FlatValue? = field.kind == .int32 ? .int32(0) : nil
      return (fields[index] ?? first).map { (index, $0) }
    }
  }

  fileprivate mutating func renumberSubgraphs(
    _ numbers: [Int: Int], _ schema: (Int) -> OptionsSchema?
  ) {
    // A number of a subgraph that does not exist must not become that of one that does.
    func renumbered(_ index: Int32) -> Int32 { numbers[Int(index)].map(Int32.init) ?? .max }
    for (field, value) in subgraphFields(schema) {
      switch value {
      case .int32(let index): fields[field] = .int32(renumbered(index))
      case .int32s(let indices): fields[field] = .int32s(indices.map(renumbered))
      default: break
      }
    }
  }
}
