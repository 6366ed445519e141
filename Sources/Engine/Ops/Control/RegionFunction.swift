import OcellusModelFile

/// The function of two elements that the subgraph of a StableHLO operator computes.
///
/// The official kernels inspect the only node of the subgraph instead of running it.
package enum RegionComputation: Sendable {
  /// Returns the second element: a subgraph without nodes.
  case replace
  case add
  case multiply
  case minimum
  case maximum
  case and
  case or

  /// - Returns: `nil` if the subgraph computes anything else.
  package init?(subgraph: Int, of node: NodeSpec) throws(ModelError) {
    guard node.subgraphs.indices.contains(subgraph) else {
      throw node.error("there is no subgraph \(subgraph)", .malformed)
    }
    let operators = node.subgraphs[subgraph].operators
    guard let first = operators.first else {
      self = .replace
      return
    }
    let name = node.operatorCodes[first.codeIndex].name
    guard operators.count == 1, let computation = Self.byName[name] else { return nil }
    self = computation
  }

  private static let byName: [String: Self] = [
    "ADD": .add, "STABLEHLO_ADD": .add, "MUL": .multiply, "STABLEHLO_MULTIPLY": .multiply,
    "MINIMUM": .minimum, "STABLEHLO_MINIMUM": .minimum, "MAXIMUM": .maximum,
    "STABLEHLO_MAXIMUM": .maximum, "LOGICAL_AND": .and, "STABLEHLO_AND": .and,
    "LOGICAL_OR": .or, "STABLEHLO_OR": .or,
  ]

  /// The same computation on truth values, whose sums and products stay zero or one.
  package var onTruthValues: Self {
    switch self {
    case .add, .maximum: .or
    case .multiply, .minimum: .and
    default: self
    }
  }
}

/// A region's computation on one type; returns the first element if either is NaN.
package struct RegionFunction<Value: PlainArithmetic>: BinaryFunction {
  package let computation: RegionComputation

  package init(_ computation: RegionComputation) { self.computation = computation }

  @inline(__always)
  package func callAsFunction(_ a: Value, _ b: Value) -> Value {
    switch computation {
    case .replace: b
    case .add: .sum(a, b)
    case .multiply: .product(a, b)
    case .minimum: b < a ? b : a
    case .maximum: b > a ? b : a
    case .and: a != 0 && b != 0 ? 1 : 0
    case .or: a != 0 || b != 0 ? 1 : 0
    }
  }
}
