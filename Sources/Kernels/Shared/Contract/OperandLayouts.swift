// The default orders of GEMM operands; instruction sets with other orders define them in their
// folders.

#if MATRIX_TILES
  /// Rows are padded to the depth of a tile.
  let depthPerBlock = MatrixTiles.depth
#elseif !BLOCK_PRODUCTS
  /// Rows are padded to the depth of one `dot`.
  let depthPerBlock = depthPerDot
#endif

#if !BLOCK_PRODUCTS
  /// Rearranges the weights of some steps for multiplications of row and column blocks.
  @inline(__always)
  func arrangeBlocks(_: UnsafeMutableRawPointer, steps _: Int) {}
#endif

#if !PLANAR_PAIRS
  /// Rearranges vectors of weights, one column per lane, to the operand order of `dot`.
  @inline(__always)
  func arrangeWeights(_: UnsafeMutableRawPointer, vectors _: Int) {}

  /// Rearranges a vector of activations to the operand order of `dot`.
  @inline(__always)
  func arranged(_ activations: SumVector) -> SumVector { activations }
#endif
