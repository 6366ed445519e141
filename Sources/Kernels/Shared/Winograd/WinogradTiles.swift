import OcellusKernelABI

// Tiles are transformed until a batch is full. The batch is then multiplied position by position by
// all panels, and its sums become results.

/// The operations of Winograd's method that differ between bytes and floats.
protocol WinogradMethod {
  associatedtype Epilogue
  associatedtype Arithmetic: TileArithmetic
  /// The tiles (GEMM rows) whose sums are in registers at once.
  associatedtype Rows: Literal

  /// The number of vectors of columns whose sums are in registers at once.
  static var vectorsAtOnce: Int { get }
  /// The size of an input element in bytes.
  static var inputBytes: Int { get }
  /// The size of a transformed element in bytes.
  static var rowBytes: Int { get }

  /// Returns the layout of the weights of `channels` channels.
  static func weights(channels: Int) -> WinogradWeights

  /// Fills a pixel with padding.
  func fillPadding(_ pixel: UnsafeMutableRawPointer)

  /// Writes the input transform `Bᵀ d B` of every channel of a tile, position by position.
  func transform(
    _ pixel: (Int) -> UnsafeRawPointer, to target: UnsafeMutableRawPointer, positionStride: Int)

  /// Applies the output transform `Aᵀ m A` and the epilogue to one vector of columns of all tiles.
  func write(_ sums: WinogradSums, panel: UnsafeRawPointer, column: Int)
}

/// The layout of packed weights: a head, then panels, each with its own head and then the weights
/// of every position.
struct WinogradWeights {
  var headBytes = 0
  var panelHeadBytes: Int
  var positionBytes: Int

  @inline(__always)
  var panelBytes: Int { panelHeadBytes &+ winogradPositions &* positionBytes }

  func byteCount(columns: Int) -> Int { headBytes &+ panelCount(columns) &* panelBytes }
}

/// The destination of a tile: the offset of its first pixel, and the pixel rows to write.
struct WinogradTarget {
  var offset: Int
  var rows: WinogradRows
}

/// The sums of a batch of tiles and one vector of columns.
struct WinogradSums {
  var count: Int
  var targets: UnsafePointer<WinogradTarget>
  /// The sums of the first tile at the first position.
  var first: UnsafeRawPointer
  /// The distances in bytes between tiles, and between positions.
  var tileStride: Int
  var positionStride: Int

  /// Returns the sums of a tile at the first of the four positions of a row.
  @inline(__always)
  func row(_ row: Int, ofTile tile: Int) -> UnsafeRawPointer {
    first + (tile &* tileStride &+ 4 &* row &* positionStride)
  }
}

/// Computes a block of the output.
@inline(__always)
func convolveByWinograd<Method: WinogradMethod>(
  _ arguments: GEMMBlock<Method.Epilogue>, _ method: Method
) {
  var tiles = WinogradTiles(arguments, method)
  let maximumTiles = tiles.scratch.tilesAtOnce(
    arguments.patches, rows: arguments.rows, tileRows: Method.Rows.value)
  forEachWinogradTile(of: arguments.patches, rows: arguments.rows) { tile in
    tiles.append(tile)
    if tiles.count == maximumTiles { tiles.applyEpilogue() }
  }
  if tiles.count > 0 { tiles.applyEpilogue() }
}

/// A batch of transformed tiles, to be multiplied together.
private struct WinogradTiles<Method: WinogradMethod> {
  private let arguments: GEMMBlock<Method.Epilogue>
  private let method: Method
  private let weights: WinogradWeights
  let scratch: WinogradScratch
  private let pixels: WinogradPixels
  private let targets: UnsafeMutablePointer<WinogradTarget>
  /// The offsets of the tiles (GEMM rows) from the first.
  private let offsets: UnsafePointer<Int32>
  private(set) var count = 0

  @inline(__always)
  init(_ arguments: GEMMBlock<Method.Epilogue>, _ method: Method) {
    self.arguments = arguments
    self.method = method
    weights = Method.weights(channels: arguments.patches.channels)
    scratch = WinogradScratch(arguments.patches, Method.self)
    let padding = arguments.scratch + scratch.padding
    method.fillPadding(padding)
    pixels = WinogradPixels(
      arguments.patches, input: arguments.input, elementBytes: Method.inputBytes,
      padding: UnsafeRawPointer(padding), pixels: arguments.scratch + scratch.pixels)
    targets = (arguments.scratch + scratch.targets)
      .assumingMemoryBound(to: WinogradTarget.self)
    offsets = scratch.writeOffsets(arguments.scratch)
  }

  @inline(__always)
  mutating func append(_ tile: WinogradTile) {
    let target = arguments.scratch + (scratch.rows &+ count &* scratch.rowBytes)
    pixels.visit(tile) {
      method.transform($0, to: target, positionStride: scratch.rowStride)
    }
    targets[count] = WinogradTarget(
      offset: tile.pixel &* arguments.outputStride, rows: tile.rows)
    count &+= 1
  }

  /// Multiplies all tiles by all panels, and writes the results.
  mutating func applyEpilogue() {
    let lanes = SumVector.scalarCount
    let columnsAtOnce = Method.vectorsAtOnce &* lanes
    for column in stride(
      from: arguments.columns.lowerBound, to: arguments.columns.upperBound, by: columnsAtOnce)
    {
      let width = smaller(columnsAtOnce, arguments.columns.upperBound &- column)
      let vectors = (width &+ lanes &- 1) / lanes
      let panel =
        arguments.packed + (weights.headBytes &+ column / lanes &* weights.panelBytes)
      for position in 0..<winogradPositions {
        let offset = weights.panelHeadBytes &+ position &* weights.positionBytes
        multiply(position, with: panel + offset, vectors)
      }
      for vector in 0..<vectors {
        let sums = WinogradSums(
          count: count, targets: targets,
          first: arguments.scratch + (scratch.sums &+ vector &* sumVectorBytes),
          tileStride: scratch.sumBytes, positionStride: scratch.sumsStride)
        method.write(
          sums, panel: panel + vector &* weights.panelBytes, column: column &+ vector &* lanes)
      }
    }
    count = 0
  }

  /// Computes the sums of one position.
  @inline(__always)
  private func multiply(_ position: Int, with weights: UnsafeRawPointer, _ vectors: Int) {
    let products = WinogradProducts<Method.Arithmetic>(
      rows: IndirectRows(
        start: arguments.scratch + (scratch.rows &+ position &* scratch.rowStride),
        offsets: offsets, count: count, runs: 1, runStride: 0, runBytes: scratch.rowBytes),
      rowBytes: scratch.rowBytes, sumBytes: scratch.sumBytes, weights: weights,
      panelStride: self.weights.panelBytes,
      sums: arguments.scratch + (scratch.sums &+ position &* scratch.sumsStride))
    switch vectors {
    case 1: products.multiply(Method.Rows.self, One.self)
    case 2 where Method.vectorsAtOnce > 1: products.multiply(Method.Rows.self, Two.self)
    case 3 where Method.vectorsAtOnce > 2: products.multiply(Method.Rows.self, Three.self)
    case 4 where Method.vectorsAtOnce > 3: products.multiply(Method.Rows.self, Four.self)
    default: break
    }
  }
}

/// The layout of the scratch memory.
///
/// It holds a vector, offsets of tiles, a pixel of padding, the addresses of input pixels, the
/// destinations of tiles, their transformed inputs, and their sums.
struct WinogradScratch {
  /// The number of tiles of a batch.
  var tiles: Int
  /// The sizes of a tile's transformed inputs at one position, and of its sums.
  var rowBytes: Int
  var sumBytes: Int
  var offsets: Int { sumVectorBytes }
  var padding: Int
  var pixels: Int
  var targets: Int
  var rows: Int
  var sums: Int
  var byteCount: Int

  // Not taken: batches that stay in the L1 cache (40×40×16 → 16: 0.96 times as fast on Zen 3,
  // 40×40×24 → 24: 0.87).
  /// The size of transformed inputs that a second-level cache holds besides weights.
  private static var rowsBytes: Int { 384 * 1024 }

  @inline(__always)
  init<Method: WinogradMethod>(_ geometry: PatchGeometry, _: Method.Type) {
    let tileRows = Method.Rows.value
    let pixelBytes = geometry.channels &* Method.inputBytes
    rowBytes = geometry.channels &* Method.rowBytes
    sumBytes = Method.vectorsAtOnce &* sumVectorBytes
    let fitting = WinogradScratch.rowsBytes / (winogradPositions &* rowBytes)
    tiles = larger(1, smaller(8, fitting / tileRows)) &* tileRows
    padding = roundUp(sumVectorBytes &+ 4 &* tiles, to: 64)
    pixels = roundUp(padding &+ pixelBytes &+ sumVectorBytes, to: 64)
    targets = pixels &+ winogradPositions &* 8
    rows = roundUp(targets &+ tiles &* MemoryLayout<WinogradTarget>.stride, to: 64)
    sums = 0
    byteCount = 0
    sums = roundUp(rows &+ winogradPositions &* rowStride, to: 64)
    byteCount = sums &+ winogradPositions &* sumsStride
  }

  /// The distance in bytes between positions, of transformed inputs and of sums.
  ///
  /// One extra cache line keeps the positions from competing for one set of the cache.
  @inline(__always)
  var rowStride: Int { tiles &* rowBytes &+ 64 }

  @inline(__always)
  var sumsStride: Int { tiles &* sumBytes &+ 64 }

  /// Returns the number of tiles of a batch such that all batches of a block have about the same
  /// size.
  @inline(__always)
  func tilesAtOnce(_ geometry: PatchGeometry, rows: Range<Int>, tileRows: Int) -> Int {
    let pairs = (rows.count / geometry.outputWidth &+ 1) / 2
    let count = larger(1, pairs &* ((geometry.outputWidth &+ geometry.dilationWidth) / 2))
    let blocks = (count &+ tiles &- 1) / tiles
    return roundUp((count &+ blocks &- 1) / blocks, to: tileRows)
  }

  /// Stores the offsets of tiles, and returns their address.
  @inline(__always)
  func writeOffsets(_ scratch: UnsafeMutableRawPointer) -> UnsafePointer<Int32> {
    let offsets = (scratch + self.offsets).assumingMemoryBound(to: Int32.self)
    for row in 0..<tiles { offsets[row] = Int32(truncatingIfNeeded: row &* rowBytes) }
    return UnsafePointer(offsets)
  }
}

/// The multiplication of all tiles by a panel group at one position.
private struct WinogradProducts<Arithmetic: TileArithmetic> {
  var rows: IndirectRows
  /// The distance in bytes between tiles, of transformed inputs and of sums.
  var rowBytes: Int
  var sumBytes: Int
  var weights: UnsafeRawPointer
  var panelStride: Int
  var sums: UnsafeMutableRawPointer

  /// Computes all tiles, out of line so that accumulators share the registers with nothing else.
  @inline(never)
  func multiply<Rows: Literal, Vectors: Literal>(_: Rows.Type, _: Vectors.Type) {
    var left = rows.count
    var (rows, sums) = (rows, sums)
    while left > Rows.value / 2 {
      multiply(rows, to: sums, Rows.self, Vectors.self)
      rows.start += Rows.value &* rowBytes
      sums += Rows.value &* sumBytes
      left &-= Rows.value
    }
    // Rows after the last tile are computed too, but nobody reads them.
    if left > 0 && Rows.value > 6 {
      multiply(rows, to: sums, Four.self, Vectors.self)
    } else if left > 0 {
      multiply(rows, to: sums, Three.self, Vectors.self)
    }
  }

  @inline(__always)
  private func multiply<Rows: Literal, Vectors: Literal>(
    _ rows: IndirectRows, to sums: UnsafeMutableRawPointer, _: Rows.Type, _: Vectors.Type
  ) {
    var tile = AccumulatorTile<Arithmetic, Rows, Vectors>(panel: weights, panelStride: panelStride)
    tile.addProducts(rows, row: 0, weights: weights, panelStride: panelStride)
    let vectors = Vectors.value
    tile.r0.store(to: sums, vectors: vectors)
    tile.r1.store(to: sums + sumBytes, vectors: vectors)
    tile.r2.store(to: sums + 2 &* sumBytes, vectors: vectors)
    if Rows.value > 3 { tile.r3.store(to: sums + 3 &* sumBytes, vectors: vectors) }
    if Rows.value > 4 { tile.r4.store(to: sums + 4 &* sumBytes, vectors: vectors) }
    if Rows.value > 5 { tile.r5.store(to: sums + 5 &* sumBytes, vectors: vectors) }
    if Rows.value > 6 { tile.r6.store(to: sums + 6 &* sumBytes, vectors: vectors) }
    if Rows.value > 7 { tile.r7.store(to: sums + 7 &* sumBytes, vectors: vectors) }
  }
}
