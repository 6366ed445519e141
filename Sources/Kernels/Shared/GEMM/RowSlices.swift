import OcellusKernelABI

/// A way to copy the rows of a GEMM for its tiles, as many at once as the L2 cache holds.
protocol RowCopies {
  /// The size of the memory for a slice.
  var byteCount: Int { get }
  /// Copies as many of the rows as fit one slice, and returns these.
  func copy(
    _ rows: Range<Int>, from input: UnsafeRawPointer, to scratch: UnsafeMutableRawPointer
  ) -> IndirectRows
}

extension PaddedRows: RowCopies {}

extension GEMMBlock {
  /// Copies the block's rows to scratch memory slice by slice, and multiplies each; `multiply` gets
  /// the copies and the number of the first row.
  @inline(__always)
  func forEachSlice(
    _ copies: some RowCopies, in scratch: UnsafeMutableRawPointer,
    multiply: (_ rows: IndirectRows, _ first: Int) -> Void
  ) {
    var row = rows.lowerBound
    while row < rows.upperBound {
      let slice = copies.copy(
        Range(uncheckedBounds: (row, rows.upperBound)), from: input, to: scratch)
      multiply(slice, row)
      row &+= slice.count
    }
  }
}

/// Patches that are copied one below the other (im2col), in one run for each row of a window.
struct Im2colRows<Elements: PatchElements>: RowCopies {
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

  @inline(__always)
  var byteCount: Int { offsetsByteCount &+ sliceCount &* patchBytes &+ patchSlack }

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
