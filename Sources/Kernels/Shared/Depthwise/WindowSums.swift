/// Four vectors of sums that a depthwise convolution computes at once.
struct WindowSums<Rounding: MultiplyAdd> {
  var s0 = FloatVector()
  var s1 = FloatVector()
  var s2 = FloatVector()
  var s3 = FloatVector()

  /// Adds the products of one row of pixels under four neighbouring windows.
  @inline(__always)
  mutating func addRow<Width: Literal, Stride: Literal>(
    _ pixels: UnsafeRawPointer, apart pixelBytes: Int, _ weights: UnsafeRawPointer,
    _ width: Width.Type, _ stride: Stride.Type
  ) {
    let last = 3 &* Stride.value &+ Width.value &- 1
    add(loadFloats(pixels), weights, 0, width, stride)
    add(loadFloats(pixels + pixelBytes), weights, 1, width, stride)
    add(loadFloats(pixels + 2 &* pixelBytes), weights, 2, width, stride)
    add(loadFloats(pixels + 3 &* pixelBytes), weights, 3, width, stride)
    add(loadFloats(pixels + 4 &* pixelBytes), weights, 4, width, stride)
    add(loadFloats(pixels + 5 &* pixelBytes), weights, 5, width, stride)
    if last > 5 { add(loadFloats(pixels + 6 &* pixelBytes), weights, 6, width, stride) }
    if last > 6 { add(loadFloats(pixels + 7 &* pixelBytes), weights, 7, width, stride) }
    if last > 7 { add(loadFloats(pixels + 8 &* pixelBytes), weights, 8, width, stride) }
    if last > 8 { add(loadFloats(pixels + 9 &* pixelBytes), weights, 9, width, stride) }
    if last > 9 { add(loadFloats(pixels + 10 &* pixelBytes), weights, 10, width, stride) }
  }

  /// Adds the products of the pixel in one column; `column` is a literal at every call.
  @inline(__always)
  private mutating func add<Width: Literal, Stride: Literal>(
    _ pixel: FloatVector, _ weights: UnsafeRawPointer, _ column: Int, _: Width.Type,
    _: Stride.Type
  ) {
    let (width, stride) = (Width.value, Stride.value)
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
      ? loadFloats(weights + column &* MemoryLayout<FloatVector>.size) : nil
  }

  /// Adds the products of the first `vectors` vectors, 1 or 4, and one vector of weights.
  @inline(__always)
  mutating func add(_ pixels: FourVectors, _ weight: FloatVector, vectors: Int) {
    s0 = Rounding.multiplyAdd(s0, pixels.v0, weight)
    if vectors == 1 { return }
    s1 = Rounding.multiplyAdd(s1, pixels.v1, weight)
    s2 = Rounding.multiplyAdd(s2, pixels.v2, weight)
    s3 = Rounding.multiplyAdd(s3, pixels.v3, weight)
  }

  /// Adds the products of one row of a window, whose columns are `column` bytes apart.
  ///
  /// `width` (at most 5) and `vectors` are compile-time constants.
  @inline(__always)
  mutating func addColumns(
    _ row: UnsafeRawPointer, apart column: Int, step: Int, _ weights: UnsafeRawPointer, width: Int,
    vectors: Int
  ) {
    let size = MemoryLayout<FloatVector>.size
    add(FourVectors(row, step: step, vectors: vectors), loadFloats(weights), vectors: vectors)
    if width == 1 { return }
    add(
      FourVectors(row + column, step: step, vectors: vectors), loadFloats(weights + size),
      vectors: vectors)
    add(
      FourVectors(row + 2 &* column, step: step, vectors: vectors),
      loadFloats(weights + 2 &* size), vectors: vectors)
    if width == 3 { return }
    add(
      FourVectors(row + 3 &* column, step: step, vectors: vectors),
      loadFloats(weights + 3 &* size), vectors: vectors)
    add(
      FourVectors(row + 4 &* column, step: step, vectors: vectors),
      loadFloats(weights + 4 &* size), vectors: vectors)
  }
}

/// One vector, or four vectors that are `step` bytes apart.
struct FourVectors {
  var v0, v1, v2, v3: FloatVector

  /// Loads the vectors; `vectors` is a literal at every call.
  @inline(__always)
  init(_ address: UnsafeRawPointer, step: Int, vectors: Int) {
    v0 = loadFloats(address)
    v1 = vectors == 1 ? v0 : loadFloats(address + step)
    v2 = vectors == 1 ? v0 : loadFloats(address + 2 &* step)
    v3 = vectors == 1 ? v0 : loadFloats(address + 3 &* step)
  }
}
