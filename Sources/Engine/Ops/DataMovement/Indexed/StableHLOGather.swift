import OcellusModelFile

/// STABLEHLO_GATHER: slices of a tensor, each beginning at a vector of indices, moved inwards where
/// it would not fit.
package struct StableHLOGather: Operator {
  package static let definition = OperatorDefinition(
    "STABLEHLO_GATHER", types: ElementType.upTo64Bits
  ) { node throws(ModelError) in try Self(node) }

  /// The axes of the result that run through a slice.
  private let offsetAxes: [Int]
  /// The axes of the operand that a slice has but the result lacks.
  private let collapsedAxes: [Int]
  private let starts: IndexVectors
  private let sliceExtents: [Int]
  /// The official kernel takes the rank of the result from the file.
  private let resultRank: Int

  private init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    try node.requireSameType(try node.input(0), try node.output(0))
    try node.require(try node.input(1), .int32, .int64)
    let options = node.options2(BuiltinOptions2Tag.stablehloGather)
    offsetAxes = try options.integers(0, as: Int64.self) ?? []
    collapsedAxes = try options.integers(1, as: Int64.self) ?? []
    starts = IndexVectors(
      axis: try options.integer(3, as: Int64.self),
      operandAxes: try options.integers(2, as: Int64.self) ?? [])
    sliceExtents = try options.integers(4, as: Int64.self) ?? []
    resultRank = try node.output(0).shape.rank
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let operand = context.shape(0)
    try context.require(
      sliceExtents.count == operand.rank
        && zip(sliceExtents, operand.dimensions).allSatisfy { (0...$1).contains($0) },
      "the slice \(sliceExtents) does not fit")
    try context.require(
      collapsedAxes.areDistinctAxes(rank: operand.rank)
        && offsetAxes.areDistinctAxes(rank: resultRank)
        && collapsedAxes.count + offsetAxes.count == operand.rank
        && collapsedAxes.allSatisfy { sliceExtents[$0] > 0 },
      "the axes \(offsetAxes) and \(collapsedAxes) do not make up a slice")
    try starts.check(context, indices: context.shape(1), operandRank: operand.rank)
    let batch = starts.batchShape(of: context.shape(1))
    try context.require(
      batch.rank + offsetAxes.count == resultRank, "the result must have \(resultRank) dimensions")
    var result = Shape([Int](repeating: 0, count: resultRank))
    for (axis, extent) in zip(sortedOffsetAxes, windowAxes.map { sliceExtents[$0] }) {
      result[axis] = extent
    }
    for (axis, extent) in zip(batchAxes, batch.dimensions) { result[axis] = extent }
    return [result]
  }

  private var sortedOffsetAxes: [Int] { offsetAxes.sorted() }
  private var batchAxes: [Int] { (0..<resultRank).filter { !offsetAxes.contains($0) } }
  /// The axes of the operand that `sortedOffsetAxes` run through.
  private var windowAxes: [Int] { sliceExtents.indices.filter { !collapsedAxes.contains($0) } }

  package func run(_ context: RunContext) {
    let (operand, indices, output) = (context.input(0), context.input(1), context.output(0))
    guard output.elementCount > 0 else { return }
    let width = output.type.byteWidth ?? 1
    let (strides, resultStrides) = (operand.shape.strides, output.shape.strides)
    let slice = StridedCopy(
      extents: windowAxes.map { sliceExtents[$0] },
      source: .init(strides: windowAxes.map { strides[$0] }),
      destination: .init(strides: sortedOffsetAxes.map { resultStrides[$0] }))
    let reader = starts.reader(of: indices)
    let batchAxes = batchAxes
    let batchStrides = Shape(batchAxes.map { output.shape[$0] }).strides
    var start = [Int](repeating: 0, count: operand.shape.rank)
    for chunk in context.chunks(of: reader.count, workOfEach: 64 + slice.elementCount) {
      for batch in chunk {
        var destination = 0
        var rest = batch
        for (axis, stride) in zip(batchAxes, batchStrides) {
          destination += rest / stride * resultStrides[axis]
          rest %= stride
        }
        reader.read(batch, into: &start)
        var source = 0
        for axis in start.indices {
          let last = operand.shape[axis] - sliceExtents[axis]
          source += max(0, min(start[axis], last)) * strides[axis]
        }
        slice.run(
          from: operand.bytes.baseAddress.map { $0 + source * width },
          to: output.bytes.baseAddress.map { $0 + destination * width }, elementWidth: width,
          context.control)
      }
    }
  }
}
