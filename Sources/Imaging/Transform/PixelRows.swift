import OcellusKernelABI

/// Rows of pixels, one after the other, as resampling reads them.
protocol PixelRows {
  /// The pixels of a row: where they are already, or in `buffer`, with `pictureSlack` bytes behind
  /// them that may be read.
  func row(_ y: Int, buffer: UnsafeMutableRawPointer) -> UnsafeRawPointer
}

/// The rows of one plane, as they are.
struct PlaneRows: PixelRows {
  private let start: UnsafeRawPointer
  private let end: UnsafeRawPointer
  private let plane: Image.Plane

  /// The rows of a plane of the picture that has this memory.
  init(_ plane: Image.Plane, memory: UnsafeRawBufferPointer, start: UnsafeRawPointer) {
    self.plane = plane
    self.start = start + plane.byteOffset
    end = start + memory.count
  }

  func row(_ y: Int, buffer: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    (start + y * plane.rowStride).withSlack(
      byteCount: plane.rowBytes, end: end, buffer: buffer)
  }
}

extension UnsafeRawPointer {
  /// These bytes, or a copy of them in `buffer` where the memory ends too soon behind them.
  func withSlack(
    byteCount: Int, end: UnsafeRawPointer, buffer: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    if self + (byteCount + pictureSlack) <= end { return self }
    buffer.copyMemory(from: self, byteCount: byteCount)
    return UnsafeRawPointer(buffer)
  }
}
