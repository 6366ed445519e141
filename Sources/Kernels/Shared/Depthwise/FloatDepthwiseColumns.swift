import OcellusKernelABI

// XNNPACK follows a window column by column. Neighbouring windows of a row then share no pixels
// while these are in registers.

extension FloatDepthwiseRow {
  /// Computes windows inside the width of the input in fours, each column by column.
  ///
  /// - Returns: the first window that is not computed.
  @inline(never)
  func convolveColumns(_ first: Int, _ last: Int) -> Int {
    var x = first
    while last &- x >= 4 {
      convolveFourColumns(x)
      x &+= 4
    }
    return x
  }

  @inline(__always)
  private func convolveFourColumns(_ x: Int) {
    let vectorBytes = Self.vectorBytes
    let apart = geometry.strideWidth &* pixelBytes
    let columnBytes = geometry.dilationWidth &* pixelBytes
    let rowWeights = geometry.windowWidth &* vectorBytes
    let left = x &* geometry.strideWidth &- geometry.paddingLeft
    var window = top + (rows.lowerBound &* rowBytes &+ left &* pixelBytes)
    var block = arguments.packed
    var target = output + x &* pixelBytes
    var count = geometry.channels
    while count > 0 {
      var sums = WindowSums<Rounding>()
      sums.s0 = start(block)
      sums.s1 = sums.s0
      sums.s2 = sums.s0
      sums.s3 = sums.s0
      var column = window
      // The weights follow the bias.
      var weights = block + (vectorBytes &+ rows.lowerBound &* rowWeights)
      for _ in 0..<geometry.windowWidth {
        var pixels = column, weight = weights
        for _ in rows {
          sums.add(FourVectors(pixels, step: apart, vectors: 4), loadFloats(weight), vectors: 4)
          pixels += rowBytes
          weight += rowWeights
        }
        column += columnBytes
        weights += vectorBytes
      }
      store(sums, FloatVector(), count, to: target, apart: pixelBytes)
      window += vectorBytes
      target += vectorBytes
      block += blockBytes
      count &-= FloatVector.scalarCount
    }
  }
}
