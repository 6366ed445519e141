import OcellusKernelABI

// Packed weights are a `PackedHeader` and blocks of one vector of channels: starting sums,
// multipliers (`scaleBytes` together), and a vector for every column of the window and group of
// its lines, which hold the weights of a lane's channel as `dot` takes them. The last block is
// filled up with zeros.

var quantizedDepthwise: QuantizedDepthwise {
  QuantizedDepthwise(
    packedByteCount: packedByteCount, pack: pack, scratchByteCount: scratchByteCount, run: convolve)
}

@inline(__always)
private func blockBytes(_ vectors: Int) -> Int { scaleBytes &+ vectors &* sumVectorBytes }

@inline(__always)
private func windowVectors(height: Int, width: Int) -> Int { LineTable.groups(height) &* width }

private func packedByteCount(channels: Int, height: Int, width: Int) -> Int {
  let blocks = (channels + SumVector.scalarCount - 1) / SumVector.scalarCount
  return PackedHeader.byteCount
    + blocks * blockBytes(windowVectors(height: height, width: width))
}

private func pack(_ arguments: QuantizedDepthwisePackingArguments) {
  let format = PackedFormat(filter: arguments.filterFormat, input: arguments.inputFormat)
  let channels = arguments.channels
  let kind = scaleKind(
    arguments.requantization, bias: arguments.bias, columns: channels,
    depth: arguments.height &* arguments.width)
  PackedHeader(scaleKind: kind, rowCorrection: 0 &- format.weightZeroPoint)
    .write(to: arguments.packed)
  let bytes = blockBytes(windowVectors(height: arguments.height, width: arguments.width))
  var block = arguments.packed + PackedHeader.byteCount
  forEachBlock(channels: channels) { channel in
    fillWithZeros(block, count: bytes)
    let width = smaller(SumVector.scalarCount, channels &- channel)
    for lane in 0..<width {
      let sum = packChannel(
        arguments, channel &+ lane, format, to: block + (scaleBytes &+ lane &* 4))
      var bias: Int32 = 0
      if let biases = arguments.bias { bias = biases[channel &+ lane] }
      store(bias &- format.inputZeroPoint &* sum, to: block + lane &* 4)
      storeWeightSum(
        sum, of: arguments.requantization, lane: lane, to: block + sumVectorBytes)
    }
    packScales(
      arguments.requantization, column: channel, width: width, to: block + sumVectorBytes)
    block += bytes
  }
}

/// Packs the weights of one channel and returns their sum.
private func packChannel(
  _ arguments: QuantizedDepthwisePackingArguments, _ channel: Int, _ format: PackedFormat,
  to lane: UnsafeMutableRawPointer
) -> Int32 {
  let groups = LineTable.groups(arguments.height)
  var sum: Int32 = 0
  for y in 0..<arguments.height {
    for x in 0..<arguments.width {
      let tap = y &* arguments.width &+ x
      let byte = loadByte(
        arguments.filter + (tap &* arguments.channels &+ channel),
        isSigned: arguments.filterFormat.isSigned)
      let vector = x &* groups &+ y / depthPerDot
      storePacked(
        byte &- format.weightOffset,
        to: lane + (vector &* sumVectorBytes &+ y % depthPerDot &* packedElementBytes))
      sum &+= byte &- arguments.filterFormat.zeroPoint
    }
  }
  return sum
}

/// The parts of the scratch memory.
private struct Scratch {
  /// The corrections of `SumTile`, all zero: one a pixel of a line.
  var corrections: Int { 0 }
  /// The sums of one block of channels, a vector a pixel.
  var sums: Int
  /// The table of lines.
  var table: Int
  /// `WindowOffsets`.
  var offsets: Int
  /// The interleaved lines of one block of channels.
  var lines: Int
  var byteCount: Int

  @inline(__always)
  init(_ geometry: PatchGeometry) {
    let width = geometry.outputWidth
    sums = roundUp(width &* 4, to: 64)
    table = sums &+ width &* sumVectorBytes
    offsets = table &+ LineTable.byteCount(geometry.kernelHeight)
    let vectors = windowVectors(height: geometry.kernelHeight, width: geometry.kernelWidth)
    lines = offsets &+ roundUp(vectors &* 8, to: 64)
    byteCount =
      lines &+ LineTable.groups(geometry.kernelHeight)
      &* geometry.columns(under: width) &* sumVectorBytes
  }
}

extension PatchGeometry {
  /// The columns of the input under the windows of so many output pixels.
  @inline(__always)
  fileprivate func columns(under pixels: Int) -> Int {
    (pixels &- 1) &* strideWidth &+ (kernelWidth &- 1) &* dilationWidth &+ 1
  }
}

private func scratchByteCount(_ geometry: PatchGeometry) -> Int { Scratch(geometry).byteCount }

private func convolve(_ arguments: QuantizedDepthwiseArguments) {
  let geometry = arguments.patches
  let layout = Scratch(geometry)
  fillWithZeros(arguments.scratch, count: layout.sums)
  let table = LineTable(geometry, arguments.inputFormat, in: arguments.scratch + layout.table)
  let imageBytes = geometry.inputHeight &* geometry.inputWidth &* geometry.pixelStride
  var index = arguments.pixels.lowerBound
  while index < arguments.pixels.upperBound {
    let pixel = OutputPixel(index, geometry)
    let count = smaller(geometry.outputWidth &- pixel.x, arguments.pixels.upperBound &- index)
    table.find(geometry, arguments.input + pixel.image &* imageBytes, y: pixel.y)
    let lines = InterleavedLines(
      geometry: geometry, padding: QuantizedElements(arguments.inputFormat),
      columns: geometry.columns(under: count),
      firstColumn: pixel.x &* geometry.strideWidth &- geometry.paddingLeft,
      vectors: arguments.scratch + layout.lines, table: table)
    if arguments.inputFormat.isSigned {
      convolve(arguments, lines, pixel: index, count: count, layout, isSigned: true)
    } else {
      convolve(arguments, lines, pixel: index, count: count, layout, isSigned: false)
    }
    index &+= count
  }
}

/// Computes `count` pixels of a line from `pixel` on.
@inline(__always)
private func convolve(
  _ arguments: QuantizedDepthwiseArguments, _ lines: InterleavedLines, pixel: Int, count: Int,
  _ layout: Scratch, isSigned: Bool
) {
  let geometry = arguments.patches
  let header = PackedHeader(arguments.packed)
  let outputBytes = ScaleKind.outputBytes(header.scaleKind)
  let bytes = blockBytes(lines.table.groups &* geometry.kernelWidth)
  let sums = arguments.scratch + layout.sums
  let offsets = WindowOffsets(lines, in: arguments.scratch + layout.offsets)
  let step = geometry.strideWidth &* sumVectorBytes
  var block = arguments.packed + PackedHeader.byteCount
  forEachBlock(channels: geometry.channels) { channel in
    lines.interleave(channel: channel, isSigned: isSigned)
    sumWindows(
      lines.vectors, step: step, offsets, block, count: count, to: sums)
    if header.rowCorrection != 0 {
      correctSums(lines, by: header.rowCorrection, count: count, to: sums)
    }
    let output = pixel &* geometry.channels &+ channel
    let tile = SumTile(
      sums: sums, sumsStride: sumVectorBytes, rows: count,
      columns: smaller(SumVector.scalarCount, geometry.channels &- channel),
      corrections: arguments.scratch, scales: block + sumVectorBytes, scalesStride: 0,
      output: arguments.output + output &* outputBytes,
      outputStride: geometry.channels &* outputBytes)
    storeTile(
      tile, kind: header.scaleKind, range: arguments.range,
      hybrid: arguments.hybrid?.advanced(by: pixel))
    block += bytes
  }
}

/// The vectors of a window: how far each is from the first, in the order of the weights.
private struct WindowOffsets {
  var offsets: UnsafeMutablePointer<Int>
  var count: Int

  /// Notes the offsets in scratch memory.
  @inline(__always)
  init(_ lines: InterleavedLines, in scratch: UnsafeMutableRawPointer) {
    offsets = scratch.assumingMemoryBound(to: Int.self)
    let groups = lines.table.groups
    count = lines.geometry.kernelWidth &* groups
    for column in 0..<lines.geometry.kernelWidth {
      for group in 0..<groups {
        offsets[column &* groups &+ group] =
          (group &* lines.columns &+ column &* lines.geometry.dilationWidth) &* sumVectorBytes
      }
    }
  }
}

/// Sums up the windows of one block of channels, four at a time.
@inline(never)
private func sumWindows(
  _ first: UnsafeRawPointer, step: Int, _ window: WindowOffsets, _ block: UnsafeRawPointer,
  count: Int, to sums: UnsafeMutableRawPointer
) {
  let start = loadSums(block)
  var anchor = first
  var target = sums
  var left = count
  while left >= 4 {
    var s0 = start, s1 = start, s2 = start, s3 = start
    var weights = block + scaleBytes
    for index in 0..<window.count {
      let weight = loadSums(weights)
      let column = anchor + window.offsets[index]
      s0 = dot(s0, loadSums(column), weight)
      s1 = dot(s1, loadSums(column + step), weight)
      s2 = dot(s2, loadSums(column + 2 &* step), weight)
      s3 = dot(s3, loadSums(column + 3 &* step), weight)
      weights += sumVectorBytes
    }
    store(s0, to: target)
    store(s1, to: target + sumVectorBytes)
    store(s2, to: target + 2 &* sumVectorBytes)
    store(s3, to: target + 3 &* sumVectorBytes)
    anchor += 4 &* step
    target += 4 &* sumVectorBytes
    left &-= 4
  }
  for _ in 0..<left {
    var sum = start
    var weights = block + scaleBytes
    for index in 0..<window.count {
      sum = dot(sum, loadSums(anchor + window.offsets[index]), loadSums(weights))
      weights += sumVectorBytes
    }
    store(sum, to: target)
    anchor += step
    target += sumVectorBytes
  }
}

/// Adds `factor` times the sum of its activations to every window: the correction for weights
/// whose zero point is not folded into them.
private func correctSums(
  _ lines: InterleavedLines, by factor: Int32, count: Int, to sums: UnsafeMutableRawPointer
) {
  let geometry = lines.geometry
  for pixel in 0..<count {
    var sum = SumVector()
    for column in 0..<geometry.kernelWidth {
      for group in 0..<lines.table.groups {
        let place =
          group &* lines.columns &+ pixel &* geometry.strideWidth
          &+ column &* geometry.dilationWidth
        let left = geometry.kernelHeight &- group &* depthPerDot
        sum = dot(sum, loadSums(lines.vectors + place &* sumVectorBytes), ones(left))
      }
    }
    let target = sums + pixel &* sumVectorBytes
    store(loadSums(target) &+ sum &* factor, to: target)
  }
}

/// One for each of the first `count` elements of a lane.
@inline(__always)
private func ones(_ count: Int) -> SumVector {
  let bits = 32 / depthPerDot
  let all: Int32 = depthPerDot > 2 ? 0x0101_0101 : 0x0001_0001
  let mask = count < depthPerDot ? (1 &<< Int32(count &* bits)) &- 1 : -1
  return SumVector(repeating: all & mask)
}
