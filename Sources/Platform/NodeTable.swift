/// A value for each node or tensor, by its subgraph and its index there.
///
/// The table is as large as the highest indices in it. A dictionary would be one more generic type
/// to instantiate, whose first use takes as long as planning a few nodes.
///
/// It is public so that other modules can specialise it for their types.
public struct NodeTable<Value> {
  @usableFromInline let initial: Value
  @usableFromInline var values: [[Value]] = []

  /// Makes a table that has one value everywhere.
  @inlinable public init(_ initial: Value) { self.initial = initial }

  /// The value of a node or tensor.
  @inlinable public subscript(index: Int, in subgraph: Int) -> Value {
    get {
      guard subgraph < values.count, index < values[subgraph].count else { return initial }
      return values[subgraph][index]
    }
    set {
      while values.count <= subgraph { values.append([]) }
      while values[subgraph].count <= index { values[subgraph].append(initial) }
      values[subgraph][index] = newValue
    }
  }
}

extension NodeTable: Sendable where Value: Sendable {}
