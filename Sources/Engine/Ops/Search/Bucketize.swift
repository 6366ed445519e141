import OcellusModelFile

/// BUCKETIZE: for every number, how many of the sorted boundaries are not above it.
package struct Bucketize: Operator {
  package static let definition = OperatorDefinition(
    "BUCKETIZE", types: [.float32, .float64, .int32, .int64], resultType: .always(.int32)
  ) { node throws(ModelError) in try Self(node) }

  private let boundaries: [Float]

  private init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1)
    _ = try node.input(0)
    try node.require(try node.output(0), .int32)
    let options = node.options(BuiltinOptionsTag.bucketize)
    let boundaries = try options.floats(0)
    try node.require(boundaries != nil || !options.isPresent, "has no boundaries")
    self.boundaries = boundaries ?? []
    let pairs = zip(self.boundaries, self.boundaries.dropFirst())
    try node.require(pairs.allSatisfy { !($1 < $0) }, "the boundaries are not sorted")
  }

  package func outputShapes(_ context: ShapeContext) -> [Shape] { [context.shape(0)] }

  package func run(_ context: RunContext) {
    let (input, buckets) = (context.input(0), context.output(0).values(Int32.self))
    switch input.type {
    case .float64:
      for (index, value) in input.values(Double.self).enumerated() {
        buckets[index] = bucket { value < Double($0) }
      }
    // As in C++, integers are compared as the floats next to them.
    case .int32:
      for (index, value) in input.values(Int32.self).enumerated() {
        buckets[index] = bucket { Float(value) < $0 }
      }
    case .int64:
      for (index, value) in input.values(Int64.self).enumerated() {
        buckets[index] = bucket { Float(value) < $0 }
      }
    default:
      for (index, value) in input.values(Float.self).enumerated() {
        buckets[index] = bucket { value < $0 }
      }
    }
  }

  /// The position of the first boundary above a number; behind the last one for NaN.
  private func bucket(_ isBelow: (Float) -> Bool) -> Int32 {
    var (first, count) = (0, boundaries.count)
    while count > 0 {
      let half = count / 2
      if isBelow(boundaries[first + half]) {
        count = half
      } else {
        first += half + 1
        count -= half + 1
      }
    }
    return Int32(truncatingIfNeeded: first)
  }
}
