import OcellusKernelABI

// Packed weights are a `PackedHeader` and `ChannelBlocks`. A block is a `DepthwiseBlockHeader`,
// starting sums, multipliers (`scaleBytes` together), and a vector of weights for every column of
// the window and group of its lines, column by column: what lies one below the other is one below
// the other in a lane. Where two output lines are computed at once, each is followed by the same
// weights one line lower.
//
// Zero points are subtracted from the weights before they are packed. What that leaves beyond
// eight bits, where `dot` takes no more, is packed as further weights for the same columns.

/// What precedes the starting sums of a block.
struct DepthwiseBlockHeader {
  /// The weights for each place of the window, which are added up.
  var parts: Int

  static var byteCount: Int { sumVectorBytes }

  @inline(__always)
  init(_ block: UnsafeRawPointer) {
    parts = Int(loadInt32(block))
  }
}

/// The sizes of packed windows.
struct DepthwisePacking {
  /// The vectors under a window.
  var taps: Int
  /// The output lines computed at once, each of which has weights of its own.
  var lines: Int

  @inline(__always)
  init(height: Int, width: Int) {
    taps = InterleavedLayout.groups(height) &* width
    lines = InterleavedLayout.pairsLines(height) ? 2 : 1
  }

  /// 9 bits and a sign are at most three numbers of eight bits.
  static var maximumParts: Int { packedElementBytes == 1 ? 3 : 1 }

  @inline(__always)
  var partBytes: Int { taps &* lines &* sumVectorBytes }

  @inline(__always)
  func blockBytes(parts: Int) -> Int {
    DepthwiseBlockHeader.byteCount &+ scaleBytes &+ parts &* partBytes
  }
}

func packedDepthwiseByteCount(channels: Int, height: Int, width: Int) -> Int {
  let packing = DepthwisePacking(height: height, width: width)
  return PackedHeader.byteCount
    + ChannelBlocks(channels: channels).count
    * packing.blockBytes(parts: DepthwisePacking.maximumParts)
}

func packDepthwise(_ arguments: QuantizedDepthwisePackingArguments) {
  let kind = scaleKind(
    arguments.requantization, bias: arguments.bias, columns: arguments.channels,
    depth: arguments.height &* arguments.width)
  PackedHeader(scaleKind: kind, rowCorrection: 0).write(to: arguments.packed)
  let packing = DepthwisePacking(height: arguments.height, width: arguments.width)
  let format = PackedFormat(filter: arguments.filterFormat, input: arguments.inputFormat)
  let blocks = ChannelBlocks(channels: arguments.channels)
  var block = arguments.packed + PackedHeader.byteCount
  for index in 0..<blocks.count {
    fillWithZeros(block, count: packing.blockBytes(parts: DepthwisePacking.maximumParts))
    var parts = 1
    for lane in 0..<SumVector.scalarCount {
      guard let channel = blocks.channel(block: index, lane: lane) else { continue }
      let starts = block + DepthwiseBlockHeader.byteCount
      let weights = starts + (scaleBytes &+ lane &* 4)
      let packed = packChannel(arguments, channel, packing, to: weights)
      var bias: Int32 = 0
      if let biases = arguments.bias { bias = biases[channel] }
      store(bias &- format.inputZeroPoint &* packed.sum, to: starts + lane &* 4)
      storeWeightSum(
        packed.sum, of: arguments.requantization, lane: lane, to: starts + sumVectorBytes)
      packScale(
        arguments.requantization, column: channel, lane: lane, to: starts + sumVectorBytes)
      parts = larger(parts, packed.parts)
    }
    store(Int32(truncatingIfNeeded: parts), to: block)
    block += packing.blockBytes(parts: parts)
  }
}

/// Packs the weights of one channel and returns their sum and the parts they take.
private func packChannel(
  _ arguments: QuantizedDepthwisePackingArguments, _ channel: Int, _ packing: DepthwisePacking,
  to lane: UnsafeMutableRawPointer
) -> (sum: Int32, parts: Int) {
  let format = arguments.filterFormat
  let groups = InterleavedLayout.groups(arguments.height)
  var sum: Int32 = 0
  var parts = 1
  for y in 0..<arguments.height {
    for x in 0..<arguments.width {
      let tap = y &* arguments.width &+ x
      let byte = loadByte(
        arguments.filter + (tap &* arguments.channels &+ channel), isSigned: format.isSigned)
      sum &+= byte &- format.zeroPoint
      for line in 0..<packing.lines {
        let row = y &+ line
        let vector = (x &* groups &+ row / depthPerDot) &* packing.lines &+ line
        let place = vector &* sumVectorBytes &+ row % depthPerDot &* packedElementBytes
        let count = storeParts(byte &- format.zeroPoint, to: lane + place, apart: packing.partBytes)
        parts = larger(parts, count)
      }
    }
  }
  return (sum, parts)
}

/// Stores a weight as a sum of numbers that an element holds, and returns how many that takes.
private func storeParts(_ weight: Int32, to first: UnsafeMutableRawPointer, apart: Int) -> Int {
  guard packedElementBytes == 1 else {
    storePacked(weight, to: first)
    return 1
  }
  var rest = weight
  var place = first
  var parts = 0
  repeat {
    let part = rest > 127 ? 127 : rest < -128 ? -128 : rest
    storePacked(part, to: place)
    rest &-= part
    place += apart
    parts &+= 1
  } while rest != 0
  return parts
}
