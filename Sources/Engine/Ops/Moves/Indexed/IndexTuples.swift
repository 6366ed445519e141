/// Places in a tensor, each given by an index for each of its leading axes: the last axis of the
/// index operand of GATHER_ND and SCATTER_ND.
package struct IndexTuples {
  private let indices: IntegerElements
  /// The axes that have an index are the first `depth` of these.
  private let shape: Shape
  private let depth: Int

  /// The number of places.
  package let count: Int
  /// The elements at each place: the product of the axes that have no index.
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
    // Tuples of nothing take no memory, so that there may be any number of them.
    guard depth > 0 else { return }
    for chunk in context.chunks(of: count, workOfEach: depth) {
      for place in chunk {
        for axis in 0..<depth {
          let (index, extent) = (indices[place &* depth &+ axis], shape[axis])
          guard index < 0 || index >= extent else { continue }
          try context.require(false, "index \(index) is not below \(extent)")
        }
      }
    }
    // Indices that nobody has looked at must not be used.
    try context.checkpoint()
  }

  /// The number of the slice at a place.
  package func slice(_ place: Int) -> Int {
    var slice = 0
    for axis in 0..<depth { slice = slice &* shape[axis] &+ indices[place &* depth &+ axis] }
    return slice
  }
}
