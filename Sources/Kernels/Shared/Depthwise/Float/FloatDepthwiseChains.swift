import OcellusKernelABI

// For windows of more than nine taps, XNNPACK on Arm has two chains of fused multiply-adds: one of
// the taps at even places, which begins with the bias, and one of those at odd places. Places are
// counted column by column.

extension FloatDepthwiseRow {
  /// Whether the window is computed in two chains.
  @inline(__always)
  var hasTwoChains: Bool {
    guard case .litert(.neon) = arguments.epilogue.numerics else { return false }
    let taps = geometry.windowHeight &* geometry.windowWidth
    return taps > 9 && taps <= 25
  }

  /// Computes the pixels from `first` to `last`, one by one.
  @inline(never)
  func convolveInTwoChains(_ first: Int, _ last: Int) {
    var x = first
    while x < last {
      convolveOneInTwoChains(x)
      x &+= 1
    }
  }

  @inline(__always)
  private func convolveOneInTwoChains(_ x: Int) {
    let lanes = FloatVector.scalarCount
    let left = x &* geometry.strideWidth &- geometry.paddingLeft
    let columns = FloatDepthwiseRow.inside(
      left, geometry.windowWidth, geometry.dilationWidth, geometry.inputWidth)
    let isCareful = readsPastEnd(x)
    var corner = top + left &* pixelBytes
    var target = output + x &* pixelBytes
    var block = arguments.packed
    var count = geometry.channels
    while count >= 2 &* lanes {
      var (first, second) = (WindowChains(block), WindowChains(block + blockBytes))
      forEachPlace(columns, corner) { pixel, tap, isOdd in
        let weights = block + tap
        first.add(loadFloats(pixel), loadFloats(weights), isOdd: isOdd)
        second.add(
          loadFloats(pixel + Self.vectorBytes), loadFloats(weights + blockBytes), isOdd: isOdd)
      }
      store(first.sum, FloatVector(), lanes, to: target)
      store(second.sum, FloatVector(), lanes, to: target + Self.vectorBytes)
      corner += 2 &* Self.vectorBytes
      target += 2 &* Self.vectorBytes
      block += 2 &* blockBytes
      count &-= 2 &* lanes
    }
    while count > 0 {
      let isPartial = isCareful && count < lanes
      var chains = WindowChains(block)
      forEachPlace(columns, corner) { pixel, tap, isOdd in
        let floats = isPartial ? loadLanes(pixel, count: count) : loadFloats(pixel)
        chains.add(floats, loadFloats(block + tap), isOdd: isOdd)
      }
      store(chains.sum, FloatVector(), count, to: target)
      corner += Self.vectorBytes
      target += Self.vectorBytes
      block += blockBytes
      count &-= lanes
    }
  }

  /// Visits the taps of a window that are inside the input, column by column, with the offset of
  /// their weights in a block and whether their place is odd.
  @inline(__always)
  private func forEachPlace(
    _ columns: Range<Int>, _ corner: UnsafeRawPointer,
    _ body: (_ pixel: UnsafeRawPointer, _ weights: Int, _ isOdd: Bool) -> Void
  ) {
    let columnBytes = geometry.dilationWidth &* pixelBytes
    let rowWeights = geometry.windowWidth &* Self.vectorBytes
    for column in columns {
      var pixel = corner + (rows.lowerBound &* rowBytes &+ column &* columnBytes)
      // The weights follow the bias.
      var weights = (column &+ 1) &* Self.vectorBytes &+ rows.lowerBound &* rowWeights
      let firstPlace = column &* geometry.windowHeight
      for row in rows {
        body(pixel, weights, (firstPlace &+ row) & 1 != 0)
        pixel += rowBytes
        weights &+= rowWeights
      }
    }
  }
}

/// The two sums of a window.
private struct WindowChains {
  private var even: FloatVector
  private var odd = FloatVector()

  /// Begins with the bias at the head of a block of weights.
  @inline(__always)
  init(_ block: UnsafeRawPointer) { even = loadFloats(block) }

  @inline(__always)
  mutating func add(_ pixel: FloatVector, _ weight: FloatVector, isOdd: Bool) {
    if isOdd {
      odd = FusedMultiplyAdd.multiplyAdd(odd, pixel, weight)
    } else {
      even = FusedMultiplyAdd.multiplyAdd(even, pixel, weight)
    }
  }

  @inline(__always)
  var sum: FloatVector { even + odd }
}
