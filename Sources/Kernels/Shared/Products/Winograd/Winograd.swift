import OcellusKernelABI

// Winograd's method F(2×2, 3×3): an output of 2×2 pixels sees 4×4 of the input. Of those and of the weights one makes
// sums and differences, `Bᵀ d B` and `G g Gᵀ`; their products, place by place and added up over all channels, are
// sums of which the output is made, `Aᵀ m A`. There are 16 in the place of 4 · 9.

/// The places of sums of products: 4×4.
let winogradPlaces = 16

/// Four pixels of the output, as far apart as the taps of a window.
struct WinogradTile {
  var image: Int
  /// The first of its pixels.
  var y, x: Int
  /// Which of the output's rows that is.
  var pixel: Int
  var lines: WinogradLines
}

/// Lines of a tile that are written: the others belong to someone else.
enum WinogradLines {
  case both, upper, lower
}

/// Visits the tiles of some whole lines.
///
/// A line is in the same tiles, whichever lines are asked for: floats depend on where in a tile they are.
@inline(__always)
func forEachWinogradTile(
  of geometry: PatchGeometry, rows: Range<Int>, _ body: (WinogradTile) -> Void
) {
  let (width, height) = (geometry.outputWidth, geometry.outputHeight)
  let vertical = WinogradPairs(extent: height, distance: geometry.dilationHeight)
  let horizontal = WinogradPairs(extent: width, distance: geometry.dilationWidth)
  let (start, end) = (rows.lowerBound / width, rows.upperBound / width)
  for line in start..<end {
    let image = line / height
    let y = line &- image &* height
    guard let (top, lines) = vertical.pair(of: y, among: (start &- line &+ y)..<(end &- line &+ y))
    else { continue }
    let first = (line &- y &+ top) &* width
    horizontal.forEach { x in
      body(WinogradTile(image: image, y: top, x: x, pixel: first &+ x, lines: lines))
    }
  }
}

/// The pairs that the lines of the output, or its columns, are in: each with the one a window's tap further.
///
/// The last one of an odd number is in a pair with the one before, which has another of its own too.
private struct WinogradPairs {
  var extent: Int
  var distance: Int

  /// How many there are that lie as many distances apart, from one of the first on.
  @inline(__always)
  private func count(_ phase: Int) -> Int { (extent &- phase &+ distance &- 1) / distance }

  /// The first of the pair that a line is in, and which of them to compute.
  ///
  /// - Returns: `nil` for a line that is computed with the one before, if that is among the lines that are asked for.
  @inline(__always)
  func pair(of line: Int, among lines: Range<Int>) -> (first: Int, lines: WinogradLines)? {
    let index = line / distance
    let phase = line &- index &* distance
    let first = phase &+ smaller(index & ~1, count(phase) &- 2) &* distance
    if line == first { return (first, line &+ distance < lines.upperBound ? .both : .upper) }
    let isSecond = index & 1 == 1
    return isSecond && first >= lines.lowerBound ? nil : (first, .lower)
  }

  /// The first columns of all pairs.
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

/// The pixels of the input under a tile.
struct WinogradPixels {
  private let geometry: PatchGeometry
  private let input: UnsafeRawPointer
  private let elementBytes: Int
  private let padding: UnsafeRawPointer
  private let pixels: UnsafeMutablePointer<UnsafeRawPointer>

  /// `padding` is a pixel of what surrounds the input, and `pixels` has room for 16 addresses.
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

  /// Calls `body` with a function that tells where a pixel is, of 4×4 as far apart as the taps of a window.
  ///
  /// Most tiles see none of the padding, so that their pixels are at fixed distances.
  @inline(__always)
  func visit(_ tile: WinogradTile, _ body: (_ pixel: (Int) -> UnsafeRawPointer) -> Void) {
    let (top, left) = (tile.y &- geometry.paddingTop, tile.x &- geometry.paddingLeft)
    let pixelBytes = geometry.pixelStride &* elementBytes
    let lineBytes = geometry.inputWidth &* pixelBytes
    let image = input + tile.image &* geometry.inputHeight &* lineBytes
    let (down, across) = (geometry.dilationHeight, geometry.dilationWidth)
    let isInside =
      top >= 0 && left >= 0 && top &+ 3 &* down < geometry.inputHeight
      && left &+ 3 &* across < geometry.inputWidth
    if isInside {
      let first = image + (top &* lineBytes &+ left &* pixelBytes)
      body { first + ($0 / 4 &* down &* lineBytes &+ $0 % 4 &* across &* pixelBytes) }
    } else {
      find(image, top, left, lineBytes: lineBytes, pixelBytes: pixelBytes)
      body { pixels[$0] }
    }
  }

  /// A function of its own, for edges.
  @inline(never)
  private func find(
    _ image: UnsafeRawPointer, _ top: Int, _ left: Int, lineBytes: Int, pixelBytes: Int
  ) {
    for row in 0..<4 {
      let y = top &+ row &* geometry.dilationHeight
      let hasLine = y >= 0 && y < geometry.inputHeight
      for column in 0..<4 {
        let x = left &+ column &* geometry.dilationWidth
        let isInside = hasLine && x >= 0 && x < geometry.inputWidth
        pixels[4 &* row &+ column] =
          isInside ? image + (y &* lineBytes &+ x &* pixelBytes) : padding
      }
    }
  }
}
