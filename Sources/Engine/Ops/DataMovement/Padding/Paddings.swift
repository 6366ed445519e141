/// The numbers of elements that are added before and after each axis: the operand of the padding
/// operators, with a row of two numbers for each axis.
package struct Paddings {
  package private(set) var before: [Int] = []
  package private(set) var after: [Int] = []

  /// Reads the operand at `input`, which must be in `shapeInputs`.
  ///
  /// - Throws: a mismatch unless there is a row for every axis of the padded operand, and all
  ///   numbers are 0 or more and small enough to be added.
  package init(_ context: ShapeContext, input: Int, rank: Int) throws(ModelError) {
    let values = try context.integers(input)
    try context.require(
      context.shape(input).dimensions == [rank, 2] && values.count == 2 * rank,
      "needs two paddings for each of \(rank) dimensions")
    for axis in 0..<rank {
      let pair = (values[2 * axis], values[2 * axis + 1])
      try context.require(
        (0...Int(Int32.max)).contains(pair.0) && (0...Int(Int32.max)).contains(pair.1),
        "the paddings \(pair) of axis \(axis) are out of range")
      before.append(pair.0)
      after.append(pair.1)
    }
  }

  /// Returns the paddings for axes that have this order in memory; the rank is the same.
  func reordered(_ order: AxisOrder) -> Paddings {
    var reordered = self
    (reordered.before, reordered.after) = (order.stored(before), order.stored(after))
    return reordered
  }

  /// Returns a shape with the paddings added.
  package func grown(_ shape: Shape) -> Shape {
    Shape(shape.dimensions.indices.map { before[$0] + shape[$0] + after[$0] })
  }

  /// Returns the copy of a tensor of `shape` to the middle of `result`.
  package func centre(_ shape: Shape, in result: Shape) -> StridedCopy {
    let strides = result.strides
    let offset = zip(before, strides).reduce(0) { $0 + $1.0 * $1.1 }
    return StridedCopy(
      extents: shape.dimensions, source: .init(shape),
      destination: .init(offset: offset, strides: strides))
  }
}
