import OcellusKernelABI

/// Neighbouring output pixels whose windows have the same tap offsets.
struct DepthwiseWindows {
  /// The anchor of the first pixel's window.
  var anchor: UnsafeRawPointer
  /// The distance in bytes from one anchor to the next.
  var step: Int
  /// The offset of every tap from the anchor, in bytes.
  var taps: UnsafePointer<Int>
  /// The first output pixel, counted over batch, height and width.
  var pixel: Int
  var count: Int
}

/// The traversal of the windows of a depthwise convolution, which finds the input pixel of every
/// tap.
///
/// Interior windows share one table of offsets. A window at the border gets a table of its own, in
/// which taps in the padding point to a pixel of padding values.
struct DepthwiseTraversal {
  var geometry: PatchGeometry
  var elementBytes: Int
  /// The vector size of the kernel in bytes; the last load of a pixel may exceed it.
  var vectorBytes: Int
  /// The number of taps of the window, padded to a multiple of what the kernel multiplies at once.
  var taps: Int
  var scratch: UnsafeMutableRawPointer

  // Scratch: the interior table, the border table, the pixel of padding values, and a copy of the
  // pixels of a window at the end of the input.

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
  /// The pixel of padding values, which the kernel must fill.
  @inline(__always)
  var zeros: UnsafeMutableRawPointer { UnsafeMutableRawPointer(borderTable + taps) }
  @inline(__always)
  private var copies: UnsafeMutableRawPointer { zeros + readBytes }

  /// The number of bytes that a kernel loads of one pixel.
  @inline(__always)
  var readBytes: Int { roundUp(geometry.channels &* elementBytes, to: vectorBytes) }

  @inline(__always)
  private var pixelBytes: Int { geometry.pixelStride &* elementBytes }
  @inline(__always)
  private var rowBytes: Int { geometry.inputWidth &* pixelBytes }

  /// Visits `pixels`, in groups of `width` or one.
  @inline(__always)
  func forEach(
    _ pixels: Range<Int>, of input: UnsafeRawPointer, width: Int,
    _ body: (DepthwiseWindows) -> Void
  ) {
    fillInteriorTable()
    let imageBytes = geometry.inputHeight &* rowBytes
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
      anchor: image + (pixel.y &* geometry.strideHeight &* rowBytes &+ pixel.x &* step),
      step: step, taps: UnsafePointer(interiorTable), pixel: index, count: 1)
  }

  /// Whether the windows of `width` pixels from this one on are entirely inside the input.
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

  /// Visits the taps of a window, and then the entries that pad the table.
  ///
  /// These repeat the first tap, with weights of zero.
  @inline(__always)
  private func forEachTap(_ body: (_ tap: Int, _ y: Int, _ x: Int) -> Void) {
    var tap = 0
    while tap < taps {
      let real = tap < geometry.windowHeight &* geometry.windowWidth ? tap : 0
      let row = real / geometry.windowWidth
      body(
        tap, row &* geometry.dilationHeight &- geometry.paddingTop,
        (real &- row &* geometry.windowWidth) &* geometry.dilationWidth &- geometry.paddingLeft)
      tap &+= 1
    }
  }

  @inline(__always)
  private func fillInteriorTable() {
    forEachTap { tap, y, x in interiorTable[tap] = y &* rowBytes &+ x &* pixelBytes }
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
        ? y &* rowBytes &+ x &* pixelBytes : Int(bitPattern: zeros) &- Int(bitPattern: anchor)
    }
  }

  /// Whether loads of some pixel might exceed the end of the image.
  @inline(__always)
  private func reads(_ windows: DepthwiseWindows, past end: UnsafeRawPointer) -> Bool {
    guard pixelBytes < readBytes else { return false }
    let lastTap = geometry.windowHeight &* geometry.windowWidth &- 1
    let last =
      Int(bitPattern: windows.anchor) &+ (windows.count &- 1) &* windows.step
      &+ interiorTable[lastTap]
    return last &+ readBytes > Int(bitPattern: end)
  }

  /// Replaces the window of one pixel by a copy with slack after every pixel.
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
