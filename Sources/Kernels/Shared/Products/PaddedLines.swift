import OcellusKernelABI

/// The lines of the input under some output lines as products take them, with padding on all sides.
///
/// Every line of a window is then a run of memory, and neighbouring windows share it: rows of a matrix
/// product need not be gathered. Where the pixels of windows are apart, those that are in one window lie
/// together, in groups: first every `dilationWidth`th pixel of the line from the first on, then those from the
/// second on.
struct PaddedLines<Elements: PatchElements> {
  private var elements: Elements
  private var geometry: PatchGeometry
  /// The bytes of a pixel and of a line, whose pixels lie in groups of as many.
  private var pixelBytes: Int
  private var groups: Int
  private var groupPixels: Int
  var lineBytes: Int
  /// The lines from one output line to the next; what lies between windows is left out.
  private var lineStep: Int
  /// The lines from the first to the last that a window reads.
  private var span: Int
  /// The most lines that are kept at once.
  private var capacity: Int

  /// The output pixels that are computed from the same lines, about.
  private static var blockRows: Int { 768 }

  @inline(__always)
  init(_ geometry: PatchGeometry, as elements: Elements) {
    self.elements = elements
    self.geometry = geometry
    pixelBytes = geometry.channels &* elements.rowBytes
    groups = geometry.windowWidth > 1 ? geometry.dilationWidth : 1
    groupPixels = (geometry.reach &+ groups &- 1) / groups
    lineBytes = groups &* groupPixels &* pixelBytes
    span = geometry.windowLines
    lineStep = geometry.linesOfStep
    let outputLines = fewestRows / geometry.outputWidth &+ 2
    capacity = larger(
      128 * 1024 / larger(lineBytes, 1), outputLines &* span)
  }

  // Scratch: the places of the rows of a block, its lines.

  /// Four bytes for every row of a block.
  @inline(__always)
  var correctionBytes: Int {
    roundUp((Self.blockRows &+ geometry.outputWidth) &* 4, to: 64)
  }

  /// Room for places, corrections and lines.
  @inline(__always)
  var byteCount: Int { 2 &* correctionBytes &+ capacity &* lineBytes &+ patchSlack }

  /// Copies the lines under as many rows from `row` on as are computed at once.
  func copy(
    _ rows: Range<Int>, from input: UnsafeRawPointer, to scratch: UnsafeMutableRawPointer
  ) -> StripRows {
    let places = scratch.assumingMemoryBound(to: Int32.self)
    let lines = scratch + correctionBytes
    var pixel = OutputPixel(rows.lowerBound, geometry)
    var (line, next, count) = (0, 0, 0)
    var isFirst = true
    while count < Self.blockRows, rows.lowerBound &+ count < rows.upperBound {
      let continues = !isFirst && pixel.y > 0
      // What the line before does not have already.
      let new = continues ? lineStep : span
      guard next &+ new <= capacity else { break }
      line = continues ? line &+ lineStep : next
      for part in span &- new..<span {
        copyLine(
          pixel.y &* geometry.strideHeight &- geometry.paddingTop &+ part, of: pixel.image,
          from: input, to: lines + next &* lineBytes)
        next &+= 1
      }
      let step = smaller(
        geometry.outputWidth &- pixel.x, rows.upperBound &- rows.lowerBound &- count)
      note(
        pixel.x, line: line &* lineBytes,
        in: UnsafeMutableBufferPointer(start: places + count, count: step))
      count &+= step
      pixel.advance(geometry, by: step)
      isFirst = false
    }
    return StripRows(
      start: UnsafeRawPointer(lines), offsets: UnsafePointer(places), count: count,
      runs: geometry.windowHeight, runStride: geometry.dilationHeight &* lineBytes,
      runBytes: geometry.windowWidth &* pixelBytes)
  }

  /// Notes where the windows of so many output pixels from `x` on begin.
  @inline(__always)
  private func note(
    _ x: Int, line: Int, in places: UnsafeMutableBufferPointer<Int32>
  ) {
    let stride = geometry.strideWidth
    if groups == 1 {
      // Every place by itself, so that vectors of them are computed at once.
      let pixelStep = stride &* pixelBytes
      for place in places.indices {
        places[place] = Int32(truncatingIfNeeded: line &+ (x &+ place) &* pixelStep)
      }
      return
    }
    let wholeSteps = stride / groups
    let rest = stride &- wholeSteps &* groups
    var index = x &* stride / groups
    var group = x &* stride &- index &* groups
    for place in places.indices {
      let pixel = group &* groupPixels &+ index
      places[place] = Int32(truncatingIfNeeded: line &+ pixel &* pixelBytes)
      index &+= wholeSteps
      group &+= rest
      if group >= groups {
        group &-= groups
        index &+= 1
      }
    }
  }

  @inline(__always)
  private func copyLine(
    _ y: Int, of image: Int, from input: UnsafeRawPointer, to line: UnsafeMutableRawPointer
  ) {
    let width = lineBytes / pixelBytes
    let isInside = y >= 0 && y < geometry.inputHeight
    let before = isInside ? smaller(larger(geometry.paddingLeft, 0), width) : width
    let first = before &- geometry.paddingLeft
    let inside = larger(smaller(geometry.inputWidth &- first, width &- before), 0)
    let pixel = (image &* geometry.inputHeight &+ y) &* geometry.inputWidth &+ first
    let source = input + pixel &* geometry.pixelStride &* elements.inputBytes
    if groups > 1 {
      elements.fill(line, count: width &* geometry.channels)
      if isInside { copyGroups(source, to: line, from: before, count: inside) }
      return
    }
    elements.fill(line, count: before &* geometry.channels)
    if isInside { copyPixels(source, to: line + before &* pixelBytes, count: inside) }
    let covered = before &+ inside
    elements.fill(
      line + covered &* pixelBytes, count: (width &- covered) &* geometry.channels)
  }

  /// Copies pixels to their groups, the first to where the pixel at `start` of a line belongs.
  private func copyGroups(
    _ source: UnsafeRawPointer, to line: UnsafeMutableRawPointer, from start: Int, count: Int
  ) {
    let sourceBytes = geometry.pixelStride &* elements.inputBytes
    for first in 0..<smaller(groups, count) {
      let index = (start &+ first) / groups
      let group = start &+ first &- index &* groups
      var target = line + (group &* groupPixels &+ index) &* pixelBytes
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
  /// The lines from the first to the last that a window reads.
  @inline(__always)
  fileprivate var windowLines: Int { (windowHeight &- 1) &* dilationHeight &+ 1 }

  /// The lines from one output line to the next, without those that no window reads.
  @inline(__always)
  var linesOfStep: Int { smaller(strideHeight, windowLines) }

  /// The pixels of a line from the first to the last that some window reads.
  @inline(__always)
  var reach: Int {
    (outputWidth &- 1) &* strideWidth &+ (windowWidth &- 1) &* dilationWidth &+ 1
  }

  /// Whether windows are cut out of lines, and not pixels themselves, that are not too long.
  ///
  /// Lines and pixels that windows leave out are copied too: of very many it is quicker to gather those that
  /// they read, and so it is where pixels that would have to be copied one by one are short.
  @inline(__always)
  var isCutFromLines: Bool {
    let areLinesNear = dilationHeight == 1 || windowLines <= 16
    let arePixelsNear =
      dilationWidth == 1 || channels >= 16 && reach <= 2 &* outputWidth &* windowWidth
    return areLinesNear && arePixelsNear && !isPointwise
      && (reach &+ strideWidth) &* channels <= (1 << 22) / windowLines
  }
}
