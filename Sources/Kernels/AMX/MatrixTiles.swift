import CMatrixTiles
import OcellusKernelABI

/// The tile registers of the processor.
struct MatrixTiles {
  /// The memory of a configuration.
  static var memoryByteCount: Int { 64 }

  private let configuration: UnsafeMutableRawPointer

  @inline(__always)
  init(memory: UnsafeMutableRawPointer) { configuration = memory }

  /// Sets the numbers of rows of the upper and lower tiles of a block.
  @inline(__always)
  func configure(upperRows: Int, lowerRows: Int) {
    fillWithZeros(configuration, count: Self.memoryByteCount)
    // Palette 1: eight tiles, whose sizes follow, first the bytes of a row and then the rows.
    store(1 as UInt8, to: configuration)
    let columnBytes = UInt8(truncatingIfNeeded: sumVectorBytes)
    func set(_ tile: Int, rows: Int, bytes: UInt8) {
      store(rows > 0 ? bytes : 0, to: configuration + (16 &+ 2 &* tile))
      store(UInt8(truncatingIfNeeded: rows), to: configuration + (48 &+ tile))
    }
    set(0, rows: upperRows, bytes: columnBytes)
    set(1, rows: upperRows, bytes: columnBytes)
    set(2, rows: lowerRows, bytes: columnBytes)
    set(3, rows: lowerRows, bytes: columnBytes)
    set(4, rows: upperRows, bytes: UInt8(truncatingIfNeeded: Self.depth))
    set(5, rows: lowerRows, bytes: UInt8(truncatingIfNeeded: Self.depth))
    set(6, rows: Self.depth / 4, bytes: columnBytes)
    set(7, rows: Self.depth / 4, bytes: columnBytes)
    tiles_configure(configuration)
  }

  /// Returns the registers to their initial state, so that threads are switched quickly.
  @inline(__always)
  func release() { tiles_release() }

  /// Sets every row of sums to those of the panels' heads.
  @inline(__always)
  func startSums<Tiles: Literal, Panels: Literal>(
    _ panel: UnsafeRawPointer, panelStride: Int, _: Tiles.Type, _: Panels.Type
  ) {
    tiles_load_sums_0(panel, 0)
    if Panels.value > 1 { tiles_load_sums_1(panel + panelStride, 0) }
    guard Tiles.value > 1 else { return }
    tiles_load_sums_2(panel, 0)
    if Panels.value > 1 { tiles_load_sums_3(panel + panelStride, 0) }
  }

  @inline(__always)
  func loadUpperRows(_ rows: TileOperand) { tiles_load_rows_0(rows.start, rows.stride) }

  @inline(__always)
  func loadLowerRows(_ rows: TileOperand) { tiles_load_rows_1(rows.start, rows.stride) }

  /// Adds the products of the rows and the weights of one or two panels.
  @inline(__always)
  func multiply<Tiles: Literal, Panels: Literal>(
    _ weights: UnsafeRawPointer, panelStride: Int, _: Tiles.Type, _: Panels.Type
  ) {
    tiles_load_weights_0(weights, sumVectorBytes)
    tiles_multiply_0()
    if Tiles.value > 1 { tiles_multiply_2() }
    guard Panels.value > 1 else { return }
    tiles_load_weights_1(weights + panelStride, sumVectorBytes)
    tiles_multiply_1()
    if Tiles.value > 1 { tiles_multiply_3() }
  }

  /// Adds the products of bfloat16 numbers of the rows and the weights of one or two panels.
  @inline(__always)
  func multiplyBFloat16<Tiles: Literal, Panels: Literal>(
    _ weights: UnsafeRawPointer, panelStride: Int, _: Tiles.Type, _: Panels.Type
  ) {
    tiles_load_weights_0(weights, sumVectorBytes)
    tiles_multiply_bfloat16_0()
    if Tiles.value > 1 { tiles_multiply_bfloat16_2() }
    guard Panels.value > 1 else { return }
    tiles_load_weights_1(weights + panelStride, sumVectorBytes)
    tiles_multiply_bfloat16_1()
    if Tiles.value > 1 { tiles_multiply_bfloat16_3() }
  }

  /// Stores the sums, `stride` bytes between rows, with the second panel beside the first.
  @inline(__always)
  func storeSums<Tiles: Literal, Panels: Literal>(
    to sums: UnsafeMutableRawPointer, stride: Int, _: Tiles.Type, _: Panels.Type
  ) {
    tiles_store_sums_0(sums, stride)
    if Panels.value > 1 { tiles_store_sums_1(sums + sumVectorBytes, stride) }
    guard Tiles.value > 1 else { return }
    let lower = sums + Self.rows &* stride
    tiles_store_sums_2(lower, stride)
    if Panels.value > 1 { tiles_store_sums_3(lower + sumVectorBytes, stride) }
  }
}
