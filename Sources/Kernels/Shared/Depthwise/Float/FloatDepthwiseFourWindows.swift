import OcellusKernelABI

// Windows inside the width of the input, four at a time: pixels that they share are loaded once.
//
// Hot loops are written out without closures: a closure with several calls is not inlined, and sums
// would go through memory.

extension FloatDepthwiseRow {
  /// Computes the windows from `first` on in fours; the last four may overlap those before if at
  /// least two windows are left.
  ///
  /// `windows` are those inside the input, at least four. If `next` is given, its windows are
  /// computed too.
  ///
  /// - Returns: the first window that is not computed.
  @inline(__always)
  func convolveFours(_ first: Int, _ windows: Range<Int>, _ next: FloatDepthwiseRow?) -> Int {
    if let next {
      return geometry.windowWidth == 3
        ? convolvePairs(first, windows, next, Three.self)
        : convolvePairs(first, windows, next, Five.self)
    }
    switch (geometry.windowWidth, geometry.strideWidth, geometry.dilationWidth) {
    case (3, 1, 1): return convolveFours(first, windows, Three.self, One.self)
    case (3, 2, 1): return convolveFours(first, windows, Three.self, Two.self)
    case (5, 1, 1): return convolveFours(first, windows, Five.self, One.self)
    case (5, 2, 1): return convolveFours(first, windows, Five.self, Two.self)
    case (3, 1, let dilation) where windows.count >= 4 &* dilation:
      return convolveDilated(windows, Three.self)
    case (5, 1, let dilation) where windows.count >= 4 &* dilation:
      return convolveDilated(windows, Five.self)
    case (3, _, _): return convolveAnyFours(first, windows, Three.self)
    case (5, _, _): return convolveAnyFours(first, windows, Five.self)
    default: return convolveAnyFours(first, windows, AnyNumber.self)
    }
  }

  @inline(never)
  private func convolveFours<Width: Literal, Stride: Literal>(
    _ first: Int, _ windows: Range<Int>, _ width: Width.Type, _ stride: Stride.Type
  ) -> Int {
    var x = first
    while windows.upperBound &- x > 1 {
      x = smaller(x, windows.upperBound &- 4)
      convolveFour(x, width, stride)
      x &+= 4
    }
    return x
  }

  /// Computes groups of windows that are `dilationWidth` apart, at least four each: they share
  /// pixels.
  @inline(never)
  private func convolveDilated<Width: Literal>(_ windows: Range<Int>, _ width: Width.Type) -> Int {
    let step = geometry.dilationWidth
    var start = windows.lowerBound
    while start < smaller(windows.lowerBound &+ step, windows.upperBound) {
      let count = (windows.upperBound &- start &+ step &- 1) / step
      var index = 0
      while index < count {
        index = smaller(index, count &- 4)
        convolveFour(start &+ index &* step, width, One.self)
        index &+= 4
      }
      start &+= 1
    }
    return windows.upperBound
  }

  /// Computes four windows that are as far apart as the columns of a window.
  @inline(__always)
  private func convolveFour<Width: Literal, Stride: Literal>(
    _ x: Int, _ width: Width.Type, _ stride: Stride.Type
  ) {
    let lanes = FloatVector.scalarCount
    var four = FourBlocks(
      pixels: top + (x &* Stride.value &- geometry.paddingLeft) &* pixelBytes
        + rows.lowerBound &* rowBytes,
      block: arguments.packed, target: output + x &* pixelBytes, count: geometry.channels)
    while order == .fourWindowsOfTwoVectors && four.count >= 2 &* lanes {
      convolve(four, Two.self, width, stride)
      four.advance(by: 2, blockBytes)
    }
    while four.count > 0 {
      convolve(four, One.self, width, stride)
      four.advance(by: 1, blockBytes)
    }
  }

  /// Computes one or two blocks of channels of four windows, row by row.
  @inline(__always)
  private func convolve<Blocks: Literal, Width: Literal, Stride: Literal>(
    _ four: FourBlocks, _: Blocks.Type, _ width: Width.Type, _ stride: Stride.Type
  ) {
    let vectorBytes = Self.vectorBytes
    let rowWeights = Width.value &* vectorBytes
    let apart = geometry.dilationWidth &* pixelBytes
    var sums = WindowSums<Rounding>(), others = WindowSums<Rounding>()
    var row = four.pixels
    var weights = four.block + (vectorBytes &+ rows.lowerBound &* rowWeights)
    for _ in rows {
      sums.addRow(row, apart: apart, weights, width, stride)
      if Blocks.value > 1 {
        others.addRow(row + vectorBytes, apart: apart, weights + blockBytes, width, stride)
      }
      row += rowBytes
      weights += rowWeights
    }
    store(sums, loadFloats(four.block), four.count, to: four.target, apart: apart)
    if Blocks.value > 1 {
      let bias = loadFloats(four.block + blockBytes)
      let count = four.count &- FloatVector.scalarCount
      store(others, bias, count, to: four.target + vectorBytes, apart: apart)
    }
  }

  /// Computes windows of this output row and of the next, which share input rows.
  @inline(never)
  private func convolvePairs<Width: Literal>(
    _ first: Int, _ windows: Range<Int>, _ next: FloatDepthwiseRow, _ width: Width.Type
  ) -> Int {
    var x = first
    while windows.upperBound &- x > 1 {
      x = smaller(x, windows.upperBound &- 4)
      convolvePair(x, next, width)
      x &+= 4
    }
    return x
  }

  @inline(__always)
  private func convolvePair<Width: Literal>(
    _ x: Int, _ next: FloatDepthwiseRow, _ width: Width.Type
  ) {
    let vectorBytes = Self.vectorBytes
    let rowWeights = Width.value &* vectorBytes
    var pixels = top + (x &- geometry.paddingLeft) &* pixelBytes
    var block = arguments.packed
    var upperTarget = output + x &* pixelBytes
    var lowerTarget = next.output + x &* pixelBytes
    var count = geometry.channels
    while count > 0 {
      var upper = WindowSums<Rounding>()
      var lower = WindowSums<Rounding>()
      var row = pixels
      var weights = block + vectorBytes
      upper.addRow(row, apart: pixelBytes, weights, width, One.self)
      for _ in 1..<geometry.windowHeight {
        row += inputRowBytes
        upper.addRow(row, apart: pixelBytes, weights + rowWeights, width, One.self)
        lower.addRow(row, apart: pixelBytes, weights, width, One.self)
        weights += rowWeights
      }
      row += inputRowBytes
      lower.addRow(row, apart: pixelBytes, weights, width, One.self)
      let bias = loadFloats(block)
      store(upper, bias, count, to: upperTarget, apart: pixelBytes)
      store(lower, bias, count, to: lowerTarget, apart: pixelBytes)
      block += blockBytes
      pixels += vectorBytes
      upperTarget += vectorBytes
      lowerTarget += vectorBytes
      count &-= FloatVector.scalarCount
    }
  }

  /// Computes windows that share no pixels.
  @inline(never)
  private func convolveAnyFours<Width: Literal>(
    _ first: Int, _ windows: Range<Int>, _ width: Width.Type
  ) -> Int {
    var x = first
    while windows.upperBound &- x > 1 {
      x = smaller(x, windows.upperBound &- 4)
      convolveAnyFour(x, width)
      x &+= 4
    }
    return x
  }

  @inline(__always)
  private func convolveAnyFour<Width: Literal>(_ x: Int, _: Width.Type) {
    let width = Width.value == 0 ? geometry.windowWidth : Width.value
    let step = geometry.strideWidth &* pixelBytes
    let apart = geometry.dilationWidth &* pixelBytes
    let rowWeights = width &* Self.vectorBytes
    var first =
      top + (x &* geometry.strideWidth &- geometry.paddingLeft) &* pixelBytes
      + rows.lowerBound &* rowBytes
    var block = arguments.packed
    var target = output + x &* pixelBytes
    var count = geometry.channels
    while count > 0 {
      var sums = WindowSums<Rounding>()
      var row = first
      var weights = block + (Self.vectorBytes &+ rows.lowerBound &* rowWeights)
      for _ in rows {
        if Width.value > 0 {
          sums.addColumns(row, apart: apart, step: step, weights, width: width, vectors: 4)
        } else {
          for column in 0..<width {
            let pixels = FourVectors(row + column &* apart, step: step, vectors: 4)
            sums.add(pixels, loadFloats(weights + column &* Self.vectorBytes), vectors: 4)
          }
        }
        row += rowBytes
        weights += rowWeights
      }
      store(sums, loadFloats(block), count, to: target, apart: pixelBytes)
      block += blockBytes
      first += Self.vectorBytes
      target += Self.vectorBytes
      count &-= FloatVector.scalarCount
    }
  }
}

/// The remaining blocks of channels of four windows.
private struct FourBlocks {
  var pixels: UnsafeRawPointer
  var block: UnsafeRawPointer
  var target: UnsafeMutableRawPointer
  /// The number of remaining channels.
  var count: Int

  @inline(__always)
  mutating func advance(by blocks: Int, _ blockBytes: Int) {
    pixels += blocks &* MemoryLayout<FloatVector>.size
    block += blocks &* blockBytes
    target += blocks &* MemoryLayout<FloatVector>.size
    count &-= blocks &* FloatVector.scalarCount
  }
}
