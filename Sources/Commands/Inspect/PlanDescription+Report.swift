import OcellusEngine
import OcellusJSON

extension PlanDescription {
  /// The nodes with constant results, which never run.
  var foldedNodes: [Int] { nodes.filter { $0.execution == .folded }.map(\.index) }

  /// The nodes whose shapes depend on data.
  var unplannedNodes: [Int] { nodes.filter { $0.execution == .unplanned }.map(\.index) }

  /// The execution of each node and the storage of its results, as text.
  var lines: String {
    var text = ""
    for (position, segment) in segments.enumerated() {
      let count = segments.count > 1 ? "segment \(position), " : ""
      text += "  \(count)nodes \(segment.nodes.lowerBound) to \(segment.nodes.upperBound - 1): "
      text += "arena of \(segment.arenaByteCount.byteText)\n"
    }
    var table = TextTable([
      .right("node"), .left("operator"), .left("runs as"), .right("multiply-adds"),
      .right("works in"), .left("results"),
    ])
    for node in nodes {
      table.add([
        "\(node.index)", node.operatorName, node.executionText,
        node.multiplyAdds == 0 ? "" : node.multiplyAdds.grouped,
        node.scratchByteCount == 0 ? "" : node.scratchByteCount.byteText,
        node.results.map(\.text).joined(separator: ", "),
      ])
    }
    return text + table.text(indent: 2)
  }

  /// The plan as JSON; the names of the members are stable.
  var json: JSONValue {
    [
      "segments": .array(
        segments.map { segment in
          [
            "first_node": .integer(segment.nodes.lowerBound),
            "node_count": .integer(segment.nodes.count),
            "arena_bytes": .integer(segment.arenaByteCount),
          ]
        }), "nodes": .array(nodes.map(\.json)),
    ]
  }
}

extension PlanDescription.Execution {
  /// The name of the case and, if another node does the work, its index.
  fileprivate var json: [(String, JSONValue)] {
    switch self {
    case .kernel(let name): [("runs_as", "kernel"), ("kernel", .string(name))]
    case .reference(let reason): [("runs_as", "reference"), ("reason", .string(reason))]
    case .view: [("runs_as", "view")]
    case .fused(let node): [("runs_as", "fused"), ("by_node", .integer(node))]
    case .fusedGroup(let node): [("runs_as", "chained"), ("by_node", .integer(node))]
    case .folded: [("runs_as", "folded")]
    case .unplanned: [("runs_as", "unplanned")]
    }
  }
}

extension PlanDescription.Node {
  /// How the node runs, and whether a measurement has chosen its strategy.
  var executionText: String {
    execution.description + (strategy?.basis == .measurement ? ", measured" : "")
  }

  fileprivate var json: JSONValue {
    var object = JSONObject()
    object.append("node", .integer(index))
    object.append("operator", .string(operatorName))
    for (name, value) in execution.json { object.append(name, value) }
    object.append("chosen_by", .string(orNull: strategy?.basis.rawValue))
    object.append("multiply_adds", .integer(multiplyAdds))
    object.append("scratch_bytes", .integer(scratchByteCount))
    object.append("results", .array(results.map(\.json)))
    return .object(object)
  }
}

extension PlanDescription.Result {
  fileprivate var text: String {
    let name = "\(tensor) \(shape?.description ?? "")"
    return switch place {
    case .arena(let offset, let byteCount): "\(name) at \(offset) (\(byteCount.byteText))"
    case .own(let byteCount): "\(name) (\(byteCount.byteText) of its own)"
    case .none: name
    }
  }

  fileprivate var json: JSONValue {
    var object = JSONObject()
    object.append("tensor", .integer(tensor))
    object.append("shape", shape.map { .integers($0.dimensions) } ?? .null)
    switch place {
    case .arena(let offset, let byteCount):
      object.append("arena_offset", .integer(offset))
      object.append("bytes", .integer(byteCount))
    case .own(let byteCount):
      object.append("arena_offset", .null)
      object.append("bytes", .integer(byteCount))
    case .none:
      object.append("arena_offset", .null)
      object.append("bytes", 0)
    }
    return .object(object)
  }
}
