import OcellusKernelABI

/// The input rows under a range of output rows, converted to GEMM elements and padded on all sides.
///
/// Every row of a window is then contiguous, and neighbouring windows overlap in memory: GEMM rows
/// need no im2col. For dilated windows, pixels are deinterleaved so that those of one window are
/// contiguous: first every `dilationWidth`th pixel of the row from the first on, then from the
/// second on, and so on.
struct PaddedRows<Elements: PatchElements> {
  private var elements: Elements
  private var geometry: PatchGeometry
  /// The size of a pixel; the number of pixel groups (dilation phases) in a row and the pixels of
  /// each.
  private var pixelBytes: Int
  private var groups: Int
  private var groupPixels: Int
  var paddedRowBytes: Int
  /// The input rows between output rows, without those that no window reads.
  private var rowStep: Int
  /// The number of input rows that a window spans.
  private var span: Int
  /// The maximum number of input rows that are kept at once.
  private var capacity: Int

  /// The approximate number of output pixels of a row slice.
  private static var sliceRows: Int { 768 }

  @inline(__always)
  init(_ geometry: PatchGeometry, as elements: Elements) {
    self.elements = elements
    self.geometry = geometry
    pixelBytes = geometry.channels &* elements.rowBytes
    groups = geometry.windowWidth > 1 ? geometry.dilationWidth : 1
    groupPixels = (geometry.reach &+ groups &- 1) / groups
    paddedRowBytes = groups &* groupPixels &* pixelBytes
    span = geometry.windowSpanRows
    rowStep = geometry.inputRowsPerOutputRow
    let outputRows = minimumSliceRows / geometry.outputWidth &+ 2
    capacity = larger(
      128 * 1024 / larger(paddedRowBytes, 1), outputRows &* span)
  }

  // Scratch: the row offsets of a slice, its input rows.

  /// The size of four bytes per row of a slice.
  @inline(__always)
  var correctionBytes: Int {
    roundUp((Self.sliceRows &+ geometry.outputWidth) &* 4, to: 64)
  }

  /// The size of offsets, corrections and input rows.
  @inline(__always)
  var byteCount: Int { 2 &* correctionBytes &+ capacity &* paddedRowBytes &+ patchSlack }

  /// Copies the input rows under as many GEMM rows as fit one slice, and returns these.
  func copy(
    _ rows: Range<Int>, from input: UnsafeRawPointer, to scratch: UnsafeMutableRawPointer
  ) -> IndirectRows {
    let offsets = scratch.assumingMemoryBound(to: Int32.self)
    let inputRows = scratch + correctionBytes
    var pixel = OutputPixel(rows.lowerBound, geometry)
    var (inputRow, next, count) = (0, 0, 0)
    var isFirst = true
    while count < Self.sliceRows, rows.lowerBound &+ count < rows.upperBound {
      let continues = !isFirst && pixel.y > 0
      // Only the rows that the output row before does not share are copied.
      let new = continues ? rowStep : span
      guard next &+ new <= capacity else { break }
      inputRow = continues ? inputRow &+ rowStep : next
      for row in span &- new..<span {
        copyRow(
          pixel.y &* geometry.strideHeight &- geometry.paddingTop &+ row, of: pixel.image,
          from: input, to: inputRows + next &* paddedRowBytes)
        next &+= 1
      }
      let step = smaller(
        geometry.outputWidth &- pixel.x, rows.upperBound &- rows.lowerBound &- count)
      note(
        pixel.x, rowOffset: inputRow &* paddedRowBytes,
        in: UnsafeMutableBufferPointer(start: offsets + count, count: step))
      count &+= step
      pixel.advance(geometry, by: step)
      isFirst = false
    }
    return IndirectRows(
      start: UnsafeRawPointer(inputRows), offsets: UnsafePointer(offsets), count: count,
      runs: geometry.windowHeight, runStride: geometry.dilationHeight &* paddedRowBytes,
      runBytes: geometry.windowWidth &* pixelBytes)
  }

  /// Stores the offsets of the windows of consecutive output pixels, beginning with `x`.
  @inline(__always)
  private func note(
    _ x: Int, rowOffset: Int, in offsets: UnsafeMutableBufferPointer<Int32>
  ) {
    let stride = geometry.strideWidth
    if groups == 1 {
      // Each offset is computed independently, so that the compiler can vectorise the loop.
      let pixelStep = stride &* pixelBytes
      for window in offsets.indices {
        offsets[window] = Int32(truncatingIfNeeded: rowOffset &+ (x &+ window) &* pixelStep)
      }
      return
    }
    let wholeSteps = stride / groups
    let rest = stride &- wholeSteps &* groups
    var index = x &* stride / groups
    var group = x &* stride &- index &* groups
    for window in offsets.indices {
      let pixel = group &* groupPixels &+ index
      offsets[window] = Int32(truncatingIfNeeded: rowOffset &+ pixel &* pixelBytes)
      index &+= wholeSteps
      group &+= rest
      if group >= groups {
        group &-= groups
        index &+= 1
      }
    }
  }

  @inline(__always)
  private func copyRow(
    _ y: Int, of image: Int, from input: UnsafeRawPointer, to row: UnsafeMutableRawPointer
  ) {
    let width = paddedRowBytes / pixelBytes
    let isInside = y >= 0 && y < geometry.inputHeight
    let before = isInside ? smaller(larger(geometry.paddingLeft, 0), width) : width
    let first = before &- geometry.paddingLeft
    let inside = larger(smaller(geometry.inputWidth &- first, width &- before), 0)
    let pixel = (image &* geometry.inputHeight &+ y) &* geometry.inputWidth &+ first
    let source = input + pixel &* geometry.pixelStride &* elements.inputBytes
    if groups > 1 {
      elements.fill(row, count: width &* geometry.channels)
      if isInside { copyGroups(source, to: row, from: before, count: inside) }
      return
    }
    elements.fill(row, count: before &* geometry.channels)
    if isInside { copyPixels(source, to: row + before &* pixelBytes, count: inside) }
    let covered = before &+ inside
    elements.fill(
      row + covered &* pixelBytes, count: (width &- covered) &* geometry.channels)
  }

  /// Copies pixels to their groups; the first is the pixel at `start` of the padded row.
  private func copyGroups(
    _ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer, from start: Int, count: Int
  ) {
    let sourceBytes = geometry.pixelStride &* elements.inputBytes
    for first in 0..<smaller(groups, count) {
      let index = (start &+ first) / groups
      let group = start &+ first &- index &* groups
      var target = row + (group &* groupPixels &+ index) &* pixelBytes
      var pixel = first
      while pixel < count {
        elements.copy(source + pixel &* sourceBytes, to: target, count: geometry.channels)
        target += pixelBytes
        pixel &+= groups
      }
    }
  }

  @inline(__always)
  private func copyPixels(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
  ) {
    if geometry.channels == geometry.pixelStride {
      elements.copy(source, to: target, count: count &* geometry.channels)
      return
    }
    for pixel in 0..<count {
      elements.copy(
        source + pixel &* geometry.pixelStride &* elements.inputBytes,
        to: target + pixel &* pixelBytes,
        count: geometry.channels)
    }
  }
}

extension PatchGeometry {
  /// The number of input rows that a window spans.
  @inline(__always)
  fileprivate var windowSpanRows: Int { (windowHeight &- 1) &* dilationHeight &+ 1 }

  /// The input rows between output rows, without those that no window reads.
  @inline(__always)
  var inputRowsPerOutputRow: Int { smaller(strideHeight, windowSpanRows) }

  /// The number of pixels of a row from the first to the last that some window reads.
  @inline(__always)
  var reach: Int {
    (outputWidth &- 1) &* strideWidth &+ (windowWidth &- 1) &* dilationWidth &+ 1
  }

  /// Whether padded rows suit these windows.
  ///
  /// Rows and pixels between the taps are copied too. If there are very many of them, im2col is
  /// faster; so it is for dilated windows with few channels, whose pixels would be copied one by
  /// one.
  @inline(__always)
  var suitsPaddedRows: Bool {
    let areRowsNear = dilationHeight == 1 || windowSpanRows <= 16
    let arePixelsNear =
      dilationWidth == 1 || channels >= 16 && reach <= 2 &* outputWidth &* windowWidth
    return areRowsNear && arePixelsNear && !isPointwise
      && (reach &+ strideWidth) &* channels <= (1 << 22) / windowSpanRows
  }
}
