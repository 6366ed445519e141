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

  /// A line under four windows side by side.
  ///
  /// Its outermost pixels, which may be in the padding, are known apart from the others.
  struct DirectLine {
    /// The pixel under the first column of the first window, if it is in the input.
    var pixel: UnsafeRawPointer
    var first, last: UnsafeRawPointer
    /// From a column of the window to the next, and from a window to the next.
    var columnBytes: Int
    var windowBytes: Int

    /// The pixel under a column of a window; both are literals at every call.
    @inline(__always)
    func pixel(window: Int, column: Int) -> UnsafeRawPointer {
      if window == 0 && column == 0 { return first }
      if window == 3 && column == 2 { return last }
      return pixel + (window &* windowBytes &+ column &* columnBytes)
    }

    /// One of the first window's columns or what is behind them; a literal at every call, as is the number of
    /// the last column of the last window.
    @inline(__always)
    func pixel(_ column: Int, last lastColumn: Int) -> UnsafeRawPointer {
      if column == 0 { return first }
      return column == lastColumn ? last : pixel + column &* columnBytes
    }
  }

  /// All windows over an input, with what would else be computed anew for every line and block of channels.
  struct DirectGrid {
    let geometry: PatchGeometry
    let input: UnsafeRawPointer
    /// A line that stands for those of the padding.
    let padding: UnsafeRawPointer
    /// From a column of a window to the next, from a window to the next, and from a line to the next.
    let columnBytes, windowBytes, lineBytes: Int
    /// From a line under a window to the next one, and from an image to the next.
    let rowBytes, imageBytes: Int
    /// From the first column under four windows to the last one.
    let columnsOfFour, bytesOfFour: Int
    /// From the outermost columns under four windows to those beside them.
    let columnStep: Int

    @inline(__always)
    init(geometry: PatchGeometry, input: UnsafeRawPointer, padding: UnsafeRawPointer) {
      (self.geometry, self.input, self.padding) = (geometry, input, padding)
      let (stride, dilation) = (geometry.strideWidth, geometry.dilationWidth)
      columnBytes = dilation &* geometry.pixelStride
      windowBytes = stride &* geometry.pixelStride
      lineBytes = geometry.inputWidth &* geometry.pixelStride
      rowBytes = geometry.dilationHeight &* lineBytes
      imageBytes = geometry.inputHeight &* lineBytes
      columnsOfFour = 3 &* stride &+ 2 &* dilation
      bytesOfFour = columnsOfFour &* geometry.pixelStride
      columnStep = smaller(stride, dilation)
    }

    /// The windows of an output line from a pixel on.
    @inline(__always)
    func run(_ pixel: OutputPixel, channel: Int) -> DirectRun {
      let top = pixel.y &* geometry.strideHeight &- geometry.paddingTop
      let left = pixel.x &* geometry.strideWidth &- geometry.paddingLeft
      let offset = left &* geometry.pixelStride &+ channel
      let first = input + (pixel.image &* imageBytes &+ top &* lineBytes &+ offset)
      let line = { (row: Int) in
        let y = top &+ row &* geometry.dilationHeight
        let isInside = y >= 0 && y < geometry.inputHeight
        return isInside ? first + row &* rowBytes : padding + offset
      }
      return DirectRun(
        grid: self, line0: line(0), line1: line(1), line2: line(2), left: left, channel: channel)
    }

    /// Whether the input has a column.
    @inline(__always)
    func has(_ column: Int) -> Bool { column >= 0 && column < geometry.inputWidth }
  }

  /// Windows side by side, visited one after the other.
  struct DirectRun {
    var grid: DirectGrid
    /// What is under the first column of the next window, in the three lines under it.
    var line0, line1, line2: UnsafeRawPointer
    /// That column.
    var left: Int
    var channel: Int

    /// The pixels of the next window.
    @inline(__always)
    mutating func next() -> DirectPixels {
      let (a, b, c) = (column(0), column(1), column(2))
      advance(by: 1)
      return DirectPixels(
        p00: a.0, p01: b.0, p02: c.0, p10: a.1, p11: b.1, p12: c.1, p20: a.2, p21: b.2, p22: c.2)
    }

    /// The pixels under a column of the next window, or padding if it is not there.
    @inline(__always)
    private func column(
      _ index: Int
    ) -> (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer) {
      let padding = grid.padding + channel
      guard grid.has(left &+ index &* grid.geometry.dilationWidth) else {
        return (padding, padding, padding)
      }
      let offset = index &* grid.columnBytes
      return (line0 + offset, line1 + offset, line2 + offset)
    }

    /// The lines under the next four windows, unless more than their outermost columns is in the padding.
    @inline(__always)
    func four() -> (DirectLine, DirectLine, DirectLine)? {
      let right = left &+ grid.columnsOfFour
      guard left &+ grid.columnStep >= 0 && grid.has(right &- grid.columnStep) else { return nil }
      let padding = grid.padding + channel
      let line = { (pixel: UnsafeRawPointer) in
        DirectLine(
          pixel: pixel, first: left >= 0 ? pixel : padding,
          last: grid.has(right) ? pixel + grid.bytesOfFour : padding,
          columnBytes: grid.columnBytes, windowBytes: grid.windowBytes)
      }
      return (line(line0), line(line1), line(line2))
    }

    @inline(__always)
    mutating func advance(by count: Int) {
      let bytes = count &* grid.windowBytes
      line0 += bytes
      line1 += bytes
      line2 += bytes
      left &+= count &* grid.geometry.strideWidth
    }
  }
#endif
