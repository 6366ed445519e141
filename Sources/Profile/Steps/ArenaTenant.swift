import OcellusEngine

/// A tensor in the memory that computed tensors share.
public struct ArenaTenant: Sendable {
  /// The stretch of the plan whose memory it is; most models have one.
  public let segment: Int
  /// The tensor's number in its subgraph.
  public let tensor: Int
  /// Its first byte.
  public let offset: Int
  /// Its bytes.
  public let byteCount: Int
  /// The node that makes it.
  public let firstNode: Int
  /// The last node that reads it.
  public let lastNode: Int
}

extension PlanDescription {
  /// Who has which bytes from which node to which; results that are read by none stay to the end.
  func tenants(readBy facts: [NodeFacts]) -> [ArenaTenant] {
    var lastReaders: [Int: Int] = [:]
    for fact in facts {
      for input in fact.inputs {
        lastReaders[input.index] = max(lastReaders[input.index] ?? 0, fact.key.node)
      }
    }
    return nodes.flatMap { node in
      node.results.compactMap { result in
        guard case .arena(let offset, let byteCount) = result.place, let segment = node.segment
        else { return nil }
        return ArenaTenant(
          segment: segment, tensor: result.tensor, offset: offset, byteCount: byteCount,
          firstNode: node.index, lastNode: lastReaders[result.tensor] ?? nodes.count - 1)
      }
    }
  }
}
