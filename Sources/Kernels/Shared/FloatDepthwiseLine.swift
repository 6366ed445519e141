import OcellusKernelABI

/// A line of the output of a float depthwise convolution.
///
/// What of a window lies in the padding is left out: a product with zero changes no sum, since
/// sums begin with a positive zero.
struct FloatDepthwiseLine<Rounding: MultiplyAdd> {
  private var arguments: FloatDepthwiseArguments
  private var geometry: PatchGeometry
  private var low: FloatVector
  private var high: FloatVector
  private var pixelBytes: Int
  private var lineBytes: Int
  /// The input under the first row of the window at the left edge of the input; it may lie above
  /// the input.
  private var top: UnsafeRawPointer
  /// The rows of the window that lie inside the input.
  private var rows: Range<Int>
  /// Where whole vectors may no longer be read.
  private var end: UnsafeRawPointer
  /// The output at the left edge.
  private var output: UnsafeMutableRawPointer

  @inline(__always)
  private static var vectorBytes: Int { MemoryLayout<FloatVector>.size }

  @inline(__always)
  init(_ arguments: FloatDepthwiseArguments, _ pixel: OutputPixel, _ index: Int) {
    self.arguments = arguments
    geometry = arguments.patches
    low = FloatVector(repeating: arguments.minimum)
    high = FloatVector(repeating: arguments.maximum)
    pixelBytes = geometry.channels &* 4
    lineBytes = geometry.inputWidth &* pixelBytes
    let y = pixel.y &* geometry.strideHeight &- geometry.paddingTop
    rows = FloatDepthwiseLine.inside(
      y, geometry.kernelHeight, geometry.dilationHeight, geometry.inputHeight)
    let image =
      UnsafeRawPointer(arguments.input) + pixel.image &* geometry.inputHeight &* lineBytes
    top = image + y &* lineBytes
    end = image + geometry.inputHeight &* lineBytes
    output = UnsafeMutableRawPointer(arguments.output) + (index &- pixel.x) &* pixelBytes
  }

  /// The taps of a window from `first` on that lie inside.
  @inline(__always)
  private static func inside(_ first: Int, _ taps: Int, _ dilation: Int, _ extent: Int) -> Range<
    Int
  > {
    let from = first < 0 ? smaller((dilation &- 1 &- first) / dilation, taps) : 0
    let left = extent &- first
    let to = left <= 0 ? 0 : smaller((left &+ dilation &- 1) / dilation, taps)
    return Range(uncheckedBounds: (from, larger(from, to)))
  }

  /// Whether this line and the next have all rows of their windows inside the input, and the
  /// windows are such as `convolvePair` takes.
  @inline(__always)
  var isPaired: Bool {
    let width = geometry.kernelWidth
    return (width == 3 || width == 5) && geometry.strideWidth == 1 && geometry.dilationWidth == 1
      && geometry.strideHeight == 1 && geometry.dilationHeight == 1
      && rows == 0..<geometry.kernelHeight && nextLine.rows == rows
  }

  /// The line below, where the stride is one.
  @inline(__always)
  private var nextLine: FloatDepthwiseLine {
    var next = self
    next.top += lineBytes
    next.output += geometry.outputWidth &* pixelBytes
    let height = geometry.kernelHeight
    // All rows if the last one is inside.
    let isInside = next.top + height &* lineBytes <= end
    next.rows = isInside ? 0..<height : 0..<0
    return next
  }

  /// Computes the pixels from `first` to `last`, also of the next line if `isPair`: those with the
  /// whole width of the window inside four at a time.
  @inline(__always)
  func convolve(_ first: Int, _ last: Int, isPair: Bool) {
    let next = isPair ? nextLine : self
    let stride = geometry.strideWidth
    let reach = (geometry.kernelWidth &- 1) &* geometry.dilationWidth
    let inner = smaller(larger((geometry.paddingLeft &+ stride &- 1) / stride, first), last)
    let room = geometry.inputWidth &+ geometry.paddingLeft &- reach &- 1
    var outer = room < 0 ? inner : larger(smaller(room / stride &+ 1, last), inner)
    while outer > inner && next.readsPastEnd(outer &- 1) { outer &-= 1 }
    convolveEach(first, inner, isPair: isPair)
    var x = inner
    if outer &- inner >= 4 {
      // The last four may be some of them once more, if they are more than one.
      while outer &- x > 1 {
        let start = smaller(x, outer &- 4)
        if isPair {
          convolvePair(start, next)
        } else {
          convolveFour(start)
        }
        x = start &+ 4
      }
    }
    convolveEach(x, last, isPair: isPair)
  }

  /// Computes pixels one by one.
  @inline(__always)
  private func convolveEach(_ first: Int, _ last: Int, isPair: Bool) {
    var x = first
    while x < last {
      convolveOne(x)
      if isPair { nextLine.convolveOne(x) }
      x &+= 1
    }
  }

  /// Whether the last vector of the pixels under a window reaches behind the input.
  @inline(__always)
  private func readsPastEnd(_ x: Int) -> Bool {
    guard !rows.isEmpty else { return false }
    let column =
      x &* geometry.strideWidth &- geometry.paddingLeft
      &+ (geometry.kernelWidth &- 1) &* geometry.dilationWidth
    let pixel =
      top + ((rows.upperBound &- 1) &* geometry.dilationHeight &* lineBytes &+ column &* pixelBytes)
    return pixel + roundUp(pixelBytes, to: FloatDepthwiseLine.vectorBytes) > end
  }

  @inline(__always)
  private func convolveFour(_ x: Int) {
    switch (geometry.kernelWidth, geometry.strideWidth, geometry.dilationWidth) {
    case (3, 1, 1): convolveFour(x, width: 3, stride: 1)
    case (3, 2, 1): convolveFour(x, width: 3, stride: 2)
    case (5, 1, 1): convolveFour(x, width: 5, stride: 1)
    case (5, 2, 1): convolveFour(x, width: 5, stride: 2)
    default: convolveAnyFour(x)
    }
  }

  /// Loads the pixels under a row of four windows once; `width` and `stride` are literals at every
  /// call.
  @inline(__always)
  private func convolveFour(_ x: Int, width: Int, stride: Int) {
    let first = top + (x &* stride &- geometry.paddingLeft) &* pixelBytes
    let rowBytes = geometry.dilationHeight &* lineBytes
    forEachBlock(x) { channel, weights in
      var sums = FourSums()
      for row in rows {
        let pixels = first + (row &* rowBytes &+ channel &* 4)
        let weights = weights + row &* width &* FloatDepthwiseLine.vectorBytes
        for column in 0..<(3 &* stride &+ width) {
          let pixel = loadFloats(pixels + column &* pixelBytes)
          sums.add(pixel, weights, column: column, width: width, stride: stride)
        }
      }
      return sums
    }
  }

  @inline(__always)
  private func convolvePair(_ x: Int, _ next: FloatDepthwiseLine) {
    if geometry.kernelWidth == 3 {
      convolvePair(x, next, width: 3)
    } else {
      convolvePair(x, next, width: 5)
    }
  }

  /// Computes four pixels of this line and four of the next, whose windows share rows; `width` is
  /// a literal at every call.
  @inline(__always)
  private func convolvePair(_ x: Int, _ next: FloatDepthwiseLine, width: Int) {
    let vectorBytes = FloatDepthwiseLine.vectorBytes
    let height = geometry.kernelHeight
    let blockBytes = (height &* width &+ 1) &* vectorBytes
    let rowWeights = width &* vectorBytes
    var pixels = top + (x &- geometry.paddingLeft) &* pixelBytes
    var block = arguments.packed
    var upperTarget = output + x &* pixelBytes
    var lowerTarget = next.output + x &* pixelBytes
    var count = geometry.channels
    while count > 0 {
      var upper = FourSums()
      var lower = FourSums()
      var row = pixels
      var weights = block + vectorBytes
      for column in 0..<(3 &+ width) {
        let pixel = loadFloats(row + column &* pixelBytes)
        upper.add(pixel, weights, column: column, width: width, stride: 1)
      }
      for _ in 1..<height {
        row += lineBytes
        for column in 0..<(3 &+ width) {
          let pixel = loadFloats(row + column &* pixelBytes)
          upper.add(pixel, weights + rowWeights, column: column, width: width, stride: 1)
          lower.add(pixel, weights, column: column, width: width, stride: 1)
        }
        weights += rowWeights
      }
      row += lineBytes
      for column in 0..<(3 &+ width) {
        let pixel = loadFloats(row + column &* pixelBytes)
        lower.add(pixel, weights, column: column, width: width, stride: 1)
      }
      let bias = loadFloats(block)
      store(upper, bias, count, to: upperTarget)
      store(lower, bias, count, to: lowerTarget)
      block += blockBytes
      pixels += vectorBytes
      upperTarget += vectorBytes
      lowerTarget += vectorBytes
      count &-= FloatVector.scalarCount
    }
  }

  @inline(never)
  private func convolveAnyFour(_ x: Int) {
    let step = geometry.strideWidth &* pixelBytes
    let first = top + (x &* geometry.strideWidth &- geometry.paddingLeft) &* pixelBytes
    forEachBlock(x) { channel, weights in
      var sums = FourSums()
      for row in rows {
        for column in 0..<geometry.kernelWidth {
          let tap = row &* geometry.kernelWidth &+ column
          let weight = loadFloats(weights + tap &* FloatDepthwiseLine.vectorBytes)
          let pixel =
            first
            + (row &* geometry.dilationHeight &* lineBytes
              &+ column &* geometry.dilationWidth &* pixelBytes &+ channel &* 4)
          sums.s0 = Rounding.multiplyAdd(sums.s0, loadFloats(pixel), weight)
          sums.s1 = Rounding.multiplyAdd(sums.s1, loadFloats(pixel + step), weight)
          sums.s2 = Rounding.multiplyAdd(sums.s2, loadFloats(pixel + 2 &* step), weight)
          sums.s3 = Rounding.multiplyAdd(sums.s3, loadFloats(pixel + 3 &* step), weight)
        }
      }
      return sums
    }
  }

  /// The sums of four pixels.
  private struct FourSums {
    var s0 = FloatVector()
    var s1 = FloatVector()
    var s2 = FloatVector()
    var s3 = FloatVector()

    /// Adds the products of the pixel in one column under the windows.
    @inline(__always)
    mutating func add(
      _ pixel: FloatVector, _ weights: UnsafeRawPointer, column: Int, width: Int, stride: Int
    ) {
      if let weight = weight(weights, column, width) {
        s0 = Rounding.multiplyAdd(s0, pixel, weight)
      }
      if let weight = weight(weights, column &- stride, width) {
        s1 = Rounding.multiplyAdd(s1, pixel, weight)
      }
      if let weight = weight(weights, column &- 2 &* stride, width) {
        s2 = Rounding.multiplyAdd(s2, pixel, weight)
      }
      if let weight = weight(weights, column &- 3 &* stride, width) {
        s3 = Rounding.multiplyAdd(s3, pixel, weight)
      }
    }

    @inline(__always)
    private func weight(
      _ weights: UnsafeRawPointer, _ column: Int, _ width: Int
    ) -> FloatVector? {
      column >= 0 && column < width
        ? loadFloats(weights + column &* FloatDepthwiseLine.vectorBytes) : nil
    }
  }

  /// Visits the blocks of channels of four pixels and stores their sums.
  @inline(__always)
  private func forEachBlock(
    _ x: Int, _ body: (_ channel: Int, _ weights: UnsafeRawPointer) -> FourSums
  ) {
    let vectorBytes = FloatDepthwiseLine.vectorBytes
    let blockBytes = (geometry.kernelHeight &* geometry.kernelWidth &+ 1) &* vectorBytes
    var block = arguments.packed
    var target = output + x &* pixelBytes
    var channel = 0
    while channel < geometry.channels {
      let sums = body(channel, block + vectorBytes)
      let bias = loadFloats(block)
      let count = geometry.channels &- channel
      store(sums, bias, count, to: target)
      block += blockBytes
      target += vectorBytes
      channel &+= FloatVector.scalarCount
    }
  }

  @inline(__always)
  private func store(
    _ sums: FourSums, _ bias: FloatVector, _ count: Int, to target: UnsafeMutableRawPointer
  ) {
    store(sums.s0, bias, count, to: target)
    store(sums.s1, bias, count, to: target + pixelBytes)
    store(sums.s2, bias, count, to: target + 2 &* pixelBytes)
    store(sums.s3, bias, count, to: target + 3 &* pixelBytes)
  }

  /// Computes a pixel whose window may hang over an edge, or behind which the input ends: four
  /// blocks of channels at a time.
  @inline(never)
  private func convolveOne(_ x: Int) {
    let vectorBytes = FloatDepthwiseLine.vectorBytes
    let lanes = FloatVector.scalarCount
    let left = x &* geometry.strideWidth &- geometry.paddingLeft
    let columns = FloatDepthwiseLine.inside(
      left, geometry.kernelWidth, geometry.dilationWidth, geometry.inputWidth)
    let blockBytes = (geometry.kernelHeight &* geometry.kernelWidth &+ 1) &* vectorBytes
    let isCareful = readsPastEnd(x)
    var first = top + left &* pixelBytes
    var target = output + x &* pixelBytes
    var block = arguments.packed
    var count = geometry.channels
    while count >= 4 &* lanes {
      var sums = FourSums()
      forEachTap(columns, first) { pixel, tap in
        let weights = block + (tap &+ 1) &* vectorBytes
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
      var sum = FloatVector()
      forEachTap(columns, first) { pixel, tap in
        let floats = isPartial ? loadEnd(pixel, count) : loadFloats(pixel)
        sum = Rounding.multiplyAdd(sum, floats, loadFloats(block + (tap &+ 1) &* vectorBytes))
      }
      store(sum, loadFloats(block), count, to: target)
      first += vectorBytes
      target += vectorBytes
      block += blockBytes
      count &-= lanes
    }
  }

  /// Visits the pixels under a window that lie inside the input.
  @inline(__always)
  private func forEachTap(
    _ columns: Range<Int>, _ first: UnsafeRawPointer,
    _ body: (_ pixel: UnsafeRawPointer, _ tap: Int) -> Void
  ) {
    for row in rows {
      for column in columns {
        let pixel =
          first
          + (row &* geometry.dilationHeight &* lineBytes
            &+ column &* geometry.dilationWidth &* pixelBytes)
        body(pixel, row &* geometry.kernelWidth &+ column)
      }
    }
  }

  /// Reads the last channels of a pixel by way of scratch memory.
  @inline(__always)
  private func loadEnd(_ pixel: UnsafeRawPointer, _ count: Int) -> FloatVector {
    copyEnd(pixel, to: arguments.scratch, count: count &* 4)
    return loadFloats(arguments.scratch)
  }

  /// Stores a finished vector, or as many channels as there are.
  @inline(__always)
  private func store(
    _ sum: FloatVector, _ bias: FloatVector, _ count: Int, to target: UnsafeMutableRawPointer
  ) {
    let finished = clamp(sum + bias, low, high)
    if count >= FloatVector.scalarCount {
      target.storeBytes(of: finished, as: FloatVector.self)
    } else {
      arguments.scratch.storeBytes(of: finished, as: FloatVector.self)
      copyShortFloats(arguments.scratch, to: target, count: count)
    }
  }
}
