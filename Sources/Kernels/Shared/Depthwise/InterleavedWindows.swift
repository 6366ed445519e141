import OcellusKernelABI

/// The strategy that interleaves the input rows under a run of windows and then multiplies vectors.
enum InterleavedWindows: QuantizedDepthwiseStrategy {
  static var name: StaticString { "interleaved-rows" }

  static func refusal(_: PatchGeometry) -> StrategyRefusal? { nil }

  static func packedByteCount(_ geometry: PatchGeometry) -> Int { packedWindowsByteCount(geometry) }

  static func pack(_ arguments: QuantizedDepthwisePackingArguments) { packWindows(arguments) }

  static func scratchByteCount(_ geometry: PatchGeometry) -> Int { Scratch(geometry).byteCount }

  static func run<Writer: SumWriter>(
    _ arguments: WindowBlock<QuantizedEpilogue>, _ scaling: Writer.Scaling, _ writer: Writer.Type
  ) {
    convolve(arguments, scaling, writer)
  }

  static func work(_ geometry: PatchGeometry) -> KernelWork {
    let layout = InterleavedLayout(geometry, ChannelBlocks(channels: geometry.channels))
    let packing = DepthwisePacking(height: geometry.windowHeight, width: geometry.windowWidth)
    let pairsRows = layout.groupStep > 0 || packing.pairsRows(of: geometry)
    let rows = pairsRows ? (geometry.outputHeight + 1) / 2 : geometry.outputHeight
    let runs = (geometry.outputWidth + layout.pixels - 1) / layout.pixels
    let blocks = layout.blocks
    let chunks = (blocks.count + blocks.blocksPerSlice - 1) / blocks.blocksPerSlice
    let arrays = rows * runs * chunks * layout.slots * layout.allGroups
    let columns = layout.columns(of: smaller(layout.pixels, geometry.outputWidth))
    let lanes = SumVector.scalarCount
    let vectorsOfPixel =
      blocks.shareVectors
      ? Double(geometry.channels) / Double(lanes) : Double(blocks.count)
    let results = Double(geometry.outputHeight * geometry.outputWidth) * vectorsOfPixel
    return KernelWork(
      loops: Double(arrays),
      loads: Double(arrays * columns * layout.columnBytes) / Double(4 * lanes),
      results: results, products: results * Double(packing.taps))
  }
}

/// The layout of the scratch memory.
private struct Scratch {
  var layout: InterleavedLayout
  /// The offset of the table of input rows.
  var table: Int { sumVectorBytes }
  /// The offset of the window's vector offsets.
  var offsets: Int
  /// The offset of the interleaved rows.
  var arrays: Int
  var byteCount: Int

  @inline(__always)
  init(_ geometry: PatchGeometry) {
    layout = InterleavedLayout(geometry, ChannelBlocks(channels: geometry.channels))
    offsets = sumVectorBytes &+ InputRowTable.byteCount(groups: layout.allGroups)
    arrays = offsets &+ roundUp(layout.groups &* layout.geometry.windowWidth &* 8, to: 64)
    byteCount = arrays &+ layout.byteCount
  }
}

/// The size of the input under the output rows that are computed slice by slice of channels: what a
/// second-level cache holds, since each slice reads it again.
private let bandBytes = 128 * 1024

/// Computes ranges of output rows in the outer loop and slices of channels in the inner one, so
/// that the weights of a slice stay in the L1 cache.
@inline(__always)
private func convolve<Writer: SumWriter>(
  _ arguments: WindowBlock<QuantizedEpilogue>, _ scaling: Writer.Scaling, _: Writer.Type
) {
  let geometry = arguments.patches
  let scratch = Scratch(geometry)
  let blocks = scratch.layout.blocks
  let weights = arguments.packed + PackedHeader.byteCount
  let interleavedRows = InterleavedRows(
    layout: scratch.layout, padding: QuantizedElements(arguments.epilogue.inputFormat),
    arrays: arguments.scratch + scratch.arrays,
    table: InputRowTable(
      groups: scratch.layout.allGroups, arguments.epilogue.inputFormat,
      in: arguments.scratch + scratch.table))
  var convolution = DepthwiseConvolution<Writer>(
    arguments: arguments, scaling: scaling, interleavedRows: interleavedRows,
    window: WindowOffsets(scratch.layout, in: arguments.scratch + scratch.offsets),
    packing: DepthwisePacking(height: geometry.windowHeight, width: geometry.windowWidth),
    firstBlock: 0, blockCount: 0, weights: weights)
  let rowsAtOnce = outputRowsAtOnce(geometry, blocks)
  var pixel = arguments.pixels.lowerBound
  while pixel < arguments.pixels.upperBound {
    let row = pixel / geometry.outputWidth
    let end = smaller(arguments.pixels.upperBound, (row &+ rowsAtOnce) &* geometry.outputWidth)
    convolution.arguments.pixels = Range(uncheckedBounds: (pixel, end))
    convolution.weights = weights
    convolution.firstBlock = 0
    while convolution.firstBlock < blocks.count {
      convolution.blockCount = smaller(
        blocks.blocksPerSlice, blocks.count &- convolution.firstBlock)
      convolution.run()
      convolution.firstBlock &+= convolution.blockCount
    }
    pixel = end
  }
}

/// Returns an even number of output rows, since rows may be computed in pairs.
///
/// If all channels are one slice, it exceeds the height of any image.
@inline(__always)
private func outputRowsAtOnce(_ geometry: PatchGeometry, _ blocks: ChannelBlocks) -> Int {
  let allRows = 1 << 30
  guard blocks.blocksPerSlice < blocks.count else { return allRows }
  let rowBytes = geometry.inputWidth &* geometry.pixelStride &* geometry.strideHeight
  return larger(2, (bandBytes / larger(rowBytes, 1)) & ~1)
}

/// The convolution of a slice of channels.
private struct DepthwiseConvolution<Writer: SumWriter> {
  var arguments: WindowBlock<QuantizedEpilogue>
  var scaling: Writer.Scaling
  var interleavedRows: InterleavedRows
  var window: WindowOffsets
  var packing: DepthwisePacking
  var firstBlock: Int
  var blockCount: Int
  /// The packed weights of the slice; `run` advances them to the next slice.
  var weights: UnsafeRawPointer

  private var firstChannel: Int {
    @inline(__always)
    get { firstBlock &* SumVector.scalarCount }
  }

  /// The number of channels of the slice.
  private var channels: Int {
    @inline(__always)
    get {
      smaller(
        interleavedRows.layout.blocks.periodLanes, arguments.patches.channels &- firstChannel)
    }
  }

  @inline(__always)
  mutating func run() {
    let geometry = arguments.patches
    let layout = interleavedRows.layout
    let pairsRows = layout.groupStep > 0 || packing.pairsRows(of: geometry)
    var end = weights
    var index = arguments.pixels.lowerBound
    while index < arguments.pixels.upperBound {
      let pixel = OutputPixel(index, geometry)
      let left = arguments.pixels.upperBound &- index
      let isPair =
        pairsRows && pixel.x == 0 && left >= 2 &* geometry.outputWidth
        && pixel.y &+ 1 < geometry.outputHeight
      let count = smaller(geometry.outputWidth &- pixel.x, left)
      findRows(pixel, count: isPair ? 2 : 1)
      var x = 0
      while x < count {
        let width = smaller(layout.pixels, count &- x)
        interleavedRows.prepare(
          x: pixel.x &+ x, count: width, channel: firstChannel, channels: channels,
          groups: isPair ? layout.allGroups : layout.groups)
        end = convolve(pixel: index &+ x, count: width, isPair: isPair)
        x &+= width
      }
      index &+= isPair ? 2 &* count : count
    }
    weights = end
  }

  @inline(__always)
  private mutating func findRows(_ pixel: OutputPixel, count: Int) {
    let geometry = arguments.patches
    let imageBytes = geometry.inputHeight &* geometry.inputWidth &* geometry.pixelStride
    interleavedRows.table.find(
      interleavedRows.layout, arguments.input + pixel.image &* imageBytes,
      top: pixel.y &* geometry.strideHeight &- geometry.paddingTop,
      count: geometry.windowHeight &+ (count &- 1) &* geometry.strideHeight)
  }

  /// Computes the prepared pixels, of two output rows if `isPair`; returns the end of the weights.
  @inline(__always)
  private func convolve(pixel: Int, count: Int, isPair: Bool) -> UnsafeRawPointer {
    let lanes = SumVector.scalarCount
    let blocks = interleavedRows.layout.blocks
    let sharesVectors = blocks.shareVectors
    let first = pixel &* arguments.patches.channels &+ firstChannel
    var run = BlockRun<Writer>(
      vectors: UnsafeRawPointer(interleavedRows.arrays), window: window, block: weights,
      packing: packing,
      count: count, vectorStep: interleavedRows.layout.windowStep &* blocks.periodLanes &* 4,
      vectorRowStep: interleavedRows.layout.groupStep &* interleavedRows.layout.arrayBytes,
      output: arguments.output + first &* Writer.outputBytes,
      outputStep: arguments.patches.channels &* Writer.outputBytes,
      outputRowStep: arguments.patches.outputWidth &* arguments.patches.channels
        &* Writer.outputBytes, width: lanes, scratch: arguments.scratch)
    if sharesVectors { run.outputStep = blocks.periodLanes &* Writer.outputBytes }
    for block in 0..<blockCount {
      if sharesVectors {
        // The lanes from this block's first vector to the end of the row.
        let left = count &* blocks.channels &- block &* lanes
        run.count = left < lanes ? 0 : (left &- lanes) / blocks.periodLanes &+ 1
        run.convolve(isPair: isPair, scaling)
        let end = left &- run.count &* blocks.periodLanes
        if end > 0 { run.last(width: end).convolve(isPair: isPair, scaling) }
      } else {
        run.width = smaller(lanes, arguments.patches.channels &- firstChannel &- block &* lanes)
        run.convolve(isPair: isPair, scaling)
      }
      run.vectors += sumVectorBytes
      run.output += lanes &* Writer.outputBytes
      run.block += packing.blockBytes(terms: DepthwiseBlockHeader(run.block).terms)
    }
    return run.block
  }
}
