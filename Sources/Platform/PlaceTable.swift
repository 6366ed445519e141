/// Something of each node or tensor, by their subgraph and their number there.
///
/// A table as large as the highest numbers in it. A dictionary would be a type of its own, which costs a
/// program as much time, where it is first used, as planning a few nodes.
///
/// Public, for other modules to have a copy of its code for each of their types.
public struct PlaceTable<Value> {
  @usableFromInline let initial: Value
  @usableFromInline var values: [[Value]] = []

  /// A table of one value everywhere.
  @inlinable public init(_ initial: Value) { self.initial = initial }

  /// What belongs to a node or tensor.
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

extension PlaceTable: Sendable where Value: Sendable {}
