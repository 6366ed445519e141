import OcellusKernelABI

/// Writes elements of an input tensor the way the rows of a matrix product want them.
protocol PatchElements {
  /// The bytes of one element of the input.
  var inputBytes: Int { get }
  /// The bytes of one element of a row.
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

  /// The bytes of an image that are there behind the first channel of a group, whichever it is.
  ///
  /// Behind that of the last group there are no more: the groups in front of it are left out.
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
///
/// Up to `patchSlack` bytes behind a row may be overwritten, by what the next row replaces.
@inline(__always)
func gather<Elements: PatchElements>(
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
    let first = image + (top &* window.lineBytes &+ x &* window.pixelBytes)
    let count = smaller(window.safeCount(top: top, left: x, at: first, of: image), left)
    if count > 0 {
      window.gather(count, first, to: row, rowStride: rowStride, as: elements)
    } else if !geometry.hasDenseLines {
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

/// What `gather` may overwrite behind the last row: vectors of the longest elements.
let patchSlack = 128

/// Copies pixels as they are.
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

/// What of a window's geometry is the same for every patch.
private struct PatchWindow {
  var pixelBytes: Int
  var lineBytes: Int
  var imageBytes: Int
  /// The bytes of an image that are there behind the first channel of any group.
  var readableBytes: Int
  /// The bytes from one line of the window to the next.
  var lineStep: Int
  var lines: Int
  /// The bytes of one line of the window, in the input and in a row.
  var inputLineBytes: Int
  var rowLineBytes: Int
  /// The bytes from one window to the next.
  var windowStep: Int
  var strideWidth: Int
  var lastTop: Int
  /// Negative where a line of the window is no single run of memory.
  var lastLeft: Int

  @inline(__always)
  init<Elements: PatchElements>(_ geometry: PatchGeometry, elements: Elements) {
    pixelBytes = geometry.pixelStride &* elements.inputBytes
    lineBytes = geometry.inputWidth &* pixelBytes
    imageBytes = geometry.inputHeight &* lineBytes
    readableBytes = geometry.bytesOfImage(elementBytes: elements.inputBytes)
    lineStep = geometry.dilationHeight &* lineBytes
    lines = geometry.windowHeight
    let lineElements = geometry.windowWidth &* geometry.channels
    inputLineBytes = lineElements &* elements.inputBytes
    rowLineBytes = lineElements &* elements.rowBytes
    strideWidth = geometry.strideWidth
    windowStep = strideWidth &* pixelBytes
    lastTop = geometry.inputHeight &- 1 &- (geometry.windowHeight &- 1) &* geometry.dilationHeight
    lastLeft = geometry.hasDenseLines ? geometry.inputWidth &- geometry.windowWidth : -1
  }

  /// How many windows from this one on lie over the input, line by line one run of memory, with
  /// so much of the image behind them that whole blocks may be read.
  @inline(__always)
  func safeCount(
    top: Int, left: Int, at first: UnsafeRawPointer, of image: UnsafeRawPointer
  ) -> Int {
    guard top >= 0, top <= lastTop, left >= 0, left <= lastLeft else { return 0 }
    let inLine = (lastLeft &- left) / strideWidth &+ 1
    let block = inputLineBytes > 16 ? 64 : 16
    let lastLineEnd =
      first + ((lines &- 1) &* lineStep &+ roundUp(inputLineBytes, to: block))
    let behind = (image + readableBytes) - lastLineEnd
    return behind < 0 ? 0 : smaller(inLine, behind / windowStep &+ 1)
  }

  @inline(__always)
  func gather<Elements: PatchElements>(
    _ count: Int, _ first: UnsafeRawPointer, to target: UnsafeMutableRawPointer, rowStride: Int,
    as elements: Elements
  ) {
    let isShort = inputLineBytes <= 16
    var window = first
    var row = target
    for _ in 0..<count {
      var line = window
      var target = row
      for _ in 0..<lines {
        if isShort {
          elements.copyBlock(line, to: target)
        } else {
          elements.copyLine(line, to: target, count: inputLineBytes)
        }
        line += lineStep
        target += rowLineBytes
      }
      window += windowStep
      row += rowStride
    }
  }
}

extension PatchElements {
  /// Converts so many bytes of the input and some behind them.
  @inline(__always)
  fileprivate func copyLine(
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

  /// Writes elements that stand for zero, and some behind them.
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
  /// Whether a line of the window inside the input is one run of memory.
  @inline(__always)
  fileprivate var hasDenseLines: Bool { dilationWidth == 1 && channels == pixelStride }
}

/// Copies one patch whose lines are no runs of memory pixel by pixel, filling what lies in the padding.
@inline(never)
private func gatherPixelByPixel<Elements: PatchElements>(
  _ image: UnsafeRawPointer, top: Int, left: Int, of geometry: PatchGeometry,
  to target: UnsafeMutableRawPointer, as elements: Elements
) {
  let pixelBytes = geometry.pixelStride &* elements.inputBytes
  let byteCount = geometry.channels &* elements.inputBytes
  let isShort = byteCount <= 16
  // Behind this, whole blocks are not inside the image any more.
  let end =
    image
    + (geometry.bytesOfImage(elementBytes: elements.inputBytes)
      &- roundUp(byteCount, to: isShort ? 16 : 64))
  var target = target
  for line in 0..<geometry.windowHeight {
    let y = top &+ line &* geometry.dilationHeight
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
          elements.copyLine(pixel, to: target, count: byteCount)
        }
      } else {
        elements.fill(target, count: geometry.channels)
      }
      x &+= geometry.dilationWidth
      target += geometry.channels &* elements.rowBytes
    }
  }
}

/// Copies one patch line by line, filling what lies in the padding.
@inline(never)
private func gatherOverBorder<Elements: PatchElements>(
  _ image: UnsafeRawPointer, top: Int, left: Int, of geometry: PatchGeometry,
  to target: UnsafeMutableRawPointer, as elements: Elements
) {
  let pixelBytes = geometry.pixelStride &* elements.inputBytes
  let width = geometry.windowWidth
  var target = target
  for line in 0..<geometry.windowHeight {
    let y = top &+ line &* geometry.dilationHeight
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
