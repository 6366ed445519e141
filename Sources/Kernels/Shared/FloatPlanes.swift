import OcellusKernelABI

/// Convolutions with so few output channels that most lanes of a panel would be idle: here lanes
/// are neighbouring output pixels instead.
///
/// The lines under the windows of a block of output lines are taken apart into planes of one
/// channel, padded, so that the pixels under an element of the window are a run of memory. Every
/// sum adds the same products in the same order as the matrix product, and gets the same bits.
struct FloatPlanes {
  var geometry: PatchGeometry
  /// The output lines of a block, and the input lines under them.
  var outputLines: Int
  var inputLines: Int
  var planeBytes: Int

  @inline(__always)
  private static var lanes: Int { FloatVector.scalarCount }

  /// The most columns for which this is faster than the matrix product.
  @inline(__always)
  static var maximumColumns: Int { lanes / 2 }

  /// The pixels that are computed at once.
  @inline(__always)
  private static var tilePixels: Int { 4 &* lanes }

  @inline(__always)
  init?(_ geometry: PatchGeometry) {
    let isSmall =
      geometry.channels <= 16 && geometry.kernelHeight <= 16 && geometry.kernelWidth <= 16
      && geometry.dilationHeight <= 4 && geometry.dilationWidth <= 4
      && geometry.strideHeight <= 4
    guard isSmall, geometry.kernelHeight &* geometry.kernelWidth >= 4,
      geometry.channels == geometry.pixelStride, geometry.strideWidth == 1,
      geometry.outputWidth >= 2 &* FloatPlanes.lanes, geometry.outputWidth <= 64 * 1024
    else { return nil }
    self.geometry = geometry
    let columns =
      geometry.outputWidth &+ (geometry.kernelWidth &- 1) &* geometry.dilationWidth
      &+ FloatPlanes.tilePixels
    planeBytes = roundUp(columns &* 4, to: 64)
    let beyond = (geometry.kernelHeight &- 1) &* geometry.dilationHeight
    guard (beyond &+ 1) &* planeBytes &* geometry.channels <= 1024 * 1024 else { return nil }
    let lines = 256 * 1024 / (planeBytes &* geometry.channels)
    outputLines = smaller(larger((lines &- beyond) / geometry.strideHeight, 1), 16)
    inputLines = (outputLines &- 1) &* geometry.strideHeight &+ beyond &+ 1
  }

  // Scratch: the distances of the window's elements, the sums of a tile, the planes.

  private var sums: Int { roundUp(geometry.patchDepth &* 8, to: 64) }
  private var planes: Int {
    sums &+ FloatPlanes.maximumColumns &* FloatPlanes.tilePixels &* 4
  }
  var byteCount: Int { planes &+ inputLines &* geometry.channels &* planeBytes }

  @inline(never)
  func run<Rounding: MultiplyAdd>(_ arguments: FloatGEMMArguments, _: Rounding.Type) {
    noteOffsets(in: arguments.scratch)
    var index = arguments.rows.lowerBound
    while index < arguments.rows.upperBound {
      let pixel = OutputPixel(index, geometry)
      let left = arguments.rows.upperBound &- index
      let count = smaller(geometry.outputWidth &- pixel.x, left)
      let whole = smaller(left / geometry.outputWidth, geometry.outputHeight &- pixel.y)
      let lines = pixel.x == 0 ? larger(smaller(whole, outputLines), 1) : 1
      takeApart(arguments, pixel, lines: lines, count: count)
      for line in 0..<lines {
        multiplyLine(
          arguments, line: line, row: index &+ line &* geometry.outputWidth, count: count,
          Rounding.self)
      }
      index &+= lines &* count
    }
  }

  /// Notes how far the pixels under every element of the window are from those under the first.
  private func noteOffsets(in scratch: UnsafeMutableRawPointer) {
    let offsets = scratch.assumingMemoryBound(to: Int.self)
    var index = 0
    for y in 0..<geometry.kernelHeight {
      for x in 0..<geometry.kernelWidth {
        for channel in 0..<geometry.channels {
          let plane = y &* geometry.dilationHeight &* geometry.channels &+ channel
          offsets[index] = plane &* planeBytes &+ x &* geometry.dilationWidth &* 4
          index &+= 1
        }
      }
    }
  }

  /// Makes planes of the lines under so many output lines, `count` pixels of each.
  private func takeApart(
    _ arguments: FloatGEMMArguments, _ pixel: OutputPixel, lines: Int, count: Int
  ) {
    let top = pixel.y &* geometry.strideHeight &- geometry.paddingTop
    let left = pixel.x &- geometry.paddingLeft
    let needed =
      (lines &- 1) &* geometry.strideHeight
      &+ (geometry.kernelHeight &- 1) &* geometry.dilationHeight &+ 1
    let columns = count &+ (geometry.kernelWidth &- 1) &* geometry.dilationWidth
    let lineElements = geometry.inputWidth &* geometry.channels
    let image = arguments.input + pixel.image &* geometry.inputHeight &* lineElements
    let first = smaller(larger(0 &- left, 0), columns)
    let end = larger(smaller(geometry.inputWidth &- left, columns), first)
    var plane = arguments.scratch + planes
    for line in 0..<needed {
      let y = top &+ line
      let isInside = y >= 0 && y < geometry.inputHeight
      for channel in 0..<geometry.channels {
        let target = plane.assumingMemoryBound(to: Float.self)
        let copied = isInside ? first..<end : 0..<0
        fill(target, 0..<copied.lowerBound)
        if isInside {
          let source = image + (y &* lineElements &+ left &* geometry.channels &+ channel)
          for column in first..<end { target[column] = source[column &* geometry.channels] }
        }
        fill(target, copied.upperBound..<columns &+ FloatPlanes.tilePixels)
        plane += planeBytes
      }
    }
  }

  @inline(__always)
  private func fill(_ target: UnsafeMutablePointer<Float>, _ columns: Range<Int>) {
    for column in columns { target[column] = 0 }
  }

  @inline(__always)
  private func multiplyLine<Rounding: MultiplyAdd>(
    _ arguments: FloatGEMMArguments, line: Int, row: Int, count: Int, _: Rounding.Type
  ) {
    let outputs = arguments.columns.upperBound
    // More outputs leave registers for fewer pixels.
    let widest = outputs > 6 ? 2 : 4
    let linePlanes = geometry.strideHeight &* geometry.channels
    var tile = PlanarTile(
      pixels: UnsafeRawPointer(arguments.scratch) + (planes &+ line &* linePlanes &* planeBytes),
      offsets: UnsafePointer(arguments.scratch.assumingMemoryBound(to: Int.self)),
      weights: arguments.packed + MemoryLayout<FloatVector>.size, steps: geometry.patchDepth,
      sums: arguments.scratch + sums)
    var x = 0
    while x < count {
      let vectors = smaller((count &- x &+ FloatPlanes.lanes &- 1) / FloatPlanes.lanes, widest)
      multiplyPlanes(
        tile, FloatArithmetic<Rounding>.self, outputs: outputs, isWide: vectors > 2)
      let pixels = smaller(vectors &* FloatPlanes.lanes, count &- x)
      finish(arguments, row: row &+ x, pixels: pixels)
      x &+= pixels
      tile.pixels += pixels &* 4
    }
  }

  /// Adds the bias to the sums of a tile, clamps and stores them pixel by pixel.
  @inline(__always)
  private func finish(_ arguments: FloatGEMMArguments, row: Int, pixels: Int) {
    let low = FloatVector(repeating: arguments.minimum)
    let high = FloatVector(repeating: arguments.maximum)
    let output = arguments.output + row &* arguments.outputStride
    for column in 0..<arguments.columns.upperBound {
      let bias = FloatVector(repeating: loadFloat(arguments.packed + column &* 4))
      let sums =
        (arguments.scratch + (self.sums &+ column &* FloatPlanes.tilePixels &* 4))
        .assumingMemoryBound(to: Float.self)
      var pixel = 0
      while pixel < pixels {
        let finished = clamp(loadFloats(sums + pixel) + bias, low, high)
        store(finished, to: UnsafeMutableRawPointer(sums + pixel))
        pixel &+= FloatPlanes.lanes
      }
      let target = output + column
      for pixel in 0..<pixels { target[pixel &* arguments.outputStride] = sums[pixel] }
    }
  }
}
