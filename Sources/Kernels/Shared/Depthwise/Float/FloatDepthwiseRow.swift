import OcellusKernelABI

/// One output row of a float depthwise convolution.
///
/// Taps in the padding are skipped: a product with zero changes no sum, since sums begin with
/// positive zero.
struct FloatDepthwiseRow<Rounding: MultiplyAdd> {
  let arguments: WindowBlock<FloatEpilogue>
  let order: FloatDepthwiseOrder
  let geometry: PatchGeometry
  /// The mapping of channels to blocks of weights.
  let blocks: ChannelBlocks
  /// The size of the weights of one block in bytes.
  let blockBytes: Int
  let low: FloatVector
  let high: FloatVector
  let pixelBytes: Int
  let inputRowBytes: Int
  /// The input under the first row of the window, at the left edge; it may be above the input.
  private(set) var top: UnsafeRawPointer
  /// The rows of the window that are inside the input.
  private(set) var rows: Range<Int>
  /// The end of the image, past which nothing may be loaded.
  let end: UnsafeRawPointer
  /// The output at the left edge.
  private(set) var output: UnsafeMutableRawPointer

  @inline(__always)
  static var vectorBytes: Int { MemoryLayout<FloatVector>.size }

  @inline(__always)
  init(
    _ arguments: WindowBlock<FloatEpilogue>, _ order: FloatDepthwiseOrder, _ blocks: ChannelBlocks,
    _ pixel: OutputPixel, _ index: Int
  ) {
    self.arguments = arguments
    self.order = order
    self.blocks = blocks
    geometry = arguments.patches
    low = FloatVector(repeating: arguments.epilogue.minimum)
    high = FloatVector(repeating: arguments.epilogue.maximum)
    pixelBytes = geometry.channels &* 4
    inputRowBytes = geometry.inputWidth &* pixelBytes
    let y = pixel.y &* geometry.strideHeight &- geometry.paddingTop
    rows = FloatDepthwiseRow.inside(
      y, geometry.windowHeight, geometry.dilationHeight, geometry.inputHeight)
    let image =
      arguments.input + pixel.image &* geometry.inputHeight &* inputRowBytes
    top = image + y &* inputRowBytes
    end = image + geometry.inputHeight &* inputRowBytes
    output = arguments.output + (index &- pixel.x) &* pixelBytes
    blockBytes = (geometry.windowHeight &* geometry.windowWidth &+ 1) &* Self.vectorBytes
  }

  /// Returns the taps inside the input, of a window whose first tap is at `first`.
  @inline(__always)
  static func inside(_ first: Int, _ taps: Int, _ dilation: Int, _ extent: Int) -> Range<
    Int
  > {
    let from = first < 0 ? smaller((dilation &- 1 &- first) / dilation, taps) : 0
    let left = extent &- first
    let to = left <= 0 ? 0 : smaller((left &+ dilation &- 1) / dilation, taps)
    return Range(uncheckedBounds: (from, larger(from, to)))
  }

  /// Whether this output row and the next are computed together: both have all window rows inside.
  @inline(__always)
  var isPaired: Bool {
    !Rounding.followsColumns && order.pairsRows && rows == 0..<geometry.windowHeight
      && nextRow.rows == rows
  }

  /// The output row below, if the stride is 1.
  @inline(__always)
  private var nextRow: FloatDepthwiseRow {
    var next = self
    next.top += inputRowBytes
    next.output += geometry.outputWidth &* pixelBytes
    let height = geometry.windowHeight
    // All rows are inside if the last one is.
    let isInside = next.top + (height &- 1) &* inputRowBytes < end
    next.rows = isInside ? 0..<height : 0..<0
    return next
  }

  /// The distance in bytes between rows under the window.
  @inline(__always)
  var rowBytes: Int { geometry.dilationHeight &* inputRowBytes }

  /// Computes the pixels from `first` to `last`, and those of the next output row if `isPair`.
  ///
  /// Pixels with the whole width of the window inside the input are computed four at a time.
  @inline(__always)
  func convolve(_ first: Int, _ last: Int, isPair: Bool) {
    let next = isPair ? nextRow : self
    let stride = geometry.strideWidth
    let reach = (geometry.windowWidth &- 1) &* geometry.dilationWidth
    let inner = smaller(larger((geometry.paddingLeft &+ stride &- 1) / stride, first), last)
    let lastLeft = geometry.inputWidth &+ geometry.paddingLeft &- reach &- 1
    var outer = lastLeft < 0 ? inner : larger(smaller(lastLeft / stride &+ 1, last), inner)
    while outer > inner && next.readsPastEnd(outer &- 1) { outer &-= 1 }
    convolveEach(first, inner, isPair: isPair)
    if Rounding.followsColumns {
      if hasTwoChains { return convolveInTwoChains(first, last) }
      // Of great windows, all pixels are computed one by one.
      let x = followsColumns ? convolveColumns(inner, outer) : inner
      return convolveEach(x, last, isPair: false)
    }
    if order == .eachWindow {
      guard rows == 0..<3 else { return convolveEach(inner, last, isPair: false) }
      convolvePixels(Range(uncheckedBounds: (inner, outer)))
      return convolveEach(outer, last, isPair: false)
    }
    var x = order.usesRuns ? convolveRun(inner, outer, isPair: isPair) : inner
    if outer &- inner >= 4 { x = convolveFours(x, inner..<outer, isPair ? next : nil) }
    convolveEach(x, last, isPair: isPair)
  }

  /// Computes pixels one by one.
  @inline(__always)
  private func convolveEach(_ first: Int, _ last: Int, isPair: Bool) {
    var x = first
    while x < last {
      convolveOne(x)
      if isPair { nextRow.convolveOne(x) }
      x &+= 1
    }
  }

  /// Whether the last vector under the window of a pixel exceeds the image.
  @inline(__always)
  func readsPastEnd(_ x: Int) -> Bool {
    guard !rows.isEmpty else { return false }
    let column =
      x &* geometry.strideWidth &- geometry.paddingLeft
      &+ (geometry.windowWidth &- 1) &* geometry.dilationWidth
    let pixel =
      top
      + ((rows.upperBound &- 1) &* geometry.dilationHeight &* inputRowBytes &+ column &* pixelBytes)
    return pixel + roundUp(pixelBytes, to: Self.vectorBytes) > end
  }

  /// Stores the results of four windows, `apart` bytes from one to the next.
  @inline(__always)
  func store(
    _ sums: WindowSums<Rounding>, _ bias: FloatVector, _ count: Int,
    to target: UnsafeMutableRawPointer, apart: Int
  ) {
    store(sums.s0, bias, count, to: target)
    store(sums.s1, bias, count, to: target + apart)
    store(sums.s2, bias, count, to: target + 2 &* apart)
    store(sums.s3, bias, count, to: target + 3 &* apart)
  }

  /// Computes a pixel at the border or at the end of the input: four blocks of channels at a time.
  @inline(never)
  func convolveOne(_ x: Int) {
    let vectorBytes = Self.vectorBytes
    let lanes = FloatVector.scalarCount
    let left = x &* geometry.strideWidth &- geometry.paddingLeft
    let columns = FloatDepthwiseRow.inside(
      left, geometry.windowWidth, geometry.dilationWidth, geometry.inputWidth)
    let isCareful = readsPastEnd(x)
    var first = top + left &* pixelBytes
    var target = output + x &* pixelBytes
    var block = arguments.packed
    var count = geometry.channels
    while count >= 4 &* lanes {
      var sums = WindowSums<Rounding>()
      sums.s0 = start(block)
      sums.s1 = start(block + blockBytes)
      sums.s2 = start(block + 2 &* blockBytes)
      sums.s3 = start(block + 3 &* blockBytes)
      forEachTap(columns, first) { pixel, tap in
        let weights = block + tap
        sums.s0 = Rounding.multiplyAdd(sums.s0, loadFloats(pixel), loadFloats(weights))
        sums.s1 = Rounding.multiplyAdd(
          sums.s1, loadFloats(pixel + vectorBytes), loadFloats(weights + blockBytes))
        sums.s2 = Rounding.multiplyAdd(
          sums.s2, loadFloats(pixel + 2 &* vectorBytes), loadFloats(weights + 2 &* blockBytes))
        sums.s3 = Rounding.multiplyAdd(
          sums.s3, loadFloats(pixel + 3 &* vectorBytes), loadFloats(weights + 3 &* blockBytes))
      }
      store(sums.s0, loadFloats(block), lanes, to: target)
      store(sums.s1, loadFloats(block + blockBytes), lanes, to: target + vectorBytes)
      store(sums.s2, loadFloats(block + 2 &* blockBytes), lanes, to: target + 2 &* vectorBytes)
      store(sums.s3, loadFloats(block + 3 &* blockBytes), lanes, to: target + 3 &* vectorBytes)
      first += 4 &* vectorBytes
      target += 4 &* vectorBytes
      block += 4 &* blockBytes
      count &-= 4 &* lanes
    }
    while count > 0 {
      let isPartial = isCareful && count < lanes
      var sum = start(block)
      forEachTap(columns, first) { pixel, tap in
        let floats = isPartial ? loadLanes(pixel, count: count) : loadFloats(pixel)
        sum = Rounding.multiplyAdd(sum, floats, loadFloats(block + tap))
      }
      store(sum, loadFloats(block), count, to: target)
      first += vectorBytes
      target += vectorBytes
      block += blockBytes
      count &-= lanes
    }
  }

  /// Whether taps are visited column by column: XNNPACK multiplies windows of more than 25 taps as
  /// matrices, row by row.
  @inline(__always)
  private var followsColumns: Bool {
    Rounding.followsColumns && geometry.windowHeight &* geometry.windowWidth <= 25
  }

  /// Returns the initial sums of a block of channels.
  @inline(__always)
  func start(_ block: UnsafeRawPointer) -> FloatVector {
    Rounding.startsWithBias ? loadFloats(block) : FloatVector()
  }

  /// Visits the taps of a window that are inside the input, with the offset of their weights in a
  /// block.
  @inline(__always)
  private func forEachTap(
    _ columns: Range<Int>, _ first: UnsafeRawPointer,
    _ body: (_ pixel: UnsafeRawPointer, _ weights: Int) -> Void
  ) {
    let columnBytes = geometry.dilationWidth &* pixelBytes
    let rowWeights = geometry.windowWidth &* Self.vectorBytes
    var row = first + (rows.lowerBound &* rowBytes &+ columns.lowerBound &* columnBytes)
    // The weights follow the bias.
    var weights =
      (columns.lowerBound &+ 1) &* Self.vectorBytes &+ rows.lowerBound &* rowWeights
    if followsColumns {
      for _ in columns {
        var pixel = row, tap = weights
        for _ in rows {
          body(pixel, tap)
          pixel += rowBytes
          tap &+= rowWeights
        }
        row += columnBytes
        weights &+= Self.vectorBytes
      }
      return
    }
    for _ in rows {
      var pixel = row, tap = weights
      for _ in columns {
        body(pixel, tap)
        pixel += columnBytes
        tap &+= Self.vectorBytes
      }
      row += rowBytes
      weights &+= rowWeights
    }
  }

  // Not taken: whole vectors by way of a buffer, as in `writeTile` (2 % more instructions).
  /// Stores one vector of results, or the first `count` channels of it.
  @inline(__always)
  func store(
    _ sum: FloatVector, _ bias: FloatVector, _ count: Int, to target: UnsafeMutableRawPointer
  ) {
    let finished = clamp(Rounding.startsWithBias ? sum : sum + bias, low, high)
    if count >= FloatVector.scalarCount {
      target.storeBytes(of: finished, as: FloatVector.self)
    } else {
      storeLanes(finished, count: count, to: target)
    }
  }
}
