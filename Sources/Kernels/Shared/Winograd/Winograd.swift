import OcellusKernelABI

// Winograd's method F(2×2, 3×3) computes a tile of 2×2 output pixels from 4×4 input pixels. Inputs
// d and weights g are transformed into `Bᵀ d B` and `G g Gᵀ`, of 4×4 positions each. Their
// products, position by position and summed over all channels, give m, and the outputs are `Aᵀ m
// A`. That takes 16 products instead of 4 · 9.

/// The number of positions in a transformed tile: 4×4.
let winogradPositions = 16

/// The 2×2 output pixels of a tile, as far apart as the taps of a window (the dilation).
struct WinogradTile {
  var image: Int
  /// The position of the first pixel.
  var y, x: Int
  /// The index of the first pixel, as a GEMM row.
  var pixel: Int
  var rows: WinogradRows
}

/// The pixel rows of a tile to write; the other row belongs to another block.
enum WinogradRows {
  case both, upper, lower
}

/// Visits the tiles of a range of whole output rows.
///
/// An output row is always in the same tile, whichever rows are asked for: the rounding of floats
/// depends on the position in the tile.
@inline(__always)
func forEachWinogradTile(
  of geometry: PatchGeometry, rows: Range<Int>, _ body: (WinogradTile) -> Void
) {
  let (width, height) = (geometry.outputWidth, geometry.outputHeight)
  let vertical = WinogradPairs(extent: height, distance: geometry.dilationHeight)
  let horizontal = WinogradPairs(extent: width, distance: geometry.dilationWidth)
  let (start, end) = (rows.lowerBound / width, rows.upperBound / width)
  for row in start..<end {
    let image = row / height
    let y = row &- image &* height
    guard let (top, computed) = vertical.pair(of: y, among: (start &- row &+ y)..<(end &- row &+ y))
    else { continue }
    let first = (row &- y &+ top) &* width
    horizontal.forEach { x in
      body(WinogradTile(image: image, y: top, x: x, pixel: first &+ x, rows: computed))
    }
  }
}

/// The pairs into which output rows (or columns) are grouped, `distance` apart.
///
/// If the number is odd, the last row is paired with the one before, which is also in another pair.
private struct WinogradPairs {
  var extent: Int
  var distance: Int

  /// Returns the number of rows of one dilation phase.
  @inline(__always)
  private func count(_ phase: Int) -> Int { (extent &- phase &+ distance &- 1) / distance }

  /// Returns the first row of the pair of `row`, and which rows of the pair to compute.
  ///
  /// - Returns: `nil` if the row is computed with the one before, which is among `rows`.
  @inline(__always)
  func pair(of row: Int, among rows: Range<Int>) -> (first: Int, rows: WinogradRows)? {
    let index = row / distance
    let phase = row &- index &* distance
    let first = phase &+ smaller(index & ~1, count(phase) &- 2) &* distance
    if row == first { return (first, row &+ distance < rows.upperBound ? .both : .upper) }
    let isSecond = index & 1 == 1
    return isSecond && first >= rows.lowerBound ? nil : (first, .lower)
  }

  /// Visits the first column of every pair.
  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    for phase in 0..<distance {
      let count = count(phase)
      for index in 0..<(count &+ 1) / 2 {
        body(phase &+ smaller(2 &* index, count &- 2) &* distance)
      }
    }
  }
}

/// The input pixels under a tile.
struct WinogradPixels {
  private let geometry: PatchGeometry
  private let input: UnsafeRawPointer
  private let elementBytes: Int
  private let padding: UnsafeRawPointer
  private let pixels: UnsafeMutablePointer<UnsafeRawPointer>

  /// Creates the lookup; `padding` is a pixel of padding, and `pixels` has space for 16 addresses.
  @inline(__always)
  init(
    _ geometry: PatchGeometry, input: UnsafeRawPointer, elementBytes: Int,
    padding: UnsafeRawPointer, pixels: UnsafeMutableRawPointer
  ) {
    self.geometry = geometry
    self.input = input
    self.elementBytes = elementBytes
    self.padding = padding
    self.pixels = pixels.assumingMemoryBound(to: UnsafeRawPointer.self)
  }

  /// Calls `body` with a function that returns the address of each of the tile's 4×4 input pixels.
  ///
  /// Most tiles have no padding, so that their pixels are at fixed distances.
  @inline(__always)
  func visit(_ tile: WinogradTile, _ body: (_ pixel: (Int) -> UnsafeRawPointer) -> Void) {
    let (top, left) = (tile.y &- geometry.paddingTop, tile.x &- geometry.paddingLeft)
    let pixelBytes = geometry.pixelStride &* elementBytes
    let rowBytes = geometry.inputWidth &* pixelBytes
    let image = input + tile.image &* geometry.inputHeight &* rowBytes
    let (down, across) = (geometry.dilationHeight, geometry.dilationWidth)
    let isInside =
      top >= 0 && left >= 0 && top &+ 3 &* down < geometry.inputHeight
      && left &+ 3 &* across < geometry.inputWidth
    if isInside {
      let first = image + (top &* rowBytes &+ left &* pixelBytes)
      body { first + ($0 / 4 &* down &* rowBytes &+ $0 % 4 &* across &* pixelBytes) }
    } else {
      find(image, top, left, rowBytes: rowBytes, pixelBytes: pixelBytes)
      body { pixels[$0] }
    }
  }

  /// Finds the pixels of a tile at the border, out of line.
  @inline(never)
  private func find(
    _ image: UnsafeRawPointer, _ top: Int, _ left: Int, rowBytes: Int, pixelBytes: Int
  ) {
    for row in 0..<4 {
      let y = top &+ row &* geometry.dilationHeight
      let hasRow = y >= 0 && y < geometry.inputHeight
      for column in 0..<4 {
        let x = left &+ column &* geometry.dilationWidth
        let isInside = hasRow && x >= 0 && x < geometry.inputWidth
        pixels[4 &* row &+ column] =
          isInside ? image + (y &* rowBytes &+ x &* pixelBytes) : padding
      }
    }
  }
}
