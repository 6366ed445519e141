import OcellusKernelABI

// Packed weights are a `PackedHeader` and blocks of one vector of channels: starting sums,
// multipliers (`scaleBytes` together), and a vector per two pixels of the window, in every lane
// the two weights of a channel as 16-bit numbers without their zero point. Both signs and all
// zero points are exact in that form, and for windows of nine pixels it needs no more
// instructions than four 8-bit products a lane would. The last block is filled up with zeros.

var quantizedDepthwise: QuantizedDepthwise {
  QuantizedDepthwise(
    packedByteCount: packedByteCount, pack: pack, scratchByteCount: scratchByteCount, run: convolve)
}

/// The bytes that `pairs` reads of each pixel.
private let vectorBytes = SumVector.scalarCount

/// The output pixels that share the loads of weights.
private let windowsAtOnce = 4

// Scratch: the corrections of `SumTile`, which are zero here, the sums of all channels of the
// pixels, and what the walk needs.

private let correctionBytes = 64

@inline(__always)
private func sumsStride(_ channels: Int) -> Int {
  roundUp(channels, to: SumVector.scalarCount) &* 4
}

@inline(__always)
private func walkOffset(_ channels: Int) -> Int {
  correctionBytes &+ windowsAtOnce &* sumsStride(channels)
}

@inline(__always)
private func blockBytes(_ pairs: Int) -> Int { scaleBytes &+ pairs &* sumVectorBytes }

@inline(__always)
private func pairsOfTaps(_ taps: Int) -> Int { (taps &+ 1) / 2 }

private func packedByteCount(channels: Int, taps: Int) -> Int {
  let blocks = (channels + SumVector.scalarCount - 1) / SumVector.scalarCount
  return PackedHeader.byteCount + blocks * blockBytes(pairsOfTaps(taps))
}

private func pack(_ arguments: QuantizedDepthwisePackingArguments) {
  let kind = scaleKind(
    arguments.requantization, bias: arguments.bias, columns: arguments.channels,
    depth: arguments.taps)
  PackedHeader(scaleKind: kind, rowCorrection: 0).write(to: arguments.packed)
  let channels = arguments.channels
  let blockBytes = blockBytes(pairsOfTaps(arguments.taps))
  var block = arguments.packed + PackedHeader.byteCount
  forEachBlock(channels: channels) { channel in
    fillWithZeros(block, count: blockBytes)
    let width = smaller(SumVector.scalarCount, channels &- channel)
    for lane in 0..<width {
      let start = packChannel(arguments, channel &+ lane, to: block + scaleBytes + lane &* 4)
      store(start, to: block + lane &* 4)
    }
    packScales(
      arguments.requantization, column: channel, width: width, to: block + sumVectorBytes)
    block += blockBytes
  }
}

/// Packs the weights of one channel and returns its starting sum.
private func packChannel(
  _ arguments: QuantizedDepthwisePackingArguments, _ channel: Int,
  to lane: UnsafeMutableRawPointer
) -> Int32 {
  let format = arguments.filterFormat
  var sum: Int32 = 0
  for tap in 0..<arguments.taps {
    let byte = loadByte(
      arguments.filter + (tap &* arguments.channels &+ channel), isSigned: format.isSigned)
    let weight = byte &- format.zeroPoint
    store(
      Int16(truncatingIfNeeded: weight),
      to: lane + (tap / 2 &* sumVectorBytes &+ tap % 2 &* 2))
    sum &+= weight
  }
  var bias: Int32 = 0
  if let biases = arguments.bias { bias = biases[channel] }
  return bias &- arguments.inputFormat.zeroPoint &* sum
}

private func scratchByteCount(_ geometry: PatchGeometry) -> Int {
  walkOffset(geometry.channels)
    + DepthwiseWalk.byteCount(
      geometry, elementBytes: 1, vectorBytes: vectorBytes,
      taps: 2 * pairsOfTaps(geometry.kernelHeight * geometry.kernelWidth))
}

private func convolve(_ arguments: QuantizedDepthwiseArguments) {
  let geometry = arguments.patches
  let pairs = pairsOfTaps(geometry.kernelHeight &* geometry.kernelWidth)
  let walk = DepthwiseWalk(
    geometry: geometry, elementBytes: 1, vectorBytes: vectorBytes, taps: 2 &* pairs,
    scratch: arguments.scratch + walkOffset(geometry.channels))
  fillWithZeros(arguments.scratch, count: correctionBytes)
  let zero = UInt8(truncatingIfNeeded: arguments.inputFormat.zeroPoint)
  for index in 0..<walk.readBytes {
    store(zero, to: walk.zeros + index)
  }
  walk.forEach(arguments.pixels, of: arguments.input, width: windowsAtOnce) { windows in
    if arguments.inputFormat.isSigned {
      convolve(arguments, windows, pairs: pairs, isSigned: true)
    } else {
      convolve(arguments, windows, pairs: pairs, isSigned: false)
    }
  }
}

@inline(__always)
private func convolve(
  _ arguments: QuantizedDepthwiseArguments, _ windows: DepthwiseWindows, pairs: Int, isSigned: Bool
) {
  if windows.count == windowsAtOnce {
    convolve(arguments, windows, pairs: pairs, isSigned: isSigned, count: windowsAtOnce)
  } else {
    convolve(arguments, windows, pairs: pairs, isSigned: isSigned, count: 1)
  }
}

/// Computes all channels of `count` pixels; `isSigned` and `count` are literals at every call.
@inline(__always)
private func convolve(
  _ arguments: QuantizedDepthwiseArguments, _ windows: DepthwiseWindows, pairs count: Int,
  isSigned: Bool, count pixels: Int
) {
  let channels = arguments.patches.channels
  let step = windows.step
  let sums = arguments.scratch + correctionBytes
  let stride = sumsStride(channels)
  let blocks = arguments.packed + PackedHeader.byteCount
  var block = blocks
  forEachBlock(channels: channels) { channel in
    var s0 = loadSums(block)
    var s1 = s0, s2 = s0, s3 = s0
    var weights = block + scaleBytes
    let anchor = windows.anchor + channel
    for pair in 0..<count {
      let weight = loadSums(weights)
      let a = anchor + windows.taps[2 &* pair], b = anchor + windows.taps[2 &* pair &+ 1]
      s0 = dotPairs(s0, pairs(a, b, isSigned: isSigned), weight)
      if pixels > 1 {
        s1 = dotPairs(s1, pairs(a + step, b + step, isSigned: isSigned), weight)
        s2 = dotPairs(s2, pairs(a + 2 &* step, b + 2 &* step, isSigned: isSigned), weight)
        s3 = dotPairs(s3, pairs(a + 3 &* step, b + 3 &* step, isSigned: isSigned), weight)
      }
      weights += sumVectorBytes
    }
    let target = sums + channel &* 4
    store(s0, to: target)
    if pixels > 1 {
      store(s1, to: target + stride)
      store(s2, to: target + 2 &* stride)
      store(s3, to: target + 3 &* stride)
    }
    block = weights
  }
  let kind = PackedHeader(arguments.packed).scaleKind
  let pixelBytes = kind == ScaleKind.sums ? channels &* 4 : channels
  let tile = SumTile(
    sums: sums, sumsStride: stride, rows: pixels, columns: channels,
    corrections: arguments.scratch, scales: blocks + sumVectorBytes,
    scalesStride: blockBytes(count), output: arguments.output + windows.pixel &* pixelBytes,
    outputStride: pixelBytes)
  storeTile(tile, kind: kind, range: arguments.range)
}
