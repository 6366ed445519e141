import OcellusKernelABI

// Packed weights are blocks of one vector of channels: a vector of bias and one vector per pixel
// of the window. The last one is filled up with zeros.

var floatDepthwise: FloatDepthwise {
  FloatDepthwise(
    packedByteCount: packedByteCount, pack: pack, scratchByteCount: scratchByteCount, run: convolve)
}

private let vectorBytes = MemoryLayout<FloatVector>.size

private func packedByteCount(channels: Int, taps: Int) -> Int {
  roundUp(channels, to: FloatVector.scalarCount) * 4 * (taps + 1)
}

private func pack(_ arguments: FloatDepthwisePackingArguments) {
  let channels = arguments.channels
  var target = arguments.packed
  forEachBlock(channels: channels) { channel in
    for lane in 0..<FloatVector.scalarCount {
      var bias: Float = 0
      if let biases = arguments.bias, channel &+ lane < channels { bias = biases[channel &+ lane] }
      store(bias, to: target + lane &* 4)
    }
    target += vectorBytes
    for tap in 0..<arguments.taps {
      for lane in 0..<FloatVector.scalarCount {
        var weight: Float = 0
        if channel &+ lane < channels {
          weight = arguments.filter[tap &* channels &+ channel &+ lane]
        }
        store(weight, to: target + lane &* 4)
      }
      target += vectorBytes
    }
  }
}

/// Visits the first channel of every block.
@inline(__always)
func forEachBlock(channels: Int, _ body: (Int) -> Void) {
  var channel = 0
  while channel < channels {
    body(channel)
    channel &+= FloatVector.scalarCount
  }
}

private func scratchByteCount(_: PatchGeometry) -> Int { vectorBytes }

private func convolve(_ arguments: FloatDepthwiseArguments) {
  if arguments.roundsProducts {
    convolve(arguments, RoundedMultiplyAdd.self)
  } else {
    convolve(arguments, FusedMultiplyAdd.self)
  }
}

/// Visits the output line by line, or by two lines.
@inline(__always)
private func convolve<Rounding: MultiplyAdd>(
  _ arguments: FloatDepthwiseArguments, _: Rounding.Type
) {
  let geometry = arguments.patches
  var index = arguments.pixels.lowerBound
  while index < arguments.pixels.upperBound {
    let pixel = OutputPixel(index, geometry)
    let left = arguments.pixels.upperBound &- index
    let count = smaller(geometry.outputWidth &- pixel.x, left)
    let line = FloatDepthwiseLine<Rounding>(arguments, pixel, index)
    let isPair =
      pixel.x == 0 && left >= 2 &* count && pixel.y &+ 1 < geometry.outputHeight && line.isPaired
    line.convolve(pixel.x, pixel.x &+ count, isPair: isPair)
    index &+= isPair ? 2 &* count : count
  }
}
