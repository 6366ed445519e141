import OcellusKernelABI

// If the channels of a pixel do not fill vectors, neighbouring windows are computed as one
// contiguous run of numbers: the input under the next column of the window is the same run, one
// pixel later. Lanes are then channels of several pixels, and the weights repeat after a few
// vectors.

extension FloatDepthwiseRow {
  /// Computes the windows from `first` to `last`, which are inside the width of the input.
  ///
  /// - Returns: the first window that is not computed, because loads would exceed the input.
  func convolveRun(_ first: Int, _ last: Int, isPair: Bool) -> Int {
    switch geometry.windowWidth {
    case 1: convolveRun(first, last, isPair: isPair, One.self)
    case 3: convolveRun(first, last, isPair: isPair, Three.self)
    default: convolveRun(first, last, isPair: isPair, Five.self)
    }
  }

  @inline(__always)
  private func convolveRun<Width: Literal>(
    _ first: Int, _ last: Int, isPair: Bool, _ width: Width.Type
  ) -> Int {
    isPair
      ? convolveRun(first, last, Two.self, width) : convolveRun(first, last, One.self, width)
  }

  @inline(never)
  private func convolveRun<Lines: Literal, Width: Literal>(
    _ first: Int, _ last: Int, _: Lines.Type, _: Width.Type
  ) -> Int {
    let (outputRows, width) = (Lines.value, Width.value)
    let lanes = FloatVector.scalarCount
    var run = DepthwiseRun(
      pixels: top + (first &- geometry.paddingLeft) &* pixelBytes,
      output: output + first &* pixelBytes)
    let count = (last &- first) &* geometry.channels
    let group = 4 &* blocks.count
    var vector = 0
    while (vector &+ group) &* lanes <= count {
      for block in 0..<blocks.count {
        convolveVectors(run, block: block, outputRows: outputRows, width: width, vectors: 4, lanes)
        run.advance(by: 1)
      }
      run.advance(by: 3 &* blocks.count)
      vector &+= group
    }
    var block = 0
    while vector &* lanes < count {
      let left = count &- vector &* lanes
      if readsPastEnd(last, outputRows: outputRows, by: lanes &- left) {
        return first &+ vector &* lanes / geometry.channels
      }
      convolveVectors(run, block: block, outputRows: outputRows, width: width, vectors: 1, left)
      run.advance(by: 1)
      block = block &+ 1 == blocks.count ? 0 : block &+ 1
      vector &+= 1
    }
    return last
  }

  /// Whether loading `count` numbers past those under the windows before `last` exceeds the input.
  @inline(__always)
  private func readsPastEnd(_ last: Int, outputRows: Int, by count: Int) -> Bool {
    if count <= 0 || rows.isEmpty { return false }
    let column =
      last &- geometry.paddingLeft &+ (geometry.windowWidth &- 1) &* geometry.dilationWidth
    let row = (rows.upperBound &- 1) &* geometry.dilationHeight &+ outputRows &- 1
    return top + (row &* inputRowBytes &+ column &* pixelBytes &+ count &* 4) > end
  }

  /// Computes vectors with the same weights, of this output row and, if `outputRows` is 2, of the
  /// next.
  ///
  /// `vectors` (1 or 4), `outputRows` and `width` are compile-time constants.
  @inline(__always)
  private func convolveVectors(
    _ run: DepthwiseRun, block: Int, outputRows: Int, width: Int, vectors: Int, _ count: Int
  ) {
    let block = arguments.packed + block &* blockBytes
    let rowWeights = width &* Self.vectorBytes
    let step = blocks.count &* Self.vectorBytes
    let column = geometry.dilationWidth &* pixelBytes
    var upper = WindowSums<Rounding>(), lower = WindowSums<Rounding>()
    var weights = block + (Self.vectorBytes &+ rows.lowerBound &* rowWeights)
    var row = run.pixels + rows.lowerBound &* rowBytes
    if outputRows == 1 {
      for _ in rows {
        upper.addColumns(row, apart: column, step: step, weights, width: width, vectors: vectors)
        row += rowBytes
        weights += rowWeights
      }
    } else {
      upper.addColumns(row, apart: column, step: step, weights, width: width, vectors: vectors)
      for _ in 1..<rows.upperBound {
        row += rowBytes
        lower.addColumns(row, apart: column, step: step, weights, width: width, vectors: vectors)
        weights += rowWeights
        upper.addColumns(row, apart: column, step: step, weights, width: width, vectors: vectors)
      }
      row += rowBytes
      lower.addColumns(row, apart: column, step: step, weights, width: width, vectors: vectors)
    }
    let bias = loadFloats(block)
    let next = run.output + geometry.outputWidth &* pixelBytes
    if vectors == 1 {
      store(upper.s0, bias, count, to: run.output)
      if outputRows == 2 { store(lower.s0, bias, count, to: next) }
    } else {
      store(upper, bias, count, to: run.output, apart: step)
      if outputRows == 2 { store(lower, bias, count, to: next, apart: step) }
    }
  }
}

/// The input and output addresses of a run of windows.
private struct DepthwiseRun {
  /// The first number under the first row and column of the windows.
  var pixels: UnsafeRawPointer
  var output: UnsafeMutableRawPointer

  @inline(__always)
  mutating func advance(by vectors: Int) {
    pixels += vectors &* MemoryLayout<FloatVector>.size
    output += vectors &* MemoryLayout<FloatVector>.size
  }
}
