import OcellusKernelABI

// Packed weights are blocks of one vector of channels: a vector of bias and one vector per pixel
// of the window. The last one is filled up with zeros.

var floatDepthwise: FloatDepthwise {
  FloatDepthwise(
    packedByteCount: packedByteCount, pack: pack, scratchByteCount: scratchByteCount, run: convolve)
}

private let vectorBytes = MemoryLayout<FloatVector>.size

/// The output pixels that share the loads of weights.
private let windowsAtOnce = 4

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

private func scratchByteCount(_ geometry: PatchGeometry) -> Int {
  vectorBytes
    + DepthwiseWalk.byteCount(
      geometry, elementBytes: 4, vectorBytes: vectorBytes,
      taps: geometry.kernelHeight * geometry.kernelWidth)
}

private func convolve(_ arguments: FloatDepthwiseArguments) {
  let geometry = arguments.patches
  let taps = geometry.kernelHeight &* geometry.kernelWidth
  let walk = DepthwiseWalk(
    geometry: geometry, elementBytes: 4, vectorBytes: vectorBytes, taps: taps,
    scratch: arguments.scratch + vectorBytes)
  fillWithZeros(walk.zeros, count: walk.readBytes)
  walk.forEach(arguments.pixels, of: arguments.input, width: windowsAtOnce) { windows in
    if arguments.roundsProducts {
      convolve(arguments, windows, taps: taps, RoundedMultiplyAdd.self)
    } else {
      convolve(arguments, windows, taps: taps, FusedMultiplyAdd.self)
    }
  }
}

@inline(__always)
private func convolve<Rounding: MultiplyAdd>(
  _ arguments: FloatDepthwiseArguments, _ windows: DepthwiseWindows, taps: Int,
  _ rounding: Rounding.Type
) {
  if windows.count == windowsAtOnce {
    convolve(arguments, windows, taps: taps, count: windowsAtOnce, rounding)
  } else {
    convolve(arguments, windows, taps: taps, count: 1, rounding)
  }
}

/// Computes all channels of `count` pixels; `count` is a literal at every call.
@inline(__always)
private func convolve<Rounding: MultiplyAdd>(
  _ arguments: FloatDepthwiseArguments, _ windows: DepthwiseWindows, taps: Int, count: Int,
  _: Rounding.Type
) {
  let low = FloatVector(repeating: arguments.minimum)
  let high = FloatVector(repeating: arguments.maximum)
  let channels = arguments.patches.channels
  let pixelBytes = channels &* 4
  let output = UnsafeMutableRawPointer(arguments.output) + windows.pixel &* pixelBytes
  var weights = arguments.packed
  forEachBlock(channels: channels) { channel in
    var s0 = FloatVector()
    var s1 = s0, s2 = s0, s3 = s0
    let bias = loadFloats(weights)
    weights += vectorBytes
    let anchor = windows.anchor + channel &* 4
    for tap in 0..<taps {
      let weight = loadFloats(weights)
      let pixel = anchor + windows.taps[tap]
      s0 = Rounding.multiplyAdd(s0, loadFloats(pixel), weight)
      if count > 1 {
        s1 = Rounding.multiplyAdd(s1, loadFloats(pixel + windows.step), weight)
        s2 = Rounding.multiplyAdd(s2, loadFloats(pixel + 2 &* windows.step), weight)
        s3 = Rounding.multiplyAdd(s3, loadFloats(pixel + 3 &* windows.step), weight)
      }
      weights += vectorBytes
    }
    let target = output + channel &* 4
    let scratch = arguments.scratch
    let left = channels &- channel
    storeChannels(clamp(s0 + bias, low, high), to: target, count: left, by: scratch)
    if count > 1 {
      storeChannels(clamp(s1 + bias, low, high), to: target + pixelBytes, count: left, by: scratch)
      storeChannels(
        clamp(s2 + bias, low, high), to: target + 2 &* pixelBytes, count: left, by: scratch)
      storeChannels(
        clamp(s3 + bias, low, high), to: target + 3 &* pixelBytes, count: left, by: scratch)
    }
  }
}

/// Stores a vector, or as many channels as there are.
@inline(__always)
private func storeChannels(
  _ vector: FloatVector, to target: UnsafeMutableRawPointer, count: Int,
  by scratch: UnsafeMutableRawPointer
) {
  if count >= FloatVector.scalarCount {
    store(vector, to: target)
  } else {
    store(vector, to: scratch)
    copyEnd(scratch, to: target, count: count &* 4)
  }
}
