/// A tile with transposed operands: a `TileOperands` with weights and input exchanged.
struct PlanarTile {
  /// The first pixel under the first element of the window.
  var pixels: UnsafeRawPointer
  /// The byte offset of the pixels under each element of the window.
  var offsets: UnsafePointer<Int>
  /// One vector per element of the window, with the weights of all outputs.
  var weights: UnsafeRawPointer
  /// The biases of the outputs.
  var biases: UnsafeRawPointer
  var steps: Int
  /// The destination of the sums, four vectors per output.
  var sums: UnsafeMutableRawPointer
}

/// Computes a tile of one to eight outputs and two or four vectors of pixels.
func multiplyPlanes<Arithmetic: TileArithmetic>(
  _ tile: PlanarTile, _ arithmetic: Arithmetic.Type, outputs: Int, hasFourVectors: Bool
) {
  switch (outputs, hasFourVectors) {
  case (1, true): multiply(tile, arithmetic, One.self, Four.self)
  case (2, true): multiply(tile, arithmetic, Two.self, Four.self)
  case (3, true): multiply(tile, arithmetic, Three.self, Four.self)
  case (4, true): multiply(tile, arithmetic, Four.self, Four.self)
  case (5, true): multiply(tile, arithmetic, Five.self, Four.self)
  case (6, true): multiply(tile, arithmetic, Six.self, Four.self)
  case (1, _): multiply(tile, arithmetic, One.self, Two.self)
  case (2, _): multiply(tile, arithmetic, Two.self, Two.self)
  case (3, _): multiply(tile, arithmetic, Three.self, Two.self)
  case (4, _): multiply(tile, arithmetic, Four.self, Two.self)
  case (5, _): multiply(tile, arithmetic, Five.self, Two.self)
  case (6, _): multiply(tile, arithmetic, Six.self, Two.self)
  case (7, _): multiply(tile, arithmetic, Seven.self, Two.self)
  default: multiply(tile, arithmetic, Eight.self, Two.self)
  }
}

@inline(never)
private func multiply<Arithmetic: TileArithmetic, Outputs: Literal, Vectors: Literal>(
  _ tile: PlanarTile, _: Arithmetic.Type, _: Outputs.Type, _: Vectors.Type
) {
  let (outputs, vectors) = (Outputs.value, Vectors.value)
  @inline(__always)
  func start(_ output: Int) -> AccumulatorRow<Arithmetic> {
    // Heads of outputs that the tile does not have are not read.
    let head = tile.biases + (output < outputs ? output &* 4 : 0)
    return AccumulatorRow(head, stride: 0, vectors: vectors) { Arithmetic.start(ofColumn: $0) }
  }
  var r0 = start(0)
  var r1 = start(1)
  var r2 = start(2)
  var r3 = start(3)
  var r4 = start(4)
  var r5 = start(5)
  var r6 = start(6)
  var r7 = start(7)
  let size = MemoryLayout<Arithmetic.Vector>.size
  var weights = tile.weights
  for step in 0..<tile.steps {
    let pixels = AccumulatorRow<Arithmetic>(
      tile.pixels + tile.offsets[step], stride: size, vectors: vectors
    ) { Arithmetic.load($0) }
    r0.add(weights, pixels, vectors: vectors)
    if outputs > 1 { r1.add(weights + 4, pixels, vectors: vectors) }
    if outputs > 2 { r2.add(weights + 8, pixels, vectors: vectors) }
    if outputs > 3 { r3.add(weights + 12, pixels, vectors: vectors) }
    if outputs > 4 { r4.add(weights + 16, pixels, vectors: vectors) }
    if outputs > 5 { r5.add(weights + 20, pixels, vectors: vectors) }
    if outputs > 6 { r6.add(weights + 24, pixels, vectors: vectors) }
    if outputs > 7 { r7.add(weights + 28, pixels, vectors: vectors) }
    weights += size
  }
  let stride = 4 &* size
  r0.store(to: tile.sums, vectors: vectors)
  if outputs > 1 { r1.store(to: tile.sums + stride, vectors: vectors) }
  if outputs > 2 { r2.store(to: tile.sums + 2 &* stride, vectors: vectors) }
  if outputs > 3 { r3.store(to: tile.sums + 3 &* stride, vectors: vectors) }
  if outputs > 4 { r4.store(to: tile.sums + 4 &* stride, vectors: vectors) }
  if outputs > 5 { r5.store(to: tile.sums + 5 &* stride, vectors: vectors) }
  if outputs > 6 { r6.store(to: tile.sums + 6 &* stride, vectors: vectors) }
  if outputs > 7 { r7.store(to: tile.sums + 7 &* stride, vectors: vectors) }
}
