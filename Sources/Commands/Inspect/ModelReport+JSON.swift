import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusModelFile

/// The report as JSON; the names of the members are stable.
extension ModelReport {
  var json: JSONValue {
    var object = JSONObject(model: path, file.bytes)
    object.append("bytes", .integer(file.bytes.buffer.count))
    object.append("model_schema_version", .integer(file.version))
    object.append("description", .string(file.description))
    object.append("inputs", .array(main.inputs.map { .object(main.tensors[$0].json) }))
    object.append("outputs", .array(main.outputs.map { .object(main.tensors[$0].json) }))
    object.append("operators", .array(operatorUsage.map(json)))
    object.append("multiply_adds", plan == nil ? .null : .integer(multiplyAdds))
    object.append("weights", .array(weightUsage.map(json)))
    object.append("memory", memoryJSON)
    if details.showsPlan { object.append("plan", plan?.json ?? .null) }
    if let liteRT { object.append("litert", json(of: liteRT)) }
    object.append("signatures", .array(file.signatures.map(json)))
    object.append("metadata", metadata.json)
    object.append("subgraphs", .array(file.subgraphs.enumerated().map { json(of: $1, $0) }))
    object.append("can_run", .bool(refusal == nil))
    object.append("refusal", .string(orNull: refusal?.message))
    object.append(
      "problems",
      .array(
        problems.map { problem in
          [
            "subgraph": .integer(problem.subgraph), "operator": .string(problem.operatorName),
            "message": .string(problem.message), "nodes": .integers(problem.nodes),
          ]
        }))
    return .object(object)
  }

  private func json(of usage: OperatorUsage) -> JSONValue {
    let kernels = usage.kernels.sorted { $0.key < $1.key }.map { name, count -> JSONValue in
      ["name": .string(name), "nodes": .integer(count)]
    }
    return [
      "name": .string(usage.name), "count": .integer(usage.count),
      "versions": .integers(usage.versions.sorted()),
      "multiply_adds": plan == nil ? .null : .integer(usage.multiplyAdds),
      "kernels": .array(kernels),
    ]
  }

  private func json(of coverage: LiteRTCoverage) -> JSONValue {
    [
      "numerics": .string(orNull: details.liteRTProcessor?.numericsName),
      "nodes": .integer(coverage.nodeCount),
      "delegated": .integer(coverage.delegatedCount),
      "gaps": .array(
        coverage.gaps.map { gap in
          [
            "subgraph": .integer(gap.subgraph), "node": .integer(gap.node),
            "operator": .string(gap.operatorName), "reason": .string(gap.reason),
          ]
        }),
    ]
  }

  private func json(of usage: WeightUsage) -> JSONValue {
    [
      "type": .string(usage.type.name), "tensors": .integer(usage.count),
      "bytes": .integer(usage.byteCount),
    ]
  }

  private var memoryJSON: JSONValue {
    guard let plan else { return .null }
    return [
      "arena_bytes": .integer(plan.arenaByteCount),
      "tensor_bytes": .integer(plan.resultByteCount),
      "other_bytes": .integer(memoryInUse - plan.arenaByteCount),
      "packed_weight_bytes": .integer(plan.packedByteCount),
      "folded_nodes": .integers(plan.foldedNodes),
      "unplanned_nodes": .integer(plan.unplannedNodes.count),
    ]
  }

  private func json(of signature: SignatureRecord) -> JSONValue {
    func tensors(_ tensors: [NamedTensor]) -> JSONValue {
      .array(tensors.map { ["name": .string($0.name), "tensor": .integer($0.tensor)] })
    }
    return [
      "key": .string(signature.key), "subgraph": .integer(signature.subgraphIndex),
      "inputs": tensors(signature.inputs), "outputs": tensors(signature.outputs),
      "can_run": .bool(refusal == nil && !unusableSignatures.contains(signature.key)),
    ]
  }

  private func json(of subgraph: SubgraphRecord, _ index: Int) -> JSONValue {
    var object = JSONObject()
    object.append("name", .string(subgraph.name))
    object.append("inputs", .integers(subgraph.inputs))
    object.append("outputs", .integers(subgraph.outputs))
    object.append("node_count", .integer(subgraph.operators.count))
    object.append("tensor_count", .integer(subgraph.tensors.count))
    if details.showsNodes { object.append("nodes", nodes(of: subgraph, index)) }
    if details.showsTensors {
      object.append(
        "tensors",
        .array(
          subgraph.tensors.map { tensor in
            var object = tensor.json
            object.append("constant_bytes", tensor.data.map { .integer($0.count) } ?? .null)
            object.append("is_variable", .bool(tensor.isVariable))
            object.append("is_sparse", .bool(tensor.sparsity != nil))
            return .object(object)
          }))
    }
    return .object(object)
  }

  private func nodes(of subgraph: SubgraphRecord, _ index: Int) -> JSONValue {
    let planned = index == 0 ? plan?.nodes ?? [] : []
    let nodes = subgraph.operators.enumerated().map { position, node -> JSONValue in
      let code = file.operatorCodes[node.codeIndex]
      return [
        "operator": .string(code.name), "version": .integer(code.version),
        "inputs": .integers(node.inputs), "outputs": .integers(node.outputs),
        "multiply_adds": planned.indices.contains(position)
          ? .integer(planned[position].multiplyAdds) : .null,
        "kernel": .string(
          orNull: planned.indices.contains(position) ? planned[position].execution.kernelName : nil),
      ]
    }
    return .array(nodes)
  }
}
