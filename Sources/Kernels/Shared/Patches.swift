import OcellusKernelABI

/// Writes elements of an input tensor the way the rows of a matrix product want them.
protocol PatchElements {
  /// The bytes of one element of the input.
  var inputBytes: Int { get }
  /// The bytes of one element of a row.
  var rowBytes: Int { get }
  /// Converts elements of the input.
  func copy(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer, count: Int)
  /// Writes elements that stand for zero.
  func fill(_ row: UnsafeMutableRawPointer, count: Int)
}

extension PatchGeometry {
  /// Whether the rows are the pixels of the input, in place.
  @inline(__always)
  var isPointwise: Bool {
    kernelHeight == 1 && kernelWidth == 1 && strideHeight == 1 && strideWidth == 1
      && paddingTop == 0 && paddingLeft == 0 && outputHeight == inputHeight
      && outputWidth == inputWidth
  }

  @inline(__always)
  var patchDepth: Int { kernelHeight &* kernelWidth &* channels }
}

/// An output pixel, counted over batch, height and width.
struct OutputPixel {
  var image: Int
  var y: Int
  var x: Int

  @inline(__always)
  init(_ index: Int, _ geometry: PatchGeometry) {
    let line = index / geometry.outputWidth
    x = index &- line &* geometry.outputWidth
    image = line / geometry.outputHeight
    y = line &- image &* geometry.outputHeight
  }

  /// Moves on by pixels that do not go past the end of the line.
  @inline(__always)
  mutating func advance(_ geometry: PatchGeometry, by count: Int = 1) {
    x &+= count
    guard x == geometry.outputWidth else { return }
    x = 0
    y &+= 1
    guard y == geometry.outputHeight else { return }
    y = 0
    image &+= 1
  }
}

/// Copies the patches of `rows` one below the other, `rowStride` bytes apart.
@inline(__always)
func gather<Elements: PatchElements>(
  _ rows: Range<Int>, of geometry: PatchGeometry, from input: UnsafeRawPointer,
  to target: UnsafeMutableRawPointer, rowStride: Int, as elements: Elements
) {
  var row = target
  if geometry.isPointwise {
    let pixelBytes = geometry.pixelStride &* elements.inputBytes
    if geometry.channels == geometry.pixelStride
      && rowStride == geometry.channels &* elements.rowBytes
    {
      let count = (rows.upperBound &- rows.lowerBound) &* geometry.channels
      elements.copy(input + rows.lowerBound &* pixelBytes, to: row, count: count)
      return
    }
    for index in rows {
      elements.copy(input + index &* pixelBytes, to: row, count: geometry.channels)
      row += rowStride
    }
    return
  }
  var pixel = OutputPixel(rows.lowerBound, geometry)
  for _ in rows {
    gatherPatch(pixel, of: geometry, from: input, to: row, as: elements)
    pixel.advance(geometry)
    row += rowStride
  }
}

/// Copies one patch: the lines of the window, each filled where it lies in the padding.
@inline(__always)
private func gatherPatch<Elements: PatchElements>(
  _ pixel: OutputPixel, of geometry: PatchGeometry, from input: UnsafeRawPointer,
  to target: UnsafeMutableRawPointer, as elements: Elements
) {
  let lineBytes = geometry.inputWidth &* geometry.pixelStride &* elements.inputBytes
  let image = input + pixel.image &* geometry.inputHeight &* lineBytes
  let lineElements = geometry.kernelWidth &* geometry.channels
  let left = pixel.x &* geometry.strideWidth &- geometry.paddingLeft
  var y = pixel.y &* geometry.strideHeight &- geometry.paddingTop
  var row = target
  for _ in 0..<geometry.kernelHeight {
    if y < 0 || y >= geometry.inputHeight {
      elements.fill(row, count: lineElements)
    } else {
      gatherLine(image + y &* lineBytes, left: left, of: geometry, to: row, as: elements)
    }
    y &+= geometry.dilationHeight
    row += lineElements &* elements.rowBytes
  }
}

/// Copies one line of a window whose leftmost pixel is at `left`, which may lie outside.
@inline(__always)
private func gatherLine<Elements: PatchElements>(
  _ line: UnsafeRawPointer, left: Int, of geometry: PatchGeometry,
  to target: UnsafeMutableRawPointer, as elements: Elements
) {
  let channels = geometry.channels
  let pixelBytes = geometry.pixelStride &* elements.inputBytes
  // Pixels side by side in the window and in memory are one run.
  if geometry.dilationWidth == 1 && channels == geometry.pixelStride {
    let width = geometry.kernelWidth
    let before = smaller(larger(0 &- left, 0), width)
    let inside = larger(smaller(geometry.inputWidth &- left, width) &- before, 0)
    if before > 0 { elements.fill(target, count: before &* channels) }
    let run = target + before &* channels &* elements.rowBytes
    if inside > 0 {
      elements.copy(line + (left &+ before) &* pixelBytes, to: run, count: inside &* channels)
    }
    let after = width &- before &- inside
    if after > 0 {
      elements.fill(run + inside &* channels &* elements.rowBytes, count: after &* channels)
    }
    return
  }
  var x = left
  var row = target
  for _ in 0..<geometry.kernelWidth {
    if x < 0 || x >= geometry.inputWidth {
      elements.fill(row, count: channels)
    } else {
      elements.copy(line + x &* pixelBytes, to: row, count: channels)
    }
    x &+= geometry.dilationWidth
    row += channels &* elements.rowBytes
  }
}
