import OcellusKernelABI

// Packed weights are a header of 64 bytes and blocks of one vector of channels: the head of a panel
// (`Int16Panel`) and a vector of 32-bit weights per tap. A window has so few taps that the sum of
// their products cannot overflow 32 bits.

/// Lists the only strategy.
func int16Depthwise(_ add: StrategyListing<PatchGeometry, Int16Depthwise>) {
  add(
    "four-windows",
    { $0.windowHeight * $0.windowWidth > Int16Depthwise.maximumTapCount ? .sumsMayOverflow : nil },
    { work($0) },
    Int16Depthwise(
      packedByteCount: packedByteCount, pack: pack, scratchByteCount: scratchByteCount,
      run: convolve))
}

private func work(_ geometry: PatchGeometry) -> KernelWork {
  let blocks = (geometry.channels + SumVector.scalarCount - 1) / SumVector.scalarCount
  let windows = geometry.outputHeight * geometry.outputWidth
  let taps = Double(geometry.windowHeight * geometry.windowWidth)
  let results = Double(blocks * windows)
  return KernelWork(
    loops: Double(windows) / Double(windowsAtOnce), loads: results * taps, results: results,
    products: results * taps)
}

/// The output pixels that share the loads of weights.
private let windowsAtOnce = 4
private let elementBytes = 2
private let readBytes = SumVector.scalarCount * elementBytes

@inline(__always)
private func blockBytes(_ taps: Int) -> Int { Int16Panel.headBytes &+ taps &* sumVectorBytes }

private func packedByteCount(channels: Int, taps: Int) -> Int {
  let blocks = (channels + SumVector.scalarCount - 1) / SumVector.scalarCount
  return Int16Panel.headerBytes + blocks * blockBytes(taps)
}

private func pack(_ arguments: Int16DepthwisePackingArguments) {
  let channels = arguments.channels
  let kind = Int16Kind.of(arguments.requantization)
  Int16Header(kind: kind, segment: 0).write(to: arguments.packed)
  var block = arguments.packed + Int16Panel.headerBytes
  forEachBlock(channels: channels) { channel in
    fillWithZeros(block, count: blockBytes(arguments.taps))
    for lane in 0..<smaller(SumVector.scalarCount, channels &- channel) {
      Int16Panel.packHead(
        arguments.requantization, bias: arguments.bias, column: channel &+ lane, lane: lane,
        to: block)
      let weights = block + (Int16Panel.headBytes &+ lane &* 4)
      for tap in 0..<arguments.taps {
        let byte = loadByte(
          arguments.filter + (tap &* channels &+ channel &+ lane), isSigned: true)
        store(byte, to: weights + tap &* sumVectorBytes)
      }
    }
    block += blockBytes(arguments.taps)
  }
}

// Scratch: the sums of a few windows in 32 bits and in 64 bits, then that of `DepthwiseTraversal`.

private func scratchByteCount(_ geometry: PatchGeometry) -> Int {
  3 * tileBytes
    + DepthwiseTraversal.byteCount(
      geometry, elementBytes: elementBytes, vectorBytes: readBytes,
      taps: geometry.windowHeight * geometry.windowWidth)
}

private let tileBytes = windowsAtOnce * tileVectors * sumVectorBytes

private func convolve(_ arguments: WindowBlock<QuantizedRange>) {
  let geometry = arguments.patches
  let traversal = DepthwiseTraversal(
    geometry: geometry, elementBytes: elementBytes, vectorBytes: readBytes,
    taps: geometry.windowHeight &* geometry.windowWidth,
    scratch: arguments.scratch + 3 &* tileBytes)
  fillWithZeros(traversal.zeros, count: traversal.readBytes)
  traversal.forEach(
    arguments.pixels, of: arguments.input, width: windowsAtOnce
  ) { windows in
    if windows.count == windowsAtOnce {
      convolve(arguments, windows, count: windowsAtOnce)
    } else {
      convolve(arguments, windows, count: 1)
    }
  }
}

/// Computes all channels of `count` pixels; `count` is a literal at every call.
@inline(__always)
private func convolve(
  _ arguments: WindowBlock<QuantizedRange>, _ windows: DepthwiseWindows, count: Int
) {
  let geometry = arguments.patches
  let taps = geometry.windowHeight &* geometry.windowWidth
  let kind = Int16Header(arguments.packed).kind
  let output =
    arguments.output
    + windows.pixel &* geometry.channels &* elementBytes
  var block = arguments.packed + Int16Panel.headerBytes
  forEachBlock(channels: geometry.channels) { channel in
    var s0 = SumVector()
    var (s1, s2, s3) = (s0, s0, s0)
    let anchor = windows.anchor + channel &* elementBytes
    var weights = block + Int16Panel.headBytes
    for tap in 0..<taps {
      let weight = loadSums(weights)
      let pixel = anchor + windows.taps[tap]
      s0 = s0 &+ int16sToLanes(pixel) &* weight
      if count > 1 {
        s1 = s1 &+ int16sToLanes(pixel + windows.step) &* weight
        s2 = s2 &+ int16sToLanes(pixel + 2 &* windows.step) &* weight
        s3 = s3 &+ int16sToLanes(pixel + 3 &* windows.step) &* weight
      }
      weights += sumVectorBytes
    }
    let sums = arguments.scratch
    let rowBytes = tileVectors &* sumVectorBytes
    store(s0, to: sums)
    if count > 1 {
      store(s1, to: sums + rowBytes)
      store(s2, to: sums + 2 &* rowBytes)
      store(s3, to: sums + 3 &* rowBytes)
    }
    let tile = Int64SumTile(
      sums32: sums, sums: sums + tileBytes, rows: count, vectors: 1, panel: block, panelStride: 0)
    tile.add(isFirst: true)
    tile.scale(
      kind, range: arguments.epilogue, to: output + channel &* elementBytes,
      stride: geometry.channels &* elementBytes,
      columns: smaller(SumVector.scalarCount, geometry.channels &- channel))
    block += blockBytes(taps)
  }
}

/// Visits the first channel of every block.
@inline(__always)
private func forEachBlock(channels: Int, _ body: (Int) -> Void) {
  var channel = 0
  while channel < channels {
    body(channel)
    channel &+= SumVector.scalarCount
  }
}
