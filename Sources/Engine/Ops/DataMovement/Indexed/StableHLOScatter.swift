import OcellusModelFile

/// STABLEHLO_SCATTER: a tensor that is combined with windows of updates, each beginning at a vector
/// of indices; elements outside the tensor are ignored.
package struct StableHLOScatter: Operator {
  package static let definition = OperatorDefinition(
    "STABLEHLO_SCATTER",
    types: [
      .float16, .float32, .float64, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32,
      .uint64, .bool,
    ]
  ) { node throws(ModelError) in try Self(node) }

  /// The axes of the updates that run through a window.
  private let windowAxes: [Int]
  /// The axes of the operand that windows do not have.
  private let insertedAxes: [Int]
  private let starts: IndexVectors
  private let computation: RegionComputation

  private init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3)
    let input = try node.input(0)
    try node.requireSameType(input, try node.input(2))
    try node.requireSameType(input, try node.output(0))
    try node.require(try node.input(1), .int32, .int64)
    let options = node.options2(BuiltinOptions2Tag.stablehloScatter)
    windowAxes = try options.integers(1, as: Int64.self) ?? []
    insertedAxes = try options.integers(2, as: Int64.self) ?? []
    starts = IndexVectors(
      axis: try options.integer(4, as: Int64.self),
      operandAxes: try options.integers(3, as: Int64.self) ?? [])
    let computation = try RegionComputation(subgraph: try options.integer(6), of: node)
    guard let computation, computation != .and, computation != .or else {
      throw node.unsupported("its subgraph computes nothing that is supported")
    }
    self.computation = input.type == .bool ? computation.onTruthValues : computation
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (operand, updates) = (context.shape(0), context.shape(2))
    try context.require(
      insertedAxes.areDistinctAxes(rank: operand.rank)
        && windowAxes.areDistinctAxes(rank: updates.rank)
        && insertedAxes.count + windowAxes.count == operand.rank,
      "the axes \(windowAxes) and \(insertedAxes) do not make up a window")
    try starts.check(context, indices: context.shape(1), operandRank: operand.rank)
    let batch = updates.dimensions.indices.filter { !windowAxes.contains($0) }
    try context.require(
      batch.map { updates[$0] } == starts.batchShape(of: context.shape(1)).dimensions,
      "the updates do not fit the indices")
    return [operand]
  }

  package func run(_ context: RunContext) {
    context.input(0).copyBytes(to: context.output(0))
    switch context.output(0).type {
    case .float16: scatter(context, of: Float16.self)
    case .float32: scatter(context, of: Float.self)
    case .float64: scatter(context, of: Double.self)
    case .int8: scatter(context, of: Int8.self)
    case .int16: scatter(context, of: Int16.self)
    case .int32: scatter(context, of: Int32.self)
    case .int64: scatter(context, of: Int64.self)
    case .uint16: scatter(context, of: UInt16.self)
    case .uint32: scatter(context, of: UInt32.self)
    case .uint64: scatter(context, of: UInt64.self)
    default: scatter(context, of: UInt8.self)
    }
  }

  private func scatter<Value: PlainArithmetic>(_ context: RunContext, of _: Value.Type) {
    let (updates, output) = (context.input(2), context.output(0))
    let (values, results) = (updates.values(Value.self), output.values(Value.self))
    guard !values.isEmpty, !results.isEmpty else { return }
    let function = RegionFunction<Value>(computation)
    let reader = starts.reader(of: context.input(1))
    let operandAxes = output.shape.dimensions.indices.filter { !insertedAxes.contains($0) }
    let batchAxes = updates.shape.dimensions.indices.filter { !windowAxes.contains($0) }
    let batchStrides = Shape(batchAxes.map { updates.shape[$0] }).strides
    let (updateStrides, strides) = (updates.shape.strides, output.shape.strides)
    var position = [Int](repeating: 0, count: output.shape.rank)
    for chunk in context.chunks(of: values.count, workOfEach: 64) {
      for index in chunk {
        func coordinate(_ axis: Int) -> Int { index / updateStrides[axis] % updates.shape[axis] }
        var batch = 0
        for (axis, stride) in zip(batchAxes, batchStrides) { batch += coordinate(axis) * stride }
        for axis in position.indices { position[axis] = 0 }
        reader.read(batch, into: &position)
        for (axis, windowAxis) in zip(operandAxes, windowAxes) {
          position[axis] = position[axis] &+ coordinate(windowAxis)
        }
        var offset = 0
        let isInside = position.indices.allSatisfy { axis in
          offset &+= position[axis] &* strides[axis]
          return (0..<output.shape[axis]).contains(position[axis])
        }
        if isInside { results[offset] = function(results[offset], values[index]) }
      }
    }
  }
}
