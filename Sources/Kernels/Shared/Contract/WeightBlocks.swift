// Where products take blocks of rows and columns (`BLOCK_PRODUCTS`), these are in the folder of the
// instruction set.
#if !BLOCK_PRODUCTS
  /// Rows are filled up to what one `dot` takes.
  let depthPerBlock = depthPerDot

  /// Weights stay as `dot` takes them.
  @inline(__always)
  func arrangeBlocks(_: UnsafeMutableRawPointer, steps _: Int) {}
#endif
