/// Positions in a tensor, each a tuple with an index for each of the leading axes: the last axis of
/// the index operand of GATHER_ND and SCATTER_ND.
package struct IndexTuples {
  private let indices: IntegerElements
  /// The shape of the tensor, whose first `depth` axes have an index.
  private let shape: Shape
  private let depth: Int

  /// The number of positions.
  package let count: Int
  /// The number of elements at each position: the product of the axes that have no index.
  package let sliceLength: Int

  /// Reads the indices.
  ///
  /// - Throws: invalid data when one is out of range.
  /// - Precondition: the last extent of `tensor` is at most the rank of `shape`.
  package init(_ tensor: TensorView, into shape: Shape, _ context: RunContext) throws(ModelError) {
    self.shape = shape
    depth = tensor.shape[-1]
    indices = tensor.integers
    count = tensor.shape.product(of: 0..<(tensor.shape.rank - 1))
    sliceLength = shape.product(of: depth..<shape.rank)
    // Empty tuples take no memory, so there may be any number of them.
    guard depth > 0 else { return }
    for chunk in context.chunks(of: count, workOfEach: depth) {
      for position in chunk {
        for axis in 0..<depth {
          let (index, extent) = (indices[position &* depth &+ axis], shape[axis])
          guard index < 0 || index >= extent else { continue }
          try context.require(false, "index \(index) is not below \(extent)")
        }
      }
    }
    // If the run was stopped, some indices were not checked and must not be used.
    try context.checkpoint()
  }

  /// Returns the index of the slice at a position.
  package func slice(_ position: Int) -> Int {
    var slice = 0
    for axis in 0..<depth { slice = slice &* shape[axis] &+ indices[position &* depth &+ axis] }
    return slice
  }
}
