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
  var outputRows: Int
  var inputRows: Int
  /// The number of columns of a plane that a row of windows reads, and the size of a plane in
  /// bytes, with slack for a tile.
  var planeColumns: Int
  var planeBytes: Int
  /// The number of planes of an input row: one for every channel and column phase.
  var planesPerRow: Int

  @inline(__always)
  private static var lanes: Int { FloatVector.scalarCount }

  /// The maximum number of columns for which transposed operands are faster.
  @inline(__always)
  static var maximumColumns: Int { lanes / 2 }

  /// The number of pixels of a tile.
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
    planesPerRow = geometry.strideWidth &* geometry.channels
    let beyond = (geometry.windowHeight &- 1) &* geometry.dilationHeight
    guard (beyond &+ 1) &* planeBytes &* planesPerRow <= 1024 * 1024 else { return nil }
    let capacity = 256 * 1024 / (planeBytes &* planesPerRow)
    outputRows = smaller(larger((capacity &- beyond) / geometry.strideHeight, 1), 16)
    inputRows = (outputRows &- 1) &* geometry.strideHeight &+ beyond &+ 1
  }

  // Scratch: the offsets of the window's elements, the sums of a tile, the planes.

  private var sums: Int { roundUp(geometry.patchDepth &* 8, to: 64) }
  private var planes: Int {
    sums &+ FloatPlanes.maximumColumns &* FloatPlanes.tilePixels &* 4
  }
  var byteCount: Int { planes &+ inputRows &* planesPerRow &* planeBytes }

  @inline(never)
  func run<Rounding: MultiplyAdd>(_ arguments: GEMMBlock<FloatEpilogue>, _: Rounding.Type) {
    noteOffsets(in: arguments.scratch)
    var index = arguments.rows.lowerBound
    while index < arguments.rows.upperBound {
      let pixel = OutputPixel(index, geometry)
      let left = arguments.rows.upperBound &- index
      let count = smaller(geometry.outputWidth &- pixel.x, left)
      let whole = smaller(left / geometry.outputWidth, geometry.outputHeight &- pixel.y)
      let rows = pixel.x == 0 ? larger(smaller(whole, outputRows), 1) : 1
      deinterleave(arguments, pixel, rows: rows)
      for outputRow in 0..<rows {
        multiplyOutputRow(
          arguments, outputRow: outputRow, row: index &+ outputRow &* geometry.outputWidth,
          count: count,
          Rounding.self)
      }
      index &+= rows &* count
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
            y &* geometry.dilationHeight &* planesPerRow &+ column &* geometry.channels &+ channel
          offsets[index] = plane &* planeBytes &+ step &* 4
          index &+= 1
        }
      }
    }
  }

  /// Deinterleaves the input rows under `rows` output rows, beginning with that of a pixel.
  private func deinterleave(_ arguments: GEMMBlock<FloatEpilogue>, _ pixel: OutputPixel, rows: Int)
  {
    let top = pixel.y &* geometry.strideHeight &- geometry.paddingTop
    let left = pixel.x &* geometry.strideWidth &- geometry.paddingLeft
    let needed =
      (rows &- 1) &* geometry.strideHeight
      &+ (geometry.windowHeight &- 1) &* geometry.dilationHeight &+ 1
    let rowElements = geometry.inputWidth &* geometry.channels
    let image = arguments.floats + pixel.image &* geometry.inputHeight &* rowElements
    var target = arguments.scratch + planes
    for row in 0..<needed {
      let y = top &+ row
      if y >= 0 && y < geometry.inputHeight {
        deinterleave(
          image + y &* rowElements, isLast: y &+ 1 == geometry.inputHeight, from: left, to: target)
      } else {
        fillWithZeros(target, count: planesPerRow &* planeBytes)
      }
      target += planesPerRow &* planeBytes
    }
  }

  /// Deinterleaves an input row from the column `left` on.
  ///
  /// The columns of one stride form a row with one number per plane. Such rows are transposed, four
  /// numbers of as many rows as there are lanes.
  @inline(__always)
  private func deinterleave(
    _ inputRow: UnsafePointer<Float>, isLast: Bool, from left: Int,
    to target: UnsafeMutableRawPointer
  ) {
    let lanes = FloatPlanes.lanes
    let stride = geometry.strideWidth
    let first = left < 0 ? smaller((stride &- 1 &- left) / stride, planeColumns) : 0
    // The last vector may transpose some rows a second time. Four numbers are loaded even where
    // fewer are left in a row, but none past the end of the input.
    let beyond = (roundUp(planesPerRow, to: 4) &- 1) / planesPerRow
    let inside = (geometry.inputWidth &- left) / stride &- (isLast ? beyond : 0)
    let end = larger(smaller(inside, planeColumns), first)
    deinterleave(inputRow, from: left, 0..<first, to: target)
    var step = first
    while step < end && end &- first >= lanes {
      step = smaller(step, end &- lanes)
      let rows = inputRow + (left &+ step &* stride) &* geometry.channels
      var plane = 0
      while plane < planesPerRow {
        let x = transposedRows(rows + plane, apart: planesPerRow &* 4)
        let address = target + (plane &* planeBytes &+ step &* 4)
        store(x.0, to: address)
        if plane &+ 1 < planesPerRow { store(x.1, to: address + planeBytes) }
        if plane &+ 2 < planesPerRow { store(x.2, to: address + 2 &* planeBytes) }
        if plane &+ 3 < planesPerRow { store(x.3, to: address + 3 &* planeBytes) }
        plane &+= 4
      }
      step &+= lanes
    }
    deinterleave(inputRow, from: left, step..<planeColumns, to: target)
  }

  /// Deinterleaves an input row number by number, with zeros outside of the row.
  private func deinterleave(
    _ inputRow: UnsafePointer<Float>, from left: Int, _ steps: Range<Int>,
    to target: UnsafeMutableRawPointer
  ) {
    for step in steps {
      for column in 0..<geometry.strideWidth {
        let x = left &+ step &* geometry.strideWidth &+ column
        let isInside = x >= 0 && x < geometry.inputWidth
        for channel in 0..<geometry.channels {
          let plane = column &* geometry.channels &+ channel
          store(
            isInside ? inputRow[x &* geometry.channels &+ channel] : 0,
            to: target + (plane &* planeBytes &+ step &* 4))
        }
      }
    }
  }

  @inline(__always)
  private func multiplyOutputRow<Rounding: MultiplyAdd>(
    _ arguments: GEMMBlock<FloatEpilogue>, outputRow: Int, row: Int, count: Int, _: Rounding.Type
  ) {
    let outputs = arguments.columns.upperBound
    // The registers also hold pixels, a weight and a product; with more outputs fewer vectors fit.
    let maximumVectors = 4 &* outputs &+ 4 &+ 2 <= vectorRegisters ? 4 : 2
    let planesPerOutputRow = geometry.strideHeight &* planesPerRow
    var tile = PlanarTile(
      pixels: UnsafeRawPointer(arguments.scratch)
        + (planes &+ outputRow &* planesPerOutputRow &* planeBytes),
      offsets: UnsafePointer(arguments.scratch.assumingMemoryBound(to: Int.self)),
      weights: arguments.packed + MemoryLayout<FloatVector>.size, biases: arguments.packed,
      steps: geometry.patchDepth,
      sums: arguments.scratch + sums)
    var x = 0
    while x < count {
      let vectors = smaller(
        (count &- x &+ FloatPlanes.lanes &- 1) / FloatPlanes.lanes, maximumVectors)
      multiplyPlanes(
        tile, FloatArithmetic<Rounding>.self, outputs: outputs, hasFourVectors: vectors > 2)
      let pixels = smaller(vectors &* FloatPlanes.lanes, count &- x)
      applyEpilogue(
        arguments, row: row &+ x, pixels: pixels, addsBiases: !Rounding.startsWithBias)
      x &+= pixels
      tile.pixels += pixels &* 4
    }
  }

  /// Adds the biases to the sums of a tile, unless they began with them, and stores the clamped
  /// results pixel by pixel.
  @inline(__always)
  private func applyEpilogue(
    _ arguments: GEMMBlock<FloatEpilogue>, row: Int, pixels: Int, addsBiases: Bool
  ) {
    let low = FloatVector(repeating: arguments.epilogue.minimum)
    let high = FloatVector(repeating: arguments.epilogue.maximum)
    let output = arguments.results + row &* arguments.outputStride
    let columns = arguments.columns.upperBound
    for column in 0..<columns {
      let bias = FloatVector(repeating: loadFloat(arguments.packed + column &* 4))
      let sums = self.sums(of: column, arguments)
      var pixel = 0
      while pixel < pixels {
        let sum = loadFloats(sums + pixel)
        let finished = clamp(addsBiases ? sum + bias : sum, low, high)
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
    storeSegments(x.0, to: output, apart: 4 &* stride)
    storeSegments(x.1, to: output + stride, apart: 4 &* stride)
    storeSegments(x.2, to: output + 2 &* stride, apart: 4 &* stride)
    storeSegments(x.3, to: output + 3 &* stride, apart: 4 &* stride)
  }

  @inline(__always)
  private func storeSegments(
    _ vector: SumVector, to output: UnsafeMutablePointer<Float>, apart stride: Int
  ) {
    storeInt32s(segment(vector, 0), to: output)
    if segmentCount > 1 { storeInt32s(segment(vector, 1), to: output + stride) }
    if segmentCount > 2 {
      storeInt32s(segment(vector, 2), to: output + 2 &* stride)
      storeInt32s(segment(vector, 3), to: output + 3 &* stride)
    }
  }
}
