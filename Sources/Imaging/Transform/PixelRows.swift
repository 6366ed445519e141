/// Rows of pixels, one after the other, as resampling reads them.
protocol PixelRows {
  /// The pixels of a row: where they are already, or in `buffer`.
  func row(_ y: Int, buffer: UnsafeMutableRawPointer) -> UnsafeRawPointer
}

/// The rows of one plane, as they are.
struct PlaneRows: PixelRows {
  let start: UnsafeRawPointer
  let rowStride: Int

  func row(_ y: Int, buffer: UnsafeMutableRawPointer) -> UnsafeRawPointer { start + y * rowStride }
}
