import OcellusKernelABI

// XNNPACK follows a window column by column. Neighbouring windows of a row then share the pixels
// of a column, but each multiplies them by the weights of another column.

extension FloatDepthwiseRow {
  /// Computes windows inside the width of the input in fours, each column by column; the last four
  /// may overlap those before.
  ///
  /// - Returns: the first window that is not computed.
  func convolveColumns(_ first: Int, _ last: Int) -> Int {
    if last &- first < 4 { return first }
    switch (geometry.windowWidth, rows.count, geometry.strideWidth) {
    case (3, 3, 1): return convolveThreeColumns(first, last, Three.self, One.self)
    case (3, 3, 2): return convolveThreeColumns(first, last, Three.self, Two.self)
    case (3, 2, 1): return convolveThreeColumns(first, last, Two.self, One.self)
    case (3, 2, 2): return convolveThreeColumns(first, last, Two.self, Two.self)
    default: return convolveAnyColumns(first, last)
    }
  }

  @inline(never)
  private func convolveAnyColumns(_ first: Int, _ last: Int) -> Int {
    forEachFour(first, last) { convolveFourColumns($0) }
  }

  @inline(never)
  private func convolveThreeColumns<Height: Literal, Stride: Literal>(
    _ first: Int, _ last: Int, _ height: Height.Type, _ stride: Stride.Type
  ) -> Int {
    if geometry.dilationWidth > 1 { return convolveAnyColumns(first, last) }
    return forEachFour(first, last) { convolveFour($0, height, stride) }
  }

  @inline(__always)
  private func forEachFour(_ first: Int, _ last: Int, _ convolve: (_ x: Int) -> Void) -> Int {
    var x = first
    while last &- x > 1 {
      x = smaller(x, last &- 4)
      convolve(x)
      x &+= 4
    }
    return x
  }

  /// Computes four windows of three columns, whose weights stay in registers: so every pixel is
  /// loaded once, although the windows that share it are at different columns.
  @inline(__always)
  private func convolveFour<Height: Literal, Stride: Literal>(
    _ x: Int, _: Height.Type, _: Stride.Type
  ) {
    let rowWeights = 3 &* Self.vectorBytes
    let left = x &* Stride.value &- geometry.paddingLeft
    var pixels = top + (rows.lowerBound &* rowBytes &+ left &* pixelBytes)
    var block = arguments.packed
    var target = output + x &* pixelBytes
    var count = geometry.channels
    while count > 0 {
      let bias = loadFloats(block)
      let weights = block + (Self.vectorBytes &+ rows.lowerBound &* rowWeights)
      var sums = ColumnSums<Rounding, Height, Stride>(startingWith: bias, weights, rowWeights)
      sums.addAll(pixels, apart: pixelBytes, rowBytes: rowBytes)
      store(sums.sums, bias, count, to: target, apart: pixelBytes)
      pixels += Self.vectorBytes
      target += Self.vectorBytes
      block += blockBytes
      count &-= FloatVector.scalarCount
    }
  }

  @inline(__always)
  private func convolveFourColumns(_ x: Int) {
    let vectorBytes = Self.vectorBytes
    let apart = geometry.strideWidth &* pixelBytes
    let columnBytes = geometry.dilationWidth &* pixelBytes
    let rowWeights = geometry.windowWidth &* vectorBytes
    let left = x &* geometry.strideWidth &- geometry.paddingLeft
    var window = top + (rows.lowerBound &* rowBytes &+ left &* pixelBytes)
    var block = arguments.packed
    var target = output + x &* pixelBytes
    var count = geometry.channels
    while count > 0 {
      var sums = WindowSums<Rounding>()
      sums.s0 = start(block)
      sums.s1 = sums.s0
      sums.s2 = sums.s0
      sums.s3 = sums.s0
      var column = window
      // The weights follow the bias.
      var weights = block + (vectorBytes &+ rows.lowerBound &* rowWeights)
      for _ in 0..<geometry.windowWidth {
        var pixels = column, weight = weights
        for _ in rows {
          sums.add(FourVectors(pixels, step: apart, vectors: 4), loadFloats(weight), vectors: 4)
          pixels += rowBytes
          weight += rowWeights
        }
        column += columnBytes
        weights += vectorBytes
      }
      store(sums, FloatVector(), count, to: target, apart: pixelBytes)
      window += vectorBytes
      target += vectorBytes
      block += blockBytes
      count &-= FloatVector.scalarCount
    }
  }
}

/// One column of up to three vectors: pixels or weights.
private struct ColumnVectors<Height: Literal> {
  var upper, middle, lower: FloatVector

  @inline(__always)
  init(_ address: UnsafeRawPointer, apart: Int) {
    upper = loadFloats(address)
    middle = loadFloats(address + apart)
    lower = Height.value > 2 ? loadFloats(address + 2 &* apart) : middle
  }
}

/// The sums of four neighbouring windows of three columns.
private struct ColumnSums<Rounding: MultiplyAdd, Height: Literal, Stride: Literal> {
  private(set) var sums = WindowSums<Rounding>()
  private let left, centre, right: ColumnVectors<Height>

  @inline(__always)
  init(startingWith bias: FloatVector, _ weights: UnsafeRawPointer, _ rowWeights: Int) {
    left = ColumnVectors(weights, apart: rowWeights)
    centre = ColumnVectors(weights + MemoryLayout<FloatVector>.size, apart: rowWeights)
    right = ColumnVectors(weights + 2 &* MemoryLayout<FloatVector>.size, apart: rowWeights)
    sums.s0 = bias
    sums.s1 = bias
    sums.s2 = bias
    sums.s3 = bias
  }

  /// Adds the products of all columns of pixels under the windows.
  @inline(__always)
  mutating func addAll(_ pixels: UnsafeRawPointer, apart: Int, rowBytes: Int) {
    add(pixels, 0, apart, rowBytes)
    add(pixels, 1, apart, rowBytes)
    add(pixels, 2, apart, rowBytes)
    add(pixels, 3, apart, rowBytes)
    add(pixels, 4, apart, rowBytes)
    add(pixels, 5, apart, rowBytes)
    if Stride.value > 1 {
      add(pixels, 6, apart, rowBytes)
      add(pixels, 7, apart, rowBytes)
      add(pixels, 8, apart, rowBytes)
    }
  }

  /// Adds the products of one column of pixels; `column` is a literal at every call.
  @inline(__always)
  private mutating func add(
    _ pixels: UnsafeRawPointer, _ column: Int, _ apart: Int, _ rowBytes: Int
  ) {
    let vectors = ColumnVectors<Height>(pixels + column &* apart, apart: rowBytes)
    add(vectors, column, to: &sums.s0)
    add(vectors, column &- Stride.value, to: &sums.s1)
    add(vectors, column &- 2 &* Stride.value, to: &sums.s2)
    add(vectors, column &- 3 &* Stride.value, to: &sums.s3)
  }

  @inline(__always)
  private func add(_ pixels: ColumnVectors<Height>, _ column: Int, to sum: inout FloatVector) {
    if column < 0 || column > 2 { return }
    let weights = column == 0 ? left : column == 1 ? centre : right
    sum = Rounding.multiplyAdd(sum, pixels.upper, weights.upper)
    sum = Rounding.multiplyAdd(sum, pixels.middle, weights.middle)
    if Height.value > 2 { sum = Rounding.multiplyAdd(sum, pixels.lower, weights.lower) }
  }
}
