import OcellusKernelABI

// Windows with a large stride share one column with their neighbours, or none, and gain little from
// being computed together. One pixel at a time, with all of its channels, cache lines are read in
// sequence, as hardware prefetchers expect; and pixels at distances of a power of two do not evict
// each other from the cache.

/// The maximum number of channels whose weights stay in the L1 cache.
private let maximumChannels = 512

extension FloatDepthwiseRow {
  // Not taken: prefetching rows (56×56×384 with a stride of 2: 74 µs, in five ways 72 to 78, in C;
  // on Zen 3 one size was 1.3 times as fast and another 0.9).
  /// Computes windows inside the width of the input, one slice of channels after the other.
  @inline(never)
  func convolvePixels(_ windows: Range<Int>) {
    let chunks = (geometry.channels &+ maximumChannels &- 1) / maximumChannels
    let chunk = roundUp(
      (geometry.channels &+ chunks &- 1) / chunks, to: FloatVector.scalarCount)
    var channel = 0
    while channel < geometry.channels {
      let end = smaller(channel &+ chunk, geometry.channels)
      for x in windows { convolvePixel(x, Range(uncheckedBounds: (channel, end))) }
      channel = end
    }
  }

  /// Computes a slice of channels of a pixel.
  @inline(__always)
  private func convolvePixel(_ x: Int, _ channels: Range<Int>) {
    let (lanes, vectorBytes) = (FloatVector.scalarCount, Self.vectorBytes)
    let apart = geometry.dilationWidth &* pixelBytes
    let channelBytes = channels.lowerBound &* 4
    let column = x &* geometry.strideWidth &- geometry.paddingLeft
    var row0 = top + (column &* pixelBytes &+ channelBytes)
    var row1 = row0 + rowBytes, row2 = row1 + rowBytes
    var block = arguments.packed + channels.lowerBound / lanes &* blockBytes
    var target = output + (x &* pixelBytes &+ channelBytes)
    var count = channels.upperBound &- channels.lowerBound
    while count > 0 {
      var sum = FloatVector()
      sum = adding(row0, apart, block + vectorBytes, to: sum)
      sum = adding(row1, apart, block + 4 &* vectorBytes, to: sum)
      sum = adding(row2, apart, block + 7 &* vectorBytes, to: sum)
      store(sum, loadFloats(block), count, to: target)
      row0 += vectorBytes
      row1 += vectorBytes
      row2 += vectorBytes
      target += vectorBytes
      block += blockBytes
      count &-= lanes
    }
  }

  /// Adds the products of the three taps of a row.
  @inline(__always)
  private func adding(
    _ pixels: UnsafeRawPointer, _ apart: Int, _ weights: UnsafeRawPointer, to sum: FloatVector
  ) -> FloatVector {
    var sum = Rounding.multiplyAdd(sum, loadFloats(pixels), loadFloats(weights))
    sum = Rounding.multiplyAdd(
      sum, loadFloats(pixels + apart), loadFloats(weights + Self.vectorBytes))
    return Rounding.multiplyAdd(
      sum, loadFloats(pixels + 2 &* apart), loadFloats(weights + 2 &* Self.vectorBytes))
  }
}
