import OcellusKernelABI

/// A source of pixel rows for resampling.
protocol PixelRows {
  /// Returns the pixels of a row, either in place or copied to `buffer`.
  ///
  /// `pictureSlack` bytes after the pixels are readable.
  func row(_ y: Int, buffer: UnsafeMutableRawPointer) -> UnsafeRawPointer
}

/// The rows of one plane, unconverted.
struct PlaneRows: PixelRows {
  private let start: UnsafeRawPointer
  private let end: UnsafeRawPointer
  private let plane: Image.Plane

  /// Reads the rows of a plane of the picture whose memory is `memory`, which begins at `start`.
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
  /// Returns this pointer, or that of a copy in `buffer` if too little readable memory follows.
  func withSlack(
    byteCount: Int, end: UnsafeRawPointer, buffer: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    if self + (byteCount + pictureSlack) <= end { return self }
    buffer.copyMemory(from: self, byteCount: byteCount)
    return UnsafeRawPointer(buffer)
  }
}
