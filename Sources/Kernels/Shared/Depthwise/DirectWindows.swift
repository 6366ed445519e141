import OcellusKernelABI

#if DIRECT_WINDOWS
  // Where `dot` takes two 16-bit integers per lane, reading 3×3 windows in place is faster than
  // interleaving their rows first: two taps are widened and interleaved in registers by four
  // instructions for 16 channels, and nothing is copied.

  /// The nine pixels under a window.
  struct DirectPixels {
    var p00, p01, p02: UnsafeRawPointer
    var p10, p11, p12: UnsafeRawPointer
    var p20, p21, p22: UnsafeRawPointer
  }

  /// An input row under four neighbouring windows.
  ///
  /// Its outermost pixels, which may be in the padding, have separate addresses.
  struct DirectRow {
    /// The pixel under the first column of the first window, if it is in the input.
    var pixel: UnsafeRawPointer
    var first, last: UnsafeRawPointer
    /// The distances in bytes between columns of the window, and between windows.
    var columnBytes: Int
    var windowBytes: Int

    /// Returns the pixel under a column of a window; both are literals at every call.
    @inline(__always)
    func pixel(window: Int, column: Int) -> UnsafeRawPointer {
      if window == 0 && column == 0 { return first }
      if window == 3 && column == 2 { return last }
      return pixel + (window &* windowBytes &+ column &* columnBytes)
    }

    /// Returns the pixel of a column, counted from the first window's first column.
    ///
    /// Both arguments are literals at every call; `lastColumn` is the last column of the last
    /// window.
    @inline(__always)
    func pixel(_ column: Int, last lastColumn: Int) -> UnsafeRawPointer {
      if column == 0 { return first }
      return column == lastColumn ? last : pixel + column &* columnBytes
    }
  }

  /// All windows of an input, with the strides that every row and block of channels needs.
  struct DirectGrid {
    let geometry: PatchGeometry
    let input: UnsafeRawPointer
    /// A row of padding, in place of rows outside the input.
    let padding: UnsafeRawPointer
    /// The distances in bytes between columns of a window, between windows, and between input rows.
    let columnBytes, windowBytes, inputRowBytes: Int
    /// The distances in bytes between rows of a window, and between images.
    let rowBytes, imageBytes: Int
    /// The distance from the first column under four windows to the last, in columns and in bytes.
    let columnsOfFour, bytesOfFour: Int
    /// The distance from the outermost columns under four windows to their neighbours.
    let columnStep: Int

    @inline(__always)
    init(geometry: PatchGeometry, input: UnsafeRawPointer, padding: UnsafeRawPointer) {
      (self.geometry, self.input, self.padding) = (geometry, input, padding)
      let (stride, dilation) = (geometry.strideWidth, geometry.dilationWidth)
      columnBytes = dilation &* geometry.pixelStride
      windowBytes = stride &* geometry.pixelStride
      inputRowBytes = geometry.inputWidth &* geometry.pixelStride
      rowBytes = geometry.dilationHeight &* inputRowBytes
      imageBytes = geometry.inputHeight &* inputRowBytes
      columnsOfFour = 3 &* stride &+ 2 &* dilation
      bytesOfFour = columnsOfFour &* geometry.pixelStride
      columnStep = smaller(stride, dilation)
    }

    /// Returns the windows of an output row, from a pixel on.
    @inline(__always)
    func run(_ pixel: OutputPixel, channel: Int) -> DirectRun {
      let top = pixel.y &* geometry.strideHeight &- geometry.paddingTop
      let left = pixel.x &* geometry.strideWidth &- geometry.paddingLeft
      let offset = left &* geometry.pixelStride &+ channel
      let first = input + (pixel.image &* imageBytes &+ top &* inputRowBytes &+ offset)
      let address = { (row: Int) in
        let y = top &+ row &* geometry.dilationHeight
        let isInside = y >= 0 && y < geometry.inputHeight
        return isInside ? first + row &* rowBytes : padding + offset
      }
      return DirectRun(
        grid: self, row0: address(0), row1: address(1), row2: address(2), left: left,
        channel: channel)
    }

    /// Whether the input has a column.
    @inline(__always)
    func has(_ column: Int) -> Bool { column >= 0 && column < geometry.inputWidth }
  }

  /// A run of neighbouring windows, visited in order.
  struct DirectRun {
    var grid: DirectGrid
    /// The pixels under the first column of the next window, in its three rows.
    var row0, row1, row2: UnsafeRawPointer
    /// The first column of the next window.
    var left: Int
    var channel: Int

    /// Returns the pixels of the next window, and advances past it.
    @inline(__always)
    mutating func next() -> DirectPixels {
      let (a, b, c) = (column(0), column(1), column(2))
      advance(by: 1)
      return DirectPixels(
        p00: a.0, p01: b.0, p02: c.0, p10: a.1, p11: b.1, p12: c.1, p20: a.2, p21: b.2, p22: c.2)
    }

    /// Returns the pixels under a column of the next window, or padding.
    @inline(__always)
    private func column(
      _ index: Int
    ) -> (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer) {
      let padding = grid.padding + channel
      guard grid.has(left &+ index &* grid.geometry.dilationWidth) else {
        return (padding, padding, padding)
      }
      let offset = index &* grid.columnBytes
      return (row0 + offset, row1 + offset, row2 + offset)
    }

    /// Returns the rows under the next four windows.
    ///
    /// It returns `nil` if more than their outermost columns is in the padding.
    @inline(__always)
    func four() -> (DirectRow, DirectRow, DirectRow)? {
      let right = left &+ grid.columnsOfFour
      guard left &+ grid.columnStep >= 0 && grid.has(right &- grid.columnStep) else { return nil }
      let padding = grid.padding + channel
      let row = { (pixel: UnsafeRawPointer) in
        DirectRow(
          pixel: pixel, first: left >= 0 ? pixel : padding,
          last: grid.has(right) ? pixel + grid.bytesOfFour : padding,
          columnBytes: grid.columnBytes, windowBytes: grid.windowBytes)
      }
      return (row(row0), row(row1), row(row2))
    }

    @inline(__always)
    mutating func advance(by count: Int) {
      let bytes = count &* grid.windowBytes
      row0 += bytes
      row1 += bytes
      row2 += bytes
      left &+= count &* grid.geometry.strideWidth
    }
  }
#endif
