// The orders in which instruction sets want their operands; what is not here is in their folders.

#if !BLOCK_PRODUCTS
  /// Rows are filled up to what one `dot` takes.
  let depthPerBlock = depthPerDot

  /// Turns the weights of some steps into what blocks of rows and columns are multiplied with.
  @inline(__always)
  func arrangeBlocks(_: UnsafeMutableRawPointer, steps _: Int) {}
#endif

#if !PLANAR_PAIRS
  /// Turns vectors of weights, lane by lane those of one column, into what `dot` takes.
  @inline(__always)
  func arrangeWeights(_: UnsafeMutableRawPointer, vectors _: Int) {}

  /// The same for a vector of activations.
  @inline(__always)
  func arranged(_ activations: SumVector) -> SumVector { activations }
#endif
