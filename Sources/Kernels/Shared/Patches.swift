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
  let window = PatchWindow(geometry, elementBytes: elements.inputBytes)
  let patchBytes = geometry.patchDepth &* elements.rowBytes
  for _ in rows {
    let image = input + pixel.image &* window.imageBytes
    let left = pixel.x &* geometry.strideWidth &- geometry.paddingLeft
    let top = pixel.y &* geometry.strideHeight &- geometry.paddingTop
    if window.isInside(top: top, left: left) {
      var line = image + (top &* window.lineBytes &+ left &* window.pixelBytes)
      let end = row + patchBytes
      var target = row
      while target < end {
        elements.copy(line, to: target, count: window.lineElements)
        line += window.lineStep
        target += window.lineElements &* elements.rowBytes
      }
    } else {
      gatherOverBorder(image, top: top, left: left, of: geometry, to: row, as: elements)
    }
    pixel.advance(geometry)
    row += rowStride
  }
}

/// What of a window's geometry is the same for every patch.
private struct PatchWindow {
  var pixelBytes: Int
  var lineBytes: Int
  var imageBytes: Int
  /// The bytes from one line of the window to the next.
  var lineStep: Int
  /// The elements of one line of the window.
  var lineElements: Int
  var lastTop: Int
  /// Negative where a line of the window is no single run of memory.
  var lastLeft: Int

  @inline(__always)
  init(_ geometry: PatchGeometry, elementBytes: Int) {
    pixelBytes = geometry.pixelStride &* elementBytes
    lineBytes = geometry.inputWidth &* pixelBytes
    imageBytes = geometry.inputHeight &* lineBytes
    lineStep = geometry.dilationHeight &* lineBytes
    lineElements = geometry.kernelWidth &* geometry.channels
    lastTop = geometry.inputHeight &- 1 &- (geometry.kernelHeight &- 1) &* geometry.dilationHeight
    let isOneRun = geometry.dilationWidth == 1 && geometry.channels == geometry.pixelStride
    lastLeft = isOneRun ? geometry.inputWidth &- geometry.kernelWidth : -1
  }

  /// Whether the window lies over the input and every line of it is one run of memory.
  @inline(__always)
  func isInside(top: Int, left: Int) -> Bool {
    top >= 0 && top <= lastTop && left >= 0 && left <= lastLeft
  }
}

/// Copies one patch pixel by pixel, filling what lies in the padding.
@inline(never)
private func gatherOverBorder<Elements: PatchElements>(
  _ image: UnsafeRawPointer, top: Int, left: Int, of geometry: PatchGeometry,
  to target: UnsafeMutableRawPointer, as elements: Elements
) {
  let channels = geometry.channels
  let pixelBytes = geometry.pixelStride &* elements.inputBytes
  var target = target
  for line in 0..<geometry.kernelHeight {
    let y = top &+ line &* geometry.dilationHeight
    for column in 0..<geometry.kernelWidth {
      let x = left &+ column &* geometry.dilationWidth
      if y < 0 || y >= geometry.inputHeight || x < 0 || x >= geometry.inputWidth {
        elements.fill(target, count: channels)
      } else {
        let pixel = image + (y &* geometry.inputWidth &+ x) &* pixelBytes
        elements.copy(pixel, to: target, count: channels)
      }
      target += channels &* elements.rowBytes
    }
  }
}
