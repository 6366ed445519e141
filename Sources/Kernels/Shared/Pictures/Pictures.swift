import OcellusKernelABI

// Pictures have one to four bytes per pixel, and a vector is a multiple of four lanes. So each
// pixel takes a segment of four lanes, one per channel. The segments of a vector are the same pixel
// of several rows, which share taps and weights, or neighbouring pixels of one row.
//
// Loads read 16 bytes from the start of a pixel, and stores write four lanes; the excess is ignored
// or overwritten by the next pixel. Callers reserve `pictureSlack` bytes after their rows for that.

var pictures: PictureKernels {
  PictureKernels(
    fixedPointHorizontal: fixedPointHorizontal, fixedPointVertical: fixedPointVertical,
    linearHorizontal: linearHorizontal,
    linearVertical: linearVertical, linearSumsVertical: linearSumsVertical,
    linearBytesHorizontal: linearBytesHorizontal, areaHorizontal: areaHorizontal,
    areaVertical: areaVertical,
    bilinear: interpolateRow, bilinearTransposed: interpolateColumn, nearest: copyNearestPixels,
    recolored: recolor,
    rgbFromYCbCr: rgbFromYCbCr, normalized: normalize)
}

/// A pointer for each 16-byte segment of a vector.
struct SegmentPointers {
  var first: UnsafeRawPointer
  var second: UnsafeRawPointer
  var third: UnsafeRawPointer
  var fourth: UnsafeRawPointer

  /// Loads the segments that begin `offset` bytes after the pointers.
  @inline(__always)
  func load(_ offset: Int) -> SumVector {
    // Segments that the vector lacks must not be loaded: their memory may be invalid, and not all
    // builds eliminate unused loads.
    let nothing = SIMD4<Int32>(repeating: 0)
    return joined(
      loadInt32s(first + offset),
      segmentCount > 1 ? loadInt32s(second + offset) : nothing,
      segmentCount > 2 ? loadInt32s(third + offset) : nothing,
      segmentCount > 2 ? loadInt32s(fourth + offset) : nothing)
  }
}

/// A pointer for each 16-byte segment of a vector.
struct MutableSegmentPointers {
  var first: UnsafeMutableRawPointer
  var second: UnsafeMutableRawPointer
  var third: UnsafeMutableRawPointer
  var fourth: UnsafeMutableRawPointer

  /// Stores the segments, 16 bytes each.
  @inline(__always)
  func store(_ x: SumVector, _ offset: Int) {
    storeInt32s(segment(x, 0), to: first + offset)
    if segmentCount > 1 { storeInt32s(segment(x, 1), to: second + offset) }
    if segmentCount > 2 {
      storeInt32s(segment(x, 2), to: third + offset)
      storeInt32s(segment(x, 3), to: fourth + offset)
    }
  }

  /// Stores the lower halves of the lanes, 8 bytes per segment.
  @inline(__always)
  func storeHalves(_ x: SumVector, _ offset: Int) {
    let halves = shuffled(x, by: repeated(SIMD4(0x0504_0100, 0x0D0C_0908, -1, -1)))
    storeLong(segment(halves, 0), to: first + offset)
    if segmentCount > 1 { storeLong(segment(halves, 1), to: second + offset) }
    if segmentCount > 2 {
      storeLong(segment(halves, 2), to: third + offset)
      storeLong(segment(halves, 3), to: fourth + offset)
    }
  }

  /// Stores the lowest bytes of the lanes, 4 bytes per segment.
  @inline(__always)
  func storeBytes(_ x: SumVector, _ offset: Int) {
    let bytes = shuffled(x, by: repeated(SIMD4(0x0C08_0400, -1, -1, -1)))
    storeInt(segment(bytes, 0), to: first + offset)
    if segmentCount > 1 { storeInt(segment(bytes, 1), to: second + offset) }
    if segmentCount > 2 {
      storeInt(segment(bytes, 2), to: third + offset)
      storeInt(segment(bytes, 3), to: fourth + offset)
    }
  }
}

@inline(__always)
private func storeInt(_ x: SIMD4<Int32>, to address: UnsafeMutableRawPointer) {
  store(x[0], to: address)
}

@inline(__always)
private func storeLong(_ x: SIMD4<Int32>, to address: UnsafeMutableRawPointer) {
  store(unsafeBitCast(x, to: SIMD2<Int64>.self)[0], to: address)
}

/// Visits rows in groups of as many as a vector has segments; the last row may be repeated.
@inline(__always)
func forEachRowGroup(
  _ arguments: HorizontalFilterArguments,
  _ body: (_ inputs: SegmentPointers, _ outputs: MutableSegmentPointers) -> Void
) {
  let last = arguments.rowCount &- 1
  var row = 0
  while row <= last {
    let second = smaller(row &+ 1, last)
    let third = smaller(row &+ 2, last)
    let fourth = smaller(row &+ 3, last)
    body(
      SegmentPointers(
        first: arguments.inputs[row], second: arguments.inputs[second],
        third: arguments.inputs[third], fourth: arguments.inputs[fourth]),
      MutableSegmentPointers(
        first: arguments.outputs[row], second: arguments.outputs[second],
        third: arguments.outputs[third], fourth: arguments.outputs[fourth]))
    row &+= segmentCount
  }
}

/// Clamps lanes to 0 through 255.
@inline(__always)
func clampedToBytes(_ x: SumVector) -> SumVector {
  minimum(maximum(x, SumVector()), SumVector(repeating: 255))
}

/// Returns a shuffle that zero-extends, in each of four lanes, the channel's byte at `offset`.
@inline(__always)
func channelBytes(_ offset: Int) -> SumVector {
  let first = Int32(truncatingIfNeeded: offset) | -256
  return repeated(SIMD4(first, first &+ 1, first &+ 2, first &+ 3))
}
