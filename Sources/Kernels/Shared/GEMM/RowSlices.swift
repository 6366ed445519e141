import OcellusKernelABI

extension GEMMBlock {
  /// Copies the block's rows slice by slice, and multiplies each.
  ///
  /// - Parameters:
  ///   - copy: Copies as many of the rows as fit one slice, and returns these: that of `PaddedRows`
  ///     or of `Im2colRows`. These share no protocol, since conformances of generic types need
  ///     functions that the linker may take from the kernels of any instruction set.
  ///   - multiply: Multiplies the copied rows, of which the first has the number `first`.
  @inline(__always)
  func forEachSlice(
    copiedBy copy: (_ rows: Range<Int>) -> IndirectRows,
    multiply: (_ rows: IndirectRows, _ first: Int) -> Void
  ) {
    var row = rows.lowerBound
    while row < rows.upperBound {
      let slice = copy(Range(uncheckedBounds: (row, rows.upperBound)))
      multiply(slice, row)
      row &+= slice.count
    }
  }
}

/// Patches that are copied one below the other (im2col), in one run for each row of a window.
struct Im2colRows<Elements: PatchElements> {
  private var elements: Elements
  private var geometry: PatchGeometry
  private var patchBytes: Int
  private var sliceCount: Int

  @inline(__always)
  init(_ geometry: PatchGeometry, tileRows: Int, as elements: Elements) {
    self.elements = elements
    self.geometry = geometry
    patchBytes = geometry.patchDepth &* elements.rowBytes
    // Offsets have 32 bits.
    sliceCount =
      tileRows &* patchBytes < 1 << 31 ? sliceRows(rowBytes: patchBytes, tileRows: tileRows) : 1
  }

  // Scratch: the offsets of the rows, their copies.

  @inline(__always)
  private var offsetsByteCount: Int { roundUp(sliceCount &* 4, to: 64) }

  /// The size of the memory for a slice.
  @inline(__always)
  var byteCount: Int { offsetsByteCount &+ sliceCount &* patchBytes &+ patchSlack }

  /// Copies as many of the rows as fit one slice, and returns these.
  @inline(__always)
  func copy(
    _ rows: Range<Int>, from input: UnsafeRawPointer, to scratch: UnsafeMutableRawPointer
  ) -> IndirectRows {
    let count = smaller(sliceCount, rows.upperBound &- rows.lowerBound)
    let offsets = scratch.assumingMemoryBound(to: Int32.self)
    for row in 0..<count { offsets[row] = Int32(truncatingIfNeeded: row &* patchBytes) }
    let patches = scratch + offsetsByteCount
    im2col(
      Range(uncheckedBounds: (rows.lowerBound, rows.lowerBound &+ count)), of: geometry,
      from: input, to: patches, rowStride: patchBytes, as: elements)
    let runBytes = geometry.windowWidth &* geometry.channels &* elements.rowBytes
    return IndirectRows(
      start: UnsafeRawPointer(patches), offsets: UnsafePointer(offsets), count: count,
      runs: geometry.windowHeight, runStride: runBytes, runBytes: runBytes)
  }
}
