import OcellusKernelABI

// Packed weights are blocks of one vector of channels: a vector of biases and one vector per tap.
// `ChannelBlocks` maps channels to lanes: where they do not fill vectors, mostly those of several
// consecutive pixels share one.

/// Lists the traversal orders of windows and channels.
func floatDepthwise(_ add: StrategyListing<PatchGeometry, FloatDepthwise>) {
  list(.fourWindows, "four-windows", add)
  list(.fourWindowsOfTwoVectors, "four-windows-two-vectors", add)
  list(.twoRows, "four-windows-two-rows", add)
  list(.runs, "runs", add)
  list(.runsOfTwoRows, "runs-two-rows", add)
  list(.eachWindow, "window-by-window", add)
}

private func list(
  _ order: FloatDepthwiseOrder, _ name: StaticString,
  _ add: StrategyListing<PatchGeometry, FloatDepthwise>
) {
  add(
    name, { order.refusal($0) }, { order.work($0) },
    FloatDepthwise(packedByteCount: packedByteCount, pack: pack, run: { convolve($0, order) }))
}

private let vectorBytes = MemoryLayout<FloatVector>.size

private func packedByteCount(channels: Int, taps: Int) -> Int {
  ChannelBlocks(channels: channels).count * vectorBytes * (taps + 1)
}

private func pack(_ arguments: FloatDepthwisePackingArguments) {
  let channels = arguments.channels
  let blocks = ChannelBlocks(channels: channels)
  var target = arguments.packed
  for block in 0..<blocks.count {
    for row in 0...arguments.taps {
      for lane in 0..<FloatVector.scalarCount {
        var value: Float = 0
        if let channel = blocks.channel(block: block, lane: lane) {
          value =
            row == 0
            ? arguments.bias?[channel] ?? 0
            : arguments.filter[(row &- 1) &* channels &+ channel]
        }
        store(value, to: target + lane &* 4)
      }
      target += vectorBytes
    }
  }
}

private func convolve(_ arguments: WindowBlock<FloatEpilogue>, _ order: FloatDepthwiseOrder) {
  switch arguments.epilogue.numerics {
  case .fast: convolve(arguments, order, FusedMultiplyAdd.self)
  case .litert: convolve(arguments, order, FusedColumnsFromBias.self)
  case .exact: convolve(arguments, order, RoundedMultiplyAdd.self)
  }
}

/// Visits the output row by row, or in pairs of rows.
@inline(__always)
private func convolve<Rounding: MultiplyAdd>(
  _ arguments: WindowBlock<FloatEpilogue>, _ order: FloatDepthwiseOrder, _: Rounding.Type
) {
  let geometry = arguments.patches
  let blocks = ChannelBlocks(channels: geometry.channels)
  var index = arguments.pixels.lowerBound
  while index < arguments.pixels.upperBound {
    let pixel = OutputPixel(index, geometry)
    let left = arguments.pixels.upperBound &- index
    let count = smaller(geometry.outputWidth &- pixel.x, left)
    let row = FloatDepthwiseRow<Rounding>(arguments, order, blocks, pixel, index)
    let isPair =
      pixel.x == 0 && left >= 2 &* count && pixel.y &+ 1 < geometry.outputHeight && row.isPaired
    row.convolve(pixel.x, pixel.x &+ count, isPair: isPair)
    index &+= isPair ? 2 &* count : count
  }
}
