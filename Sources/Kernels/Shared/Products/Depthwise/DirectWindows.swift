import OcellusKernelABI

#if DIRECT_WINDOWS
  // Where `dot` takes two 16-bit numbers a lane, a 3×3 window is faster read where it lies than from
  // interleaved lines: two pixels of a window are widened and interleaved in registers, which takes
  // four instructions for 16 channels, and nothing is written that is read again.

  /// The nine pixels under a window.
  struct DirectPixels {
    var p00, p01, p02: UnsafeRawPointer
    var p10, p11, p12: UnsafeRawPointer
    var p20, p21, p22: UnsafeRawPointer
  }

  /// A line under the windows of an output line.
  struct DirectLine {
    /// The pixel under the first column of a window.
    var pixel: UnsafeRawPointer
    /// From a column of the window to the next, and from a window to the next: zero for a line of the
    /// padding, which has one pixel for all.
    var columnBytes: Int
    var windowBytes: Int

    @inline(__always)
    mutating func advance(by windows: Int) { pixel += windows &* windowBytes }

    /// The line from another column of the window on.
    @inline(__always)
    func column(_ column: Int) -> DirectLine {
      var line = self
      line.pixel += column &* columnBytes
      return line
    }

    /// The pixel under the first column of another window.
    @inline(__always)
    func neighbour(_ window: Int) -> UnsafeRawPointer { pixel + window &* windowBytes }
  }

  /// All windows over an input.
  struct DirectGrid {
    var geometry: PatchGeometry
    var input: UnsafeRawPointer
    /// A pixel that stands for those of the padding.
    var padding: UnsafeRawPointer
    /// The windows of a line that have no columns in the padding.
    var firstInside: Int
    var endInside: Int

    @inline(__always)
    init(geometry: PatchGeometry, input: UnsafeRawPointer, padding: UnsafeRawPointer) {
      self.geometry = geometry
      self.input = input
      self.padding = padding
      let stride = geometry.strideWidth
      let last =
        geometry.inputWidth &- 1 &- 2 &* geometry.dilationWidth &+ geometry.paddingLeft
      firstInside = (geometry.paddingLeft &+ stride &- 1) / stride
      endInside = last < 0 ? 0 : last / stride &+ 1
    }

    /// The lines under the windows from an output pixel on.
    ///
    /// What they have in the padding above and below is there, what is beside them is not: see `inside`.
    @inline(__always)
    func lines(_ pixel: OutputPixel, channel: Int) -> DirectLines {
      let lineBytes = geometry.inputWidth &* geometry.pixelStride
      let top = pixel.y &* geometry.strideHeight &- geometry.paddingTop
      let left = pixel.x &* geometry.strideWidth &- geometry.paddingLeft
      let first =
        input
        + (pixel.image &* geometry.inputHeight &* lineBytes &+ left &* geometry.pixelStride
          &+ channel)
      let line = { (row: Int) in
        let y = top &+ row &* geometry.dilationHeight
        let isInside = y >= 0 && y < geometry.inputHeight
        let step = isInside ? geometry.pixelStride : 0
        return DirectLine(
          pixel: isInside ? first + y &* lineBytes : padding + channel,
          columnBytes: step &* geometry.dilationWidth, windowBytes: step &* geometry.strideWidth)
      }
      return DirectLines(line0: line(0), line1: line(1), line2: line(2))
    }

    /// The pixels of a window, with padding in the place of columns that are not there.
    @inline(__always)
    func inside(_ window: DirectPixels, x: Int, channel: Int) -> DirectPixels {
      let left = x &* geometry.strideWidth &- geometry.paddingLeft
      let padding = padding + channel
      let has = { (column: Int) in
        let place = left &+ column &* geometry.dilationWidth
        return place >= 0 && place < geometry.inputWidth
      }
      var pixels = window
      if !has(0) { (pixels.p00, pixels.p10, pixels.p20) = (padding, padding, padding) }
      if !has(1) { (pixels.p01, pixels.p11, pixels.p21) = (padding, padding, padding) }
      if !has(2) { (pixels.p02, pixels.p12, pixels.p22) = (padding, padding, padding) }
      return pixels
    }
  }

  /// The three lines under the windows of an output line.
  struct DirectLines {
    var line0, line1, line2: DirectLine

    /// The pixels of the first window.
    @inline(__always)
    var pixels: DirectPixels {
      DirectPixels(
        p00: line0.pixel, p01: line0.column(1).pixel, p02: line0.column(2).pixel,
        p10: line1.pixel, p11: line1.column(1).pixel, p12: line1.column(2).pixel,
        p20: line2.pixel, p21: line2.column(1).pixel, p22: line2.column(2).pixel)
    }

    @inline(__always)
    mutating func advance(by windows: Int) {
      line0.advance(by: windows)
      line1.advance(by: windows)
      line2.advance(by: windows)
    }
  }

  /// Windows side by side, visited one after the other.
  struct DirectRun {
    var windows: DirectGrid
    var lines: DirectLines
    var x: Int
    var channel: Int

    /// Whether the next windows have no columns in the padding.
    @inline(__always)
    func isInside(count: Int) -> Bool {
      x >= windows.firstInside && x &+ count <= windows.endInside
    }

    /// Whether a window begins with the second column of the one before.
    @inline(__always)
    var areNeighbours: Bool {
      windows.geometry.strideWidth == windows.geometry.dilationWidth
    }

    /// The pixels of the next window.
    @inline(__always)
    mutating func next() -> DirectPixels {
      defer { advance(by: 1) }
      return windows.inside(lines.pixels, x: x, channel: channel)
    }

    @inline(__always)
    mutating func advance(by count: Int) {
      lines.advance(by: count)
      x &+= count
    }
  }
#endif
