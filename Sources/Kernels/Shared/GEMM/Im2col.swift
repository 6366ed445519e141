import OcellusKernelABI

/// The conversion of input elements to the elements of GEMM rows.
protocol PatchElements {
  /// The size of an input element in bytes.
  var inputBytes: Int { get }
  /// The size of a row element in bytes.
  var rowBytes: Int { get }
  /// Converts elements of the input.
  func copy(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer, count: Int)
  /// Converts the elements of 16 bytes of the input.
  func copyBlock(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer)
  /// Converts the elements of 64 bytes of the input.
  func copyBlocks(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer)
  /// A vector of elements that stand for zero.
  var paddingVector: SumVector { get }
}

extension PatchGeometry {
  @inline(__always)
  var patchDepth: Int { windowHeight &* windowWidth &* channels }

  /// Returns the number of bytes of an image that may be read from the first channel of any group
  /// on.
  ///
  /// The last group has the fewest: the channels of the groups before it are not counted.
  @inline(__always)
  func bytesOfImage(elementBytes: Int) -> Int {
    (inputHeight &* inputWidth &* pixelStride &- (pixelStride &- channels)) &* elementBytes
  }
}

/// An output pixel, counted over batch, height and width.
struct OutputPixel {
  var image: Int
  var y: Int
  var x: Int

  @inline(__always)
  init(_ index: Int, _ geometry: PatchGeometry) {
    let row = index / geometry.outputWidth
    x = index &- row &* geometry.outputWidth
    image = row / geometry.outputHeight
    y = row &- image &* geometry.outputHeight
  }

  /// Advances by `count` pixels, at most to the end of the row of pixels.
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

/// Copies the patches of `rows` one below the other, `rowStride` bytes apart (im2col).
///
/// Up to `patchSlack` bytes after a row may be overwritten; the next row replaces them.
@inline(__always)
func im2col<Elements: PatchElements>(
  _ rows: Range<Int>, of geometry: PatchGeometry, from input: UnsafeRawPointer,
  to target: UnsafeMutableRawPointer, rowStride: Int, as elements: Elements
) {
  if geometry.isPointwise {
    gatherPixels(rows, of: geometry, from: input, to: target, rowStride: rowStride, as: elements)
    return
  }
  var row = target
  var pixel = OutputPixel(rows.lowerBound, geometry)
  let window = PatchWindow(geometry, elements: elements)
  var left = rows.upperBound &- rows.lowerBound
  while left > 0 {
    let image = input + pixel.image &* window.imageBytes
    let x = pixel.x &* geometry.strideWidth &- geometry.paddingLeft
    let top = pixel.y &* geometry.strideHeight &- geometry.paddingTop
    let first = image + (top &* window.imageRowBytes &+ x &* window.pixelBytes)
    let count = smaller(window.safeCount(top: top, left: x, at: first, of: image), left)
    if count > 0 {
      window.im2col(count, first, to: row, rowStride: rowStride, as: elements)
    } else if !geometry.hasDenseRows {
      gatherPixelByPixel(image, top: top, left: x, of: geometry, to: row, as: elements)
    } else {
      gatherOverBorder(image, top: top, left: x, of: geometry, to: row, as: elements)
    }
    let step = larger(count, 1)
    pixel.advance(geometry, by: step)
    row += step &* rowStride
    left &-= step
  }
}

/// The number of bytes that `im2col` may overwrite after the last row: vectors of the longest
/// elements.
let patchSlack = 128

/// Copies pixels of pointwise convolutions.
@inline(__always)
private func gatherPixels<Elements: PatchElements>(
  _ rows: Range<Int>, of geometry: PatchGeometry, from input: UnsafeRawPointer,
  to target: UnsafeMutableRawPointer, rowStride: Int, as elements: Elements
) {
  let pixelBytes = geometry.pixelStride &* elements.inputBytes
  let first = input + rows.lowerBound &* pixelBytes
  let count = rows.upperBound &- rows.lowerBound
  if geometry.channels == geometry.pixelStride
    && rowStride == geometry.channels &* elements.rowBytes
  {
    elements.copy(first, to: target, count: count &* geometry.channels)
    return
  }
  for index in 0..<count {
    elements.copy(
      first + index &* pixelBytes, to: target + index &* rowStride, count: geometry.channels)
  }
}

/// The sizes and strides of a window, which all patches share.
private struct PatchWindow {
  var pixelBytes: Int
  var imageRowBytes: Int
  var imageBytes: Int
  /// The number of bytes of an image that may be read from the first channel of any group on.
  var readableBytes: Int
  /// The distance in bytes between rows of the window in the input.
  var rowStep: Int
  var windowHeight: Int
  /// The size in bytes of one window row, in the input and in a patch.
  var windowRowBytes: Int
  var patchRowBytes: Int
  /// The distance in bytes between neighbouring windows.
  var windowStep: Int
  var strideWidth: Int
  var lastTop: Int
  /// The last left edge inside the input; negative if a window row is not contiguous.
  var lastLeft: Int

  @inline(__always)
  init<Elements: PatchElements>(_ geometry: PatchGeometry, elements: Elements) {
    pixelBytes = geometry.pixelStride &* elements.inputBytes
    imageRowBytes = geometry.inputWidth &* pixelBytes
    imageBytes = geometry.inputHeight &* imageRowBytes
    readableBytes = geometry.bytesOfImage(elementBytes: elements.inputBytes)
    rowStep = geometry.dilationHeight &* imageRowBytes
    windowHeight = geometry.windowHeight
    let windowRowElements = geometry.windowWidth &* geometry.channels
    windowRowBytes = windowRowElements &* elements.inputBytes
    patchRowBytes = windowRowElements &* elements.rowBytes
    strideWidth = geometry.strideWidth
    windowStep = strideWidth &* pixelBytes
    lastTop = geometry.inputHeight &- 1 &- (geometry.windowHeight &- 1) &* geometry.dilationHeight
    lastLeft = geometry.hasDenseRows ? geometry.inputWidth &- geometry.windowWidth : -1
  }

  /// Returns how many windows from this one on have contiguous rows inside the input, and enough of
  /// the image after them that whole blocks may be read.
  @inline(__always)
  func safeCount(
    top: Int, left: Int, at first: UnsafeRawPointer, of image: UnsafeRawPointer
  ) -> Int {
    guard top >= 0, top <= lastTop, left >= 0, left <= lastLeft else { return 0 }
    let inRow = (lastLeft &- left) / strideWidth &+ 1
    let block = windowRowBytes > 16 ? 64 : 16
    let lastRowEnd =
      first + ((windowHeight &- 1) &* rowStep &+ roundUp(windowRowBytes, to: block))
    let behind = (image + readableBytes) - lastRowEnd
    return behind < 0 ? 0 : smaller(inRow, behind / windowStep &+ 1)
  }

  @inline(__always)
  func im2col<Elements: PatchElements>(
    _ count: Int, _ first: UnsafeRawPointer, to target: UnsafeMutableRawPointer, rowStride: Int,
    as elements: Elements
  ) {
    let isShort = windowRowBytes <= 16
    var window = first
    var row = target
    for _ in 0..<count {
      var windowRow = window
      var target = row
      for _ in 0..<windowHeight {
        if isShort {
          elements.copyBlock(windowRow, to: target)
        } else {
          elements.copyWholeBlocks(windowRow, to: target, count: windowRowBytes)
        }
        windowRow += rowStep
        target += patchRowBytes
      }
      window += windowStep
      row += rowStride
    }
  }
}

extension PatchElements {
  /// Converts `count` bytes of the input, in whole blocks that may exceed it.
  @inline(__always)
  fileprivate func copyWholeBlocks(
    _ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer, count: Int
  ) {
    var offset = 0
    var target = row
    while offset < count {
      copyBlocks(source + offset, to: target)
      offset &+= 64
      target += 64 / inputBytes &* rowBytes
    }
  }

  /// Writes padding elements, in whole vectors that may exceed `count`.
  @inline(__always)
  func fill(_ row: UnsafeMutableRawPointer, count: Int) {
    var target = row
    let end = row + count &* rowBytes
    while target < end {
      store(paddingVector, to: target)
      target += sumVectorBytes
    }
  }
}

extension PatchGeometry {
  /// Whether a window row inside the input is contiguous in memory.
  @inline(__always)
  fileprivate var hasDenseRows: Bool { dilationWidth == 1 && channels == pixelStride }
}

/// Copies a patch with non-contiguous rows pixel by pixel, and fills its padding.
@inline(never)
private func gatherPixelByPixel<Elements: PatchElements>(
  _ image: UnsafeRawPointer, top: Int, left: Int, of geometry: PatchGeometry,
  to target: UnsafeMutableRawPointer, as elements: Elements
) {
  let pixelBytes = geometry.pixelStride &* elements.inputBytes
  let byteCount = geometry.channels &* elements.inputBytes
  let isShort = byteCount <= 16
  // After this address, whole blocks exceed the image.
  let end =
    image
    + (geometry.bytesOfImage(elementBytes: elements.inputBytes)
      &- roundUp(byteCount, to: isShort ? 16 : 64))
  var target = target
  for row in 0..<geometry.windowHeight {
    let y = top &+ row &* geometry.dilationHeight
    let isInside = y >= 0 && y < geometry.inputHeight
    var x = left
    for _ in 0..<geometry.windowWidth {
      if isInside && x >= 0 && x < geometry.inputWidth {
        let pixel = image + (y &* geometry.inputWidth &+ x) &* pixelBytes
        if pixel > end {
          elements.copy(pixel, to: target, count: geometry.channels)
        } else if isShort {
          elements.copyBlock(pixel, to: target)
        } else {
          elements.copyWholeBlocks(pixel, to: target, count: byteCount)
        }
      } else {
        elements.fill(target, count: geometry.channels)
      }
      x &+= geometry.dilationWidth
      target += geometry.channels &* elements.rowBytes
    }
  }
}

/// Copies a patch at the border row by row, and fills its padding.
@inline(never)
private func gatherOverBorder<Elements: PatchElements>(
  _ image: UnsafeRawPointer, top: Int, left: Int, of geometry: PatchGeometry,
  to target: UnsafeMutableRawPointer, as elements: Elements
) {
  let pixelBytes = geometry.pixelStride &* elements.inputBytes
  let width = geometry.windowWidth
  var target = target
  for row in 0..<geometry.windowHeight {
    let y = top &+ row &* geometry.dilationHeight
    let before = y < 0 || y >= geometry.inputHeight ? width : smaller(larger(0 &- left, 0), width)
    let inside = larger(smaller(geometry.inputWidth &- left, width) &- before, 0)
    let counts = (
      before &* geometry.channels, inside &* geometry.channels,
      (width &- before &- inside) &* geometry.channels
    )
    elements.fill(target, count: counts.0)
    target += counts.0 &* elements.rowBytes
    let pixel = image + (y &* geometry.inputWidth &+ left &+ before) &* pixelBytes
    elements.copy(pixel, to: target, count: counts.1)
    target += counts.1 &* elements.rowBytes
    elements.fill(target, count: counts.2)
    target += counts.2 &* elements.rowBytes
  }
}
