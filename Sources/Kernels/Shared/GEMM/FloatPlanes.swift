import OcellusKernelABI

/// The convolution with few output channels, whose lanes are neighbouring output pixels: panels
/// would leave most lanes idle.
///
/// The input rows under a range of output rows are deinterleaved into padded planes, one for every
/// channel and every column phase of the stride, so that the pixels under an element of the window
/// are contiguous. Every sum adds the same products in the same order as other strategies, and gets
/// the same bits.
struct FloatPlanes {
  var geometry: PatchGeometry
  /// The output rows that are computed together, and the input rows under them.
  var outputLines: Int
  var inputLines: Int
  /// The columns of a plane that a row of windows reads, and the bytes of a plane with slack for a
  /// tile.
  var planeColumns: Int
  var planeBytes: Int
  /// The planes of an input row: one for every channel and column phase.
  var planesPerLine: Int

  @inline(__always)
  private static var lanes: Int { FloatVector.scalarCount }

  /// The most columns for which transposed operands are faster.
  @inline(__always)
  static var maximumColumns: Int { lanes / 2 }

  /// The pixels of a tile.
  @inline(__always)
  private static var tilePixels: Int { 4 &* lanes }

  @inline(__always)
  init?(_ geometry: PatchGeometry) {
    let isSmall =
      geometry.channels <= 16 && geometry.windowHeight <= 16 && geometry.windowWidth <= 16
      && geometry.dilationHeight <= 4 && geometry.dilationWidth <= 4
      && geometry.strideHeight <= 4 && geometry.strideWidth <= 4
    guard isSmall, geometry.windowHeight &* geometry.windowWidth >= 4,
      geometry.channels == geometry.pixelStride,
      geometry.outputWidth >= 2 &* FloatPlanes.lanes, geometry.outputWidth <= 64 * 1024
    else { return nil }
    self.geometry = geometry
    let reach = (geometry.windowWidth &- 1) &* geometry.dilationWidth / geometry.strideWidth
    planeColumns = geometry.outputWidth &+ reach
    planeBytes = roundUp((planeColumns &+ FloatPlanes.tilePixels) &* 4, to: 64)
    planesPerLine = geometry.strideWidth &* geometry.channels
    let beyond = (geometry.windowHeight &- 1) &* geometry.dilationHeight
    guard (beyond &+ 1) &* planeBytes &* planesPerLine <= 1024 * 1024 else { return nil }
    let lines = 256 * 1024 / (planeBytes &* planesPerLine)
    outputLines = smaller(larger((lines &- beyond) / geometry.strideHeight, 1), 16)
    inputLines = (outputLines &- 1) &* geometry.strideHeight &+ beyond &+ 1
  }

  // Scratch: the offsets of the window's elements, the sums of a tile, the planes.

  private var sums: Int { roundUp(geometry.patchDepth &* 8, to: 64) }
  private var planes: Int {
    sums &+ FloatPlanes.maximumColumns &* FloatPlanes.tilePixels &* 4
  }
  var byteCount: Int { planes &+ inputLines &* planesPerLine &* planeBytes }

  @inline(never)
  func run<Rounding: MultiplyAdd>(_ arguments: GEMMBlock<FloatEpilogue>, _: Rounding.Type) {
    noteOffsets(in: arguments.scratch)
    var index = arguments.rows.lowerBound
    while index < arguments.rows.upperBound {
      let pixel = OutputPixel(index, geometry)
      let left = arguments.rows.upperBound &- index
      let count = smaller(geometry.outputWidth &- pixel.x, left)
      let whole = smaller(left / geometry.outputWidth, geometry.outputHeight &- pixel.y)
      let lines = pixel.x == 0 ? larger(smaller(whole, outputLines), 1) : 1
      deinterleave(arguments, pixel, lines: lines)
      for line in 0..<lines {
        multiplyLine(
          arguments, line: line, row: index &+ line &* geometry.outputWidth, count: count,
          Rounding.self)
      }
      index &+= lines &* count
    }
  }

  /// Stores the offset of the pixels under every element of the window from those under the first.
  private func noteOffsets(in scratch: UnsafeMutableRawPointer) {
    let offsets = scratch.assumingMemoryBound(to: Int.self)
    var index = 0
    for y in 0..<geometry.windowHeight {
      for x in 0..<geometry.windowWidth {
        let step = x &* geometry.dilationWidth / geometry.strideWidth
        let column = x &* geometry.dilationWidth &- step &* geometry.strideWidth
        for channel in 0..<geometry.channels {
          let plane =
            y &* geometry.dilationHeight &* planesPerLine &+ column &* geometry.channels &+ channel
          offsets[index] = plane &* planeBytes &+ step &* 4
          index &+= 1
        }
      }
    }
  }

  /// Deinterleaves the input rows under `lines` output rows, beginning with that of a pixel.
  private func deinterleave(_ arguments: GEMMBlock<FloatEpilogue>, _ pixel: OutputPixel, lines: Int)
  {
    let top = pixel.y &* geometry.strideHeight &- geometry.paddingTop
    let left = pixel.x &* geometry.strideWidth &- geometry.paddingLeft
    let needed =
      (lines &- 1) &* geometry.strideHeight
      &+ (geometry.windowHeight &- 1) &* geometry.dilationHeight &+ 1
    let lineElements = geometry.inputWidth &* geometry.channels
    let image = arguments.floats + pixel.image &* geometry.inputHeight &* lineElements
    var target = arguments.scratch + planes
    for line in 0..<needed {
      let y = top &+ line
      if y >= 0 && y < geometry.inputHeight {
        deinterleave(
          image + y &* lineElements, isLast: y &+ 1 == geometry.inputHeight, from: left, to: target)
      } else {
        fillWithZeros(target, count: planesPerLine &* planeBytes)
      }
      target += planesPerLine &* planeBytes
    }
  }

  /// Deinterleaves an input row from the column `left` on.
  ///
  /// The columns of one stride form a row with one number per plane. Such rows are transposed, four
  /// numbers of as many rows as there are lanes.
  @inline(__always)
  private func deinterleave(
    _ line: UnsafePointer<Float>, isLast: Bool, from left: Int, to target: UnsafeMutableRawPointer
  ) {
    let lanes = FloatPlanes.lanes
    let stride = geometry.strideWidth
    let first = left < 0 ? smaller((stride &- 1 &- left) / stride, planeColumns) : 0
    // The last vector may transpose some rows a second time. Four numbers are loaded even where
    // fewer are left in a row, but none past the end of the input.
    let beyond = (roundUp(planesPerLine, to: 4) &- 1) / planesPerLine
    let inside = (geometry.inputWidth &- left) / stride &- (isLast ? beyond : 0)
    let end = larger(smaller(inside, planeColumns), first)
    deinterleave(line, from: left, 0..<first, to: target)
    var step = first
    while step < end && end &- first >= lanes {
      step = smaller(step, end &- lanes)
      let rows = line + (left &+ step &* stride) &* geometry.channels
      var plane = 0
      while plane < planesPerLine {
        let x = transposedRows(rows + plane, apart: planesPerLine &* 4)
        let place = target + (plane &* planeBytes &+ step &* 4)
        store(x.0, to: place)
        if plane &+ 1 < planesPerLine { store(x.1, to: place + planeBytes) }
        if plane &+ 2 < planesPerLine { store(x.2, to: place + 2 &* planeBytes) }
        if plane &+ 3 < planesPerLine { store(x.3, to: place + 3 &* planeBytes) }
        plane &+= 4
      }
      step &+= lanes
    }
    deinterleave(line, from: left, step..<planeColumns, to: target)
  }

  /// Deinterleaves an input row number by number, with zeros outside of the row.
  private func deinterleave(
    _ line: UnsafePointer<Float>, from left: Int, _ steps: Range<Int>,
    to target: UnsafeMutableRawPointer
  ) {
    for step in steps {
      for column in 0..<geometry.strideWidth {
        let x = left &+ step &* geometry.strideWidth &+ column
        let isInside = x >= 0 && x < geometry.inputWidth
        for channel in 0..<geometry.channels {
          let plane = column &* geometry.channels &+ channel
          store(
            isInside ? line[x &* geometry.channels &+ channel] : 0,
            to: target + (plane &* planeBytes &+ step &* 4))
        }
      }
    }
  }

  @inline(__always)
  private func multiplyLine<Rounding: MultiplyAdd>(
    _ arguments: GEMMBlock<FloatEpilogue>, line: Int, row: Int, count: Int, _: Rounding.Type
  ) {
    let outputs = arguments.columns.upperBound
    // The registers also hold pixels, a weight and a product; with more outputs fewer vectors fit.
    let widest = 4 &* outputs &+ 4 &+ 2 <= vectorRegisters ? 4 : 2
    let linePlanes = geometry.strideHeight &* planesPerLine
    var tile = PlanarTile(
      pixels: UnsafeRawPointer(arguments.scratch) + (planes &+ line &* linePlanes &* planeBytes),
      offsets: UnsafePointer(arguments.scratch.assumingMemoryBound(to: Int.self)),
      weights: arguments.packed + MemoryLayout<FloatVector>.size, steps: geometry.patchDepth,
      sums: arguments.scratch + sums)
    var x = 0
    while x < count {
      let vectors = smaller((count &- x &+ FloatPlanes.lanes &- 1) / FloatPlanes.lanes, widest)
      multiplyPlanes(
        tile, FloatArithmetic<Rounding>.self, outputs: outputs, has16BitWeights: vectors > 2)
      let pixels = smaller(vectors &* FloatPlanes.lanes, count &- x)
      applyEpilogue(arguments, row: row &+ x, pixels: pixels)
      x &+= pixels
      tile.pixels += pixels &* 4
    }
  }

  /// Adds the bias to the sums of a tile, clamps the results and stores them pixel by pixel.
  @inline(__always)
  private func applyEpilogue(_ arguments: GEMMBlock<FloatEpilogue>, row: Int, pixels: Int) {
    let low = FloatVector(repeating: arguments.epilogue.minimum)
    let high = FloatVector(repeating: arguments.epilogue.maximum)
    let output = arguments.results + row &* arguments.outputStride
    let columns = arguments.columns.upperBound
    for column in 0..<columns {
      let bias = FloatVector(repeating: loadFloat(arguments.packed + column &* 4))
      let sums = self.sums(of: column, arguments)
      var pixel = 0
      while pixel < pixels {
        let finished = clamp(loadFloats(sums + pixel) + bias, low, high)
        store(finished, to: UnsafeMutableRawPointer(sums + pixel))
        pixel &+= FloatPlanes.lanes
      }
    }
    var column = 0
    while column &+ 4 <= columns && pixels % FloatPlanes.lanes == 0 {
      var pixel = 0
      while pixel < pixels {
        storeFour(
          sums(of: column, arguments) + pixel,
          to: output + (pixel &* arguments.outputStride &+ column), apart: arguments.outputStride)
        pixel &+= FloatPlanes.lanes
      }
      column &+= 4
    }
    while column < columns {
      let sums = self.sums(of: column, arguments)
      for pixel in 0..<pixels { output[pixel &* arguments.outputStride &+ column] = sums[pixel] }
      column &+= 1
    }
  }

  @inline(__always)
  private func sums(
    of column: Int, _ arguments: GEMMBlock<FloatEpilogue>
  ) -> UnsafeMutablePointer<Float> {
    (arguments.scratch + (sums &+ column &* FloatPlanes.tilePixels &* 4))
      .assumingMemoryBound(to: Float.self)
  }

  /// Stores four columns of a vector of pixels.
  @inline(__always)
  private func storeFour(
    _ sums: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, apart stride: Int
  ) {
    let apart = FloatPlanes.tilePixels
    let x = transposedSegments(
      loadSums(sums), loadSums(sums + apart), loadSums(sums + 2 &* apart),
      loadSums(sums + 3 &* apart))
    storeParts(x.0, to: output, apart: 4 &* stride)
    storeParts(x.1, to: output + stride, apart: 4 &* stride)
    storeParts(x.2, to: output + 2 &* stride, apart: 4 &* stride)
    storeParts(x.3, to: output + 3 &* stride, apart: 4 &* stride)
  }

  @inline(__always)
  private func storeParts(
    _ vector: SumVector, to output: UnsafeMutablePointer<Float>, apart stride: Int
  ) {
    storeInt32s(part(vector, 0), to: output)
    if segmentCount > 1 { storeInt32s(part(vector, 1), to: output + stride) }
    if segmentCount > 2 {
      storeInt32s(part(vector, 2), to: output + 2 &* stride)
      storeInt32s(part(vector, 3), to: output + 3 &* stride)
    }
  }
}
