import OcellusKernelABI

// Packed weights are a `PackedHeader` and blocks of channels (`ChannelBlocks`). A block has a
// `DepthwiseBlockHeader`, initial sums and multipliers (`scaleBytes` together), and a vector of
// weights for every column of the window and group of its rows, column by column: a lane holds the
// vertically adjacent weights of a channel. Where two output rows are computed at once, the same
// weights shifted down by one row follow each vector.
//
// Zero points are subtracted from the weights before packing. Where `dot` takes only eight bits,
// the excess is packed as further terms: more weights for the same columns.

/// The header before the initial sums of a block.
struct DepthwiseBlockHeader {
  /// The number of terms whose sum is the weight of a tap.
  var terms: Int

  static var byteCount: Int { sumVectorBytes }

  @inline(__always)
  init(_ block: UnsafeRawPointer) {
    terms = Int(loadInt32(block))
  }
}

/// The dimensions of packed windows.
struct DepthwisePacking {
  /// The size of the window after folding: see `PatchGeometry.folded`.
  var height: Int
  var width: Int
  /// The distances between rows and between columns of the window, in weights of the filter.
  private var rowStep: Int
  private var columnStep: Int
  private var weightCount: Int
  /// The number of vectors under a window.
  var taps: Int
  /// The number of output rows computed at once, each of which has weights of its own.
  var outputRows: Int

  @inline(__always)
  init(height filterHeight: Int, width filterWidth: Int) {
    var window = PatchGeometry(matrixOf: 1, depth: 1)
    window.windowHeight = filterHeight
    window.windowWidth = filterWidth
    let isFolded = window.foldsColumns
    window = window.folded
    (height, width) = (window.windowHeight, window.windowWidth)
    (rowStep, columnStep) = isFolded ? (1, height) : (width, 1)
    weightCount = filterHeight &* filterWidth
    taps = InterleavedLayout.groups(height) &* width
    outputRows = InterleavedLayout.pairsRows(height) ? 2 : 1
  }

  /// Returns the index of a weight in the filter, or `nil` for padding.
  @inline(__always)
  func weight(row: Int, column: Int) -> Int? {
    let weight = row &* rowStep &+ column &* columnStep
    return row >= 0 && row < height && weight < weightCount ? weight : nil
  }

  /// The maximum number of terms of a weight: nine bits and a sign are at most three numbers of
  /// eight bits.
  static var maximumTerms: Int { packedElementBytes == 1 ? 3 : 1 }

  /// Whether windows of two output rows are computed at once.
  @inline(__always)
  func pairsRows(of geometry: PatchGeometry) -> Bool {
    outputRows == 2 && geometry.strideHeight == 1 && geometry.dilationHeight == 1
  }

  @inline(__always)
  var termBytes: Int { taps &* outputRows &* sumVectorBytes }

  @inline(__always)
  func blockBytes(terms: Int) -> Int {
    DepthwiseBlockHeader.byteCount &+ scaleBytes &+ terms &* termBytes
  }
}

func packedWindowsByteCount(_ geometry: PatchGeometry) -> Int {
  let packing = DepthwisePacking(height: geometry.windowHeight, width: geometry.windowWidth)
  return ChannelBlocks(channels: geometry.channels).count
    * packing.blockBytes(terms: DepthwisePacking.maximumTerms)
}

func packWindows(_ arguments: QuantizedDepthwisePackingArguments) {
  let geometry = arguments.geometry
  let packing = DepthwisePacking(height: geometry.windowHeight, width: geometry.windowWidth)
  let blocks = ChannelBlocks(channels: geometry.channels)
  var block = arguments.packed + PackedHeader.byteCount
  for index in 0..<blocks.count {
    let starts = block + DepthwiseBlockHeader.byteCount
    var terms = 1
    if !packNeighbours(arguments, blocks, index, packing, to: starts) {
      fillWithZeros(block, count: packing.blockBytes(terms: DepthwisePacking.maximumTerms))
      for lane in 0..<SumVector.scalarCount {
        guard let channel = blocks.channel(block: index, lane: lane) else { continue }
        let packed = packChannel(
          arguments, channel, packing, to: starts + (scaleBytes &+ lane &* 4))
        store(packed.sum, to: starts + lane &* 4)
        terms = larger(terms, packed.terms)
      }
    }
    for lane in 0..<SumVector.scalarCount {
      guard let channel = blocks.channel(block: index, lane: lane) else { continue }
      arguments.packStart(of: channel, lane: lane, to: starts)
    }
    arrangeWeights(starts + scaleBytes, vectors: terms &* packing.taps &* packing.outputRows)
    store(Int32(truncatingIfNeeded: terms), to: block)
    block += packing.blockBytes(terms: terms)
  }
}

extension QuantizedDepthwisePackingArguments {
  /// Replaces the sum of a channel's weights by its initial sum, and writes its multiplier after
  /// the initial sums.
  @inline(__always)
  func packStart(of channel: Int, lane: Int, to starts: UnsafeMutableRawPointer) {
    let format = PackedFormat(filter: filterFormat, input: inputFormat)
    let sum = loadInt32(starts + lane &* 4)
    var start = 0 &- format.inputZeroPoint &* sum
    if let bias { start &+= bias[channel] }
    store(start, to: starts + lane &* 4)
    storeWeightSum(sum, of: requantization, lane: lane, to: starts + sumVectorBytes)
    packScale(requantization, column: channel, lane: lane, to: starts + sumVectorBytes)
  }
}

/// Packs the weights of a block with contiguous channels and single-term weights, and stores their
/// sums in place of the initial sums.
///
/// - Returns: whether the block is of that kind, as most are; if not, its memory is undefined.
private func packNeighbours(
  _ arguments: QuantizedDepthwisePackingArguments, _ blocks: ChannelBlocks, _ index: Int,
  _ packing: DepthwisePacking, to starts: UnsafeMutableRawPointer
) -> Bool {
  guard let first = blocks.channel(block: index, lane: 0),
    first &+ SumVector.scalarCount <= arguments.geometry.channels
  else { return false }
  fillWithZeros(starts - DepthwiseBlockHeader.byteCount, count: packing.blockBytes(terms: 0))
  let zeroPoints = SumVector(repeating: arguments.filterFormat.zeroPoint)
  let byteMask = SumVector(repeating: arguments.filterFormat.isSigned ? -1 : 0xFF)
  let elementMask = SumVector(repeating: packedElementBytes == 1 ? 0xFF : 0xFFFF)
  let half = SumVector(repeating: packedElementBytes == 1 ? 0x80 : 0x8000)
  var sums = SumVector(repeating: 0)
  var overflow = SumVector(repeating: 0)
  var target = starts + scaleBytes
  for x in 0..<packing.width {
    for group in 0..<InterleavedLayout.groups(packing.height) {
      for outputRow in 0..<packing.outputRows {
        var packed = SumVector(repeating: 0)
        for element in 0..<depthPerDot {
          let y = group &* depthPerDot &+ element &- outputRow
          guard let tap = packing.weight(row: y, column: x) else { continue }
          let bytes = loadSignedBytes(
            arguments.filter + (tap &* arguments.geometry.channels &+ first))
          let weights = (bytes & byteMask) &- zeroPoints
          if outputRow == 0 { sums &+= weights }
          overflow |= (weights &+ half) & ~elementMask
          let shift = Int32(truncatingIfNeeded: element &* packedElementBytes &* 8)
          packed |= shiftLeft(weights & elementMask, SumVector(repeating: shift))
        }
        store(packed, to: target)
        target += sumVectorBytes
      }
    }
  }
  store(sums, to: starts)
  for lane in 0..<SumVector.scalarCount where overflow[lane] != 0 { return false }
  return true
}

/// Packs the weights of one channel, and returns their sum and their number of terms.
private func packChannel(
  _ arguments: QuantizedDepthwisePackingArguments, _ channel: Int, _ packing: DepthwisePacking,
  to lane: UnsafeMutableRawPointer
) -> (sum: Int32, terms: Int) {
  let format = arguments.filterFormat
  let groups = InterleavedLayout.groups(packing.height)
  var sum: Int32 = 0
  var terms = 1
  for y in 0..<packing.height {
    for x in 0..<packing.width {
      guard let tap = packing.weight(row: y, column: x) else { continue }
      let byte = loadByte(
        arguments.filter + (tap &* arguments.geometry.channels &+ channel),
        isSigned: format.isSigned)
      sum &+= byte &- format.zeroPoint
      for outputRow in 0..<packing.outputRows {
        let row = y &+ outputRow
        let vector = (x &* groups &+ row / depthPerDot) &* packing.outputRows &+ outputRow
        let offset = vector &* sumVectorBytes &+ row % depthPerDot &* packedElementBytes
        let count = storeTerms(
          byte &- format.zeroPoint, to: lane + offset, apart: packing.termBytes)
        terms = larger(terms, count)
      }
    }
  }
  return (sum, terms)
}

/// Stores a weight as terms that an element can hold, and returns their number.
func storeTerms(_ weight: Int32, to first: UnsafeMutableRawPointer, apart: Int) -> Int {
  guard packedElementBytes == 1 else {
    storePacked(weight, to: first)
    return 1
  }
  var rest = weight
  var address = first
  var terms = 0
  repeat {
    let term = rest > 127 ? 127 : rest < -128 ? -128 : rest
    storePacked(term, to: address)
    rest &-= term
    address += apart
    terms &+= 1
  } while rest != 0
  return terms
}
