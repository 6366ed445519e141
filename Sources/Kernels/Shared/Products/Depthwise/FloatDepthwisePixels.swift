import OcellusKernelABI

// Windows that are apart share one column with their neighbours, or none, and have little to gain from them. Pixel by
// pixel, with all channels of each, lines of the cache are read one after the other, as processors guess; and pixels
// whose distance is a power of two do not push each other out of the cache.

/// The channels whose weights stay in the nearest cache.
private let mostChannels = 512

extension FloatDepthwiseLine {
  /// Computes windows inside the width of the input, with some channels at a time.
  @inline(never)
  func convolvePixels(_ windows: Range<Int>) {
    let chunks = (geometry.channels &+ mostChannels &- 1) / mostChannels
    let chunk = roundUp(
      (geometry.channels &+ chunks &- 1) / chunks, to: FloatVector.scalarCount)
    var channel = 0
    while channel < geometry.channels {
      let end = smaller(channel &+ chunk, geometry.channels)
      for x in windows { convolvePixel(x, Range(uncheckedBounds: (channel, end))) }
      channel = end
    }
  }

  /// Computes channels of a pixel.
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

  /// Adds the products of three columns.
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
