/// A collector that makes a picture from the rows of a decoder, and reduces it if asked to.
///
/// A reduced picture is made from means of squares, without the whole picture in memory.
struct RowCollector {
  private(set) var image: Image
  private let options: ImageDecodingOptions
  private let rowBytes: Int
  private let means: BoxAverage?
  /// A row of the source, used if the picture is reduced.
  private let buffer = ScratchMemory()

  /// Prepares for the rows of a picture of the size `size`.
  init(
    of size: PixelSize, _ format: PixelFormat, _ reduction: PictureReduction,
    _ options: ImageDecodingOptions, inAnyOrder: Bool = false
  ) {
    self.options = options
    image = Image(uninitialized: format, size: reduction.size(of: size))
    rowBytes = format.byteCount(of: PixelSize(width: size.width, height: 1))
    means =
      reduction.factor > 1
      ? BoxAverage(of: size, format, reduction, inAnyOrder: inAnyOrder) : nil
  }

  /// Calls `fill` to write row `y`.
  mutating func readRow(
    _ y: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(ImageError) -> Void
  ) throws(ImageError) {
    guard means == nil else { return try readPixels(ofRow: y, from: 0, step: 1, fill) }
    try options.checkStop()
    let plane = image.planes[0]
    let range = y * plane.rowStride..<y * plane.rowStride + plane.rowBytes
    try image.withUnsafeMutableBytes { target throws(ImageError) in
      try fill(UnsafeMutableRawBufferPointer(rebasing: target[range]))
    }
  }

  /// Calls `fill` to write every `step`-th pixel of row `y`, beginning at column `start`.
  ///
  /// Only for reduced pictures.
  mutating func readPixels(
    ofRow y: Int, from start: Int, step: Int,
    _ fill: (UnsafeMutableRawBufferPointer) throws(ImageError) -> Void
  ) throws(ImageError) {
    guard let means else { preconditionFailure("parts of rows have no place in a whole picture") }
    try options.checkStop()
    let row = UnsafeMutableRawBufferPointer(start: buffer.bytes(rowBytes), count: rowBytes)
    try fill(row)
    means.read(UnsafeRawPointer(buffer.bytes(rowBytes)), from: start, step: step)
    means.count(asRow: y, into: &image)
  }

  /// Uses the row that was read last as row `y` too; returns `false` if the row was not kept.
  mutating func repeatRow(_ y: Int) -> Bool {
    guard let means else { return false }
    means.count(asRow: y, into: &image)
    return true
  }

  /// Returns the picture after the last row.
  mutating func finish() -> Image {
    means?.finish(into: &image)
    return image
  }
}
