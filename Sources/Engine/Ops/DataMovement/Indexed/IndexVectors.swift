/// A tensor of indices whose vectors say where windows of STABLEHLO_GATHER or STABLEHLO_SCATTER
/// begin in an operand; they lie along one axis, or along an implied last one of extent 1.
package struct IndexVectors: Sendable {
  /// The axis that vectors lie along; the rank where it is implied.
  package let axis: Int
  /// The operand's axis for each element of a vector.
  package let operandAxes: [Int]

  package init(axis: Int, operandAxes: [Int]) {
    self.axis = axis
    self.operandAxes = operandAxes
  }

  package func check(
    _ context: ShapeContext, indices: Shape, operandRank: Int
  ) throws(ModelError) {
    try context.require(
      (0...indices.rank).contains(axis), "there is no axis \(axis) of index vectors")
    let length = axis < indices.rank ? indices[axis] : 1
    try context.require(
      operandAxes.count == length && operandAxes.areDistinctAxes(rank: operandRank),
      "index vectors of \(length) numbers do not fit the axes \(operandAxes)")
  }

  /// Returns the shape of the indices without the axis of the vectors.
  package func batchShape(of indices: Shape) -> Shape {
    Shape(indices.dimensions.indices.filter { $0 != axis }.map { indices[$0] })
  }

  package func reader(of indices: TensorView) -> Reader {
    let inner =
      axis < indices.shape.rank
      ? indices.shape.product(of: (axis + 1)..<indices.shape.rank) : 1
    return Reader(
      operandAxes: operandAxes, integers: indices.integers,
      count: batchShape(of: indices.shape).elementCount, stride: inner)
  }

  /// A reader of the vectors, in row-major order of the other axes.
  package struct Reader {
    fileprivate let operandAxes: [Int]
    fileprivate let integers: IntegerElements
    /// The number of vectors.
    package let count: Int
    fileprivate let stride: Int

    /// Sets the elements of `start` for the axes of the vector; `start` has as many elements as the
    /// operand has axes.
    package func read(_ vector: Int, into start: inout [Int]) {
      let first = vector / stride * stride * operandAxes.count + vector % stride
      for (position, axis) in operandAxes.enumerated() {
        start[axis] = integers[first + position * stride]
      }
    }
  }
}

extension [Int] {
  /// Whether these are axes of a tensor, none of them twice.
  package func areDistinctAxes(rank: Int) -> Bool {
    allSatisfy { (0..<rank).contains($0) } && Set(self).count == count
  }
}
