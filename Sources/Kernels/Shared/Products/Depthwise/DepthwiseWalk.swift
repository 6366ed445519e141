import OcellusKernelABI

/// Output pixels side by side whose windows lie alike over the input.
struct DepthwiseWindows {
  /// Where the window of the first pixel is anchored.
  var anchor: UnsafeRawPointer
  /// The bytes from one anchor to the next.
  var step: Int
  /// The distance of every pixel under the window from the anchor, in bytes.
  var taps: UnsafePointer<Int>
  /// The first output pixel, counted over batch, height and width.
  var pixel: Int
  var count: Int
}

/// Finds the input pixels under the windows of a depthwise convolution.
///
/// Away from the border all windows share one table of distances. At the border a table is made
/// for each, in which pixels of the padding point to a row that stands for zero.
struct DepthwiseWalk {
  var geometry: PatchGeometry
  var elementBytes: Int
  /// The bytes that a kernel reads at once; the last read of a pixel may pass its end.
  var vectorBytes: Int
  /// The pixels of the window, rounded up to what a kernel takes at once.
  var taps: Int
  var scratch: UnsafeMutableRawPointer

  // Scratch: the table of the interior, the table of a border pixel, the row of zeros, and a copy
  // of the window of a pixel behind which the input ends.

  static func byteCount(
    _ geometry: PatchGeometry, elementBytes: Int, vectorBytes: Int, taps: Int
  ) -> Int {
    let tables = 2 * taps * MemoryLayout<Int>.size
    let pixelBytes = roundUp(geometry.channels * elementBytes, to: vectorBytes)
    return roundUp(tables + (1 + taps) * pixelBytes, to: 64)
  }

  @inline(__always)
  private var interiorTable: UnsafeMutablePointer<Int> {
    scratch.assumingMemoryBound(to: Int.self)
  }
  @inline(__always)
  private var borderTable: UnsafeMutablePointer<Int> { interiorTable + taps }
  /// The row that stands for zero; the kernel fills it.
  @inline(__always)
  var zeros: UnsafeMutableRawPointer { UnsafeMutableRawPointer(borderTable + taps) }
  @inline(__always)
  private var copies: UnsafeMutableRawPointer { zeros + readBytes }

  /// The bytes that a kernel reads of one pixel.
  @inline(__always)
  var readBytes: Int { roundUp(geometry.channels &* elementBytes, to: vectorBytes) }

  @inline(__always)
  private var pixelBytes: Int { geometry.pixelStride &* elementBytes }
  @inline(__always)
  private var lineBytes: Int { geometry.inputWidth &* pixelBytes }

  /// Visits `pixels`, `width` at once or one.
  @inline(__always)
  func forEach(
    _ pixels: Range<Int>, of input: UnsafeRawPointer, width: Int,
    _ body: (DepthwiseWindows) -> Void
  ) {
    fillInteriorTable()
    let imageBytes = geometry.inputHeight &* lineBytes
    var pixel = OutputPixel(pixels.lowerBound, geometry)
    var index = pixels.lowerBound
    while index < pixels.upperBound {
      let image = input + pixel.image &* imageBytes
      var windows = windows(pixel, index, image)
      if isInside(pixel, width: width) && index &+ width <= pixels.upperBound {
        windows.count = width
      } else if !isInside(pixel, width: 1) {
        fillBorderTable(pixel, windows.anchor)
        windows.taps = UnsafePointer(borderTable)
      }
      if reads(windows, past: image + imageBytes) { copyPixels(&windows, pixel) }
      body(windows)
      index &+= windows.count
      pixel.advance(geometry, by: windows.count)
    }
  }

  @inline(__always)
  private func windows(
    _ pixel: OutputPixel, _ index: Int, _ image: UnsafeRawPointer
  ) -> DepthwiseWindows {
    let step = geometry.strideWidth &* pixelBytes
    return DepthwiseWindows(
      anchor: image + (pixel.y &* geometry.strideHeight &* lineBytes &+ pixel.x &* step),
      step: step, taps: UnsafePointer(interiorTable), pixel: index, count: 1)
  }

  /// Whether the windows of `width` pixels from this one on lie wholly over the input.
  @inline(__always)
  private func isInside(_ pixel: OutputPixel, width: Int) -> Bool {
    let top = pixel.y &* geometry.strideHeight &- geometry.paddingTop
    let bottom = top &+ (geometry.windowHeight &- 1) &* geometry.dilationHeight
    let left = pixel.x &* geometry.strideWidth &- geometry.paddingLeft
    let right =
      left &+ (width &- 1) &* geometry.strideWidth
      &+ (geometry.windowWidth &- 1) &* geometry.dilationWidth
    return top >= 0 && bottom < geometry.inputHeight && left >= 0 && right < geometry.inputWidth
      && pixel.x &+ width <= geometry.outputWidth
  }

  /// Visits the pixels of a window and then the entries that fill up the table, which repeat the
  /// first pixel: their weights are zero.
  @inline(__always)
  private func forEachTap(_ body: (_ tap: Int, _ y: Int, _ x: Int) -> Void) {
    var tap = 0
    while tap < taps {
      let real = tap < geometry.windowHeight &* geometry.windowWidth ? tap : 0
      let line = real / geometry.windowWidth
      body(
        tap, line &* geometry.dilationHeight &- geometry.paddingTop,
        (real &- line &* geometry.windowWidth) &* geometry.dilationWidth &- geometry.paddingLeft)
      tap &+= 1
    }
  }

  @inline(__always)
  private func fillInteriorTable() {
    forEachTap { tap, y, x in interiorTable[tap] = y &* lineBytes &+ x &* pixelBytes }
  }

  @inline(__always)
  private func fillBorderTable(_ pixel: OutputPixel, _ anchor: UnsafeRawPointer) {
    let top = pixel.y &* geometry.strideHeight, left = pixel.x &* geometry.strideWidth
    forEachTap { tap, y, x in
      let isInside =
        top &+ y >= 0 && top &+ y < geometry.inputHeight && left &+ x >= 0
        && left &+ x < geometry.inputWidth
      borderTable[tap] =
        isInside
        ? y &* lineBytes &+ x &* pixelBytes : Int(bitPattern: zeros) &- Int(bitPattern: anchor)
    }
  }

  /// Whether the vectors of some pixel might reach behind the end of the image.
  @inline(__always)
  private func reads(_ windows: DepthwiseWindows, past end: UnsafeRawPointer) -> Bool {
    guard pixelBytes < readBytes else { return false }
    let lastTap = geometry.windowHeight &* geometry.windowWidth &- 1
    let last =
      Int(bitPattern: windows.anchor) &+ (windows.count &- 1) &* windows.step
      &+ interiorTable[lastTap]
    return last &+ readBytes > Int(bitPattern: end)
  }

  /// Replaces the window of one pixel by a copy with room behind every pixel.
  private func copyPixels(_ windows: inout DepthwiseWindows, _ pixel: OutputPixel) {
    for tap in 0..<taps {
      copyBytes(
        windows.anchor + windows.taps[tap], to: copies + tap &* readBytes, count: pixelBytes)
      borderTable[tap] = tap &* readBytes
    }
    windows.anchor = UnsafeRawPointer(copies)
    windows.taps = UnsafePointer(borderTable)
    windows.count = 1
  }
}
