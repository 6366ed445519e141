import OcellusKernelABI

// Tiles are transformed until there are enough of them, then multiplied place by place with all panels, whose sums become
// results.

/// What bytes and floats do each in its own way.
protocol WinogradMethod {
  associatedtype Finish
  associatedtype Arithmetic: TileArithmetic
  /// The tiles whose products are in registers at once.
  associatedtype Rows: Literal

  /// The vectors of columns whose products are.
  static var vectorsAtOnce: Int { get }
  /// The bytes of a number of the input.
  static var inputBytes: Int { get }
  /// The bytes of a sum or difference of such.
  static var rowBytes: Int { get }

  /// How the weights of so many channels are packed.
  static func weights(channels: Int) -> WinogradWeights

  /// Fills a pixel with what stands for zero.
  func fillPadding(_ pixel: UnsafeMutableRawPointer)

  /// Writes sums and differences of the pixels under a tile, `Bᵀ d B` of every channel, place by place.
  func transform(
    _ pixel: (Int) -> UnsafeRawPointer, to target: UnsafeMutableRawPointer, placeStride: Int)

  /// Writes what becomes of the sums of products, `Aᵀ m A`, in a vector of columns of all tiles.
  func write(_ sums: WinogradSums, panel: UnsafeRawPointer, column: Int)
}

/// Where packed weights are: after a head panels, each with a head of its own and, place by place, some vectors.
struct WinogradWeights {
  var headBytes = 0
  var panelHeadBytes: Int
  var placeBytes: Int

  @inline(__always)
  var panelBytes: Int { panelHeadBytes &+ winogradPlaces &* placeBytes }

  func byteCount(columns: Int) -> Int { headBytes &+ panelCount(columns) &* panelBytes }
}

/// Where a tile goes: the first of its pixels, and which of its lines.
struct WinogradTarget {
  var offset: Int
  var lines: WinogradLines
}

/// The sums of products of some tiles and a vector of columns.
struct WinogradSums {
  var count: Int
  var targets: UnsafePointer<WinogradTarget>
  /// Those of the first tile in the first place.
  var first: UnsafeRawPointer
  /// The bytes to those of the next tile, and of the next place.
  var tileStride: Int
  var placeStride: Int

  /// The first of a tile's four places of a line.
  @inline(__always)
  func line(_ line: Int, ofTile tile: Int) -> UnsafeRawPointer {
    first + (tile &* tileStride &+ 4 &* line &* placeStride)
  }
}

/// Computes a block of results.
@inline(__always)
func convolveByWinograd<Method: WinogradMethod>(
  _ arguments: ProductBlock<Method.Finish>, _ method: Method
) {
  var tiles = WinogradTiles(arguments, method)
  let most = tiles.scratch.tilesAtOnce(
    arguments.patches, rows: arguments.rows, tileRows: Method.Rows.value)
  forEachWinogradTile(of: arguments.patches, rows: arguments.rows) { tile in
    tiles.append(tile)
    if tiles.count == most { tiles.finish() }
  }
  if tiles.count > 0 { tiles.finish() }
}

/// Transformed tiles that wait for being multiplied.
private struct WinogradTiles<Method: WinogradMethod> {
  private let arguments: ProductBlock<Method.Finish>
  private let method: Method
  private let weights: WinogradWeights
  let scratch: WinogradScratch
  private let pixels: WinogradPixels
  private let targets: UnsafeMutablePointer<WinogradTarget>
  /// How far the rows of a tile of sums are from the first.
  private let offsets: UnsafePointer<Int32>
  private(set) var count = 0

  @inline(__always)
  init(_ arguments: ProductBlock<Method.Finish>, _ method: Method) {
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
      method.transform($0, to: target, placeStride: scratch.rowStride)
    }
    targets[count] = WinogradTarget(
      offset: tile.pixel &* arguments.outputStride, lines: tile.lines)
    count &+= 1
  }

  /// Multiplies all tiles with all panels and writes what they become.
  mutating func finish() {
    let lanes = SumVector.scalarCount
    let most = Method.vectorsAtOnce &* lanes
    for column in stride(
      from: arguments.columns.lowerBound, to: arguments.columns.upperBound, by: most)
    {
      let width = smaller(most, arguments.columns.upperBound &- column)
      let vectors = (width &+ lanes &- 1) / lanes
      let panel =
        arguments.packed + (weights.headBytes &+ column / lanes &* weights.panelBytes)
      for place in 0..<winogradPlaces {
        let offset = weights.panelHeadBytes &+ place &* weights.placeBytes
        multiply(place, with: panel + offset, vectors)
      }
      for vector in 0..<vectors {
        let sums = WinogradSums(
          count: count, targets: targets,
          first: arguments.scratch + (scratch.sums &+ vector &* sumVectorBytes),
          tileStride: scratch.sumBytes, placeStride: scratch.sumsStride)
        method.write(
          sums, panel: panel + vector &* weights.panelBytes, column: column &+ vector &* lanes)
      }
    }
    count = 0
  }

  /// The sums of products in one place.
  @inline(__always)
  private func multiply(_ place: Int, with weights: UnsafeRawPointer, _ vectors: Int) {
    let products = WinogradProducts<Method.Arithmetic>(
      rows: StripRows(
        start: arguments.scratch + (scratch.rows &+ place &* scratch.rowStride),
        offsets: offsets, count: count, runs: 1, runStride: 0, runBytes: scratch.rowBytes),
      rowBytes: scratch.rowBytes, sumBytes: scratch.sumBytes, weights: weights,
      panelStride: self.weights.panelBytes,
      sums: arguments.scratch + (scratch.sums &+ place &* scratch.sumsStride))
    switch vectors {
    case 1: products.multiply(Method.Rows.self, One.self)
    case 2 where Method.vectorsAtOnce > 1: products.multiply(Method.Rows.self, Two.self)
    case 3 where Method.vectorsAtOnce > 2: products.multiply(Method.Rows.self, Three.self)
    case 4 where Method.vectorsAtOnce > 3: products.multiply(Method.Rows.self, Four.self)
    default: break
    }
  }
}

/// The parts of the scratch memory: a vector, offsets of rows, a pixel of padding, the pixels under a tile, where tiles
/// go, their sums and differences, and their sums of products.
struct WinogradScratch {
  /// The tiles that are multiplied at once.
  var tiles: Int
  /// The sums and differences of a tile in one place, and its sums of products.
  var rowBytes: Int
  var sumBytes: Int
  var offsets: Int { sumVectorBytes }
  var padding: Int
  var pixels: Int
  var targets: Int
  var rows: Int
  var sums: Int
  var byteCount: Int

  /// What a second-level cache holds beside weights.
  private static var rowsBytes: Int { 384 * 1024 }

  @inline(__always)
  init<Method: WinogradMethod>(_ geometry: PatchGeometry, _: Method.Type) {
    let tileRows = Method.Rows.value
    let pixelBytes = geometry.channels &* Method.inputBytes
    rowBytes = geometry.channels &* Method.rowBytes
    sumBytes = Method.vectorsAtOnce &* sumVectorBytes
    let fitting = WinogradScratch.rowsBytes / (winogradPlaces &* rowBytes)
    tiles = larger(1, smaller(8, fitting / tileRows)) &* tileRows
    padding = roundUp(sumVectorBytes &+ 4 &* tiles, to: 64)
    pixels = roundUp(padding &+ pixelBytes &+ sumVectorBytes, to: 64)
    targets = pixels &+ winogradPlaces &* 8
    rows = roundUp(targets &+ tiles &* MemoryLayout<WinogradTarget>.stride, to: 64)
    sums = 0
    byteCount = 0
    sums = roundUp(rows &+ winogradPlaces &* rowStride, to: 64)
    byteCount = sums &+ winogradPlaces &* sumsStride
  }

  /// From a place to the next, of rows and of sums: a line further than they take, or many places would share one of a
  /// cache's sets.
  @inline(__always)
  var rowStride: Int { tiles &* rowBytes &+ 64 }

  @inline(__always)
  var sumsStride: Int { tiles &* sumBytes &+ 64 }

  /// The tiles of blocks that have about as many each.
  @inline(__always)
  func tilesAtOnce(_ geometry: PatchGeometry, rows: Range<Int>, tileRows: Int) -> Int {
    let pairs = (rows.count / geometry.outputWidth &+ 1) / 2
    let count = larger(1, pairs &* ((geometry.outputWidth &+ geometry.dilationWidth) / 2))
    let blocks = (count &+ tiles &- 1) / tiles
    return roundUp((count &+ blocks &- 1) / blocks, to: tileRows)
  }

  /// Writes the offsets of rows, and tells where they are.
  @inline(__always)
  func writeOffsets(_ scratch: UnsafeMutableRawPointer) -> UnsafePointer<Int32> {
    let offsets = (scratch + self.offsets).assumingMemoryBound(to: Int32.self)
    for row in 0..<tiles { offsets[row] = Int32(truncatingIfNeeded: row &* rowBytes) }
    return UnsafePointer(offsets)
  }
}

/// The products of all tiles in one place with some panels.
private struct WinogradProducts<Arithmetic: TileArithmetic> {
  var rows: StripRows
  /// The bytes from a row to the next, of rows and of sums.
  var rowBytes: Int
  var sumBytes: Int
  var weights: UnsafeRawPointer
  var panelStride: Int
  var sums: UnsafeMutableRawPointer

  /// A function of its own, so that sums need share the registers with nothing else.
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
    // What there is behind the last row no one reads.
    if left > 0 && Rows.value > 6 {
      multiply(rows, to: sums, Four.self, Vectors.self)
    } else if left > 0 {
      multiply(rows, to: sums, Three.self, Vectors.self)
    }
  }

  @inline(__always)
  private func multiply<Rows: Literal, Vectors: Literal>(
    _ rows: StripRows, to sums: UnsafeMutableRawPointer, _: Rows.Type, _: Vectors.Type
  ) {
    var tile = RowTile<Arithmetic, Rows, Vectors>(panel: weights, panelStride: panelStride)
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
