import OcellusModelFile

/// BUCKETIZE: for every number, the count of sorted boundaries that are not above it.
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
    switch context.input(0).type {
    case .float64: sort(context, Double.self) { $0 < Double($1) }
    // As in C++, integers are converted to float for the comparison.
    case .int32: sort(context, Int32.self) { Float($0) < $1 }
    case .int64: sort(context, Int64.self) { Float($0) < $1 }
    default: sort(context, Float.self) { $0 < $1 }
    }
  }

  @inline(__always)
  private func sort<Number: BitwiseCopyable>(
    _ context: RunContext, _: Number.Type, _ isBelow: (Number, _ boundary: Float) -> Bool
  ) {
    let numbers = context.input(0).values(Number.self)
    let buckets = context.output(0).values(Int32.self)
    for chunk in context.chunks(of: numbers.count, workOfEach: 32) {
      for index in chunk { buckets[index] = bucket { isBelow(numbers[index], $0) } }
    }
  }

  /// Returns the index of the first boundary above a number; the end for NaN.
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
