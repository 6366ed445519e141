import OcellusEngine

/// A computed tensor in the arena, the memory that computed tensors share.
public struct ArenaAllocation: Sendable {
  /// The plan segment that owns the memory; most models have one.
  public let segment: Int
  /// The tensor's index in its subgraph.
  public let tensor: Int
  /// The offset of the first byte.
  public let offset: Int
  /// The size in bytes.
  public let byteCount: Int
  /// The node that computes the tensor.
  public let firstNode: Int
  /// The last node that reads the tensor.
  public let lastNode: Int
}

extension PlanDescription {
  /// Returns the tensors in the arena with their lifetimes; unread results live to the end.
  func tenants(readBy facts: [NodeFacts]) -> [ArenaAllocation] {
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
        return ArenaAllocation(
          segment: segment, tensor: result.tensor, offset: offset, byteCount: byteCount,
          firstNode: node.index, lastNode: lastReaders[result.tensor] ?? nodes.count - 1)
      }
    }
  }
}
