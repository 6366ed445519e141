/// Makes a picture of the rows that a decoder reads: of the rows themselves, or, where the picture is wanted
/// smaller, of the means of squares, so that the whole is never in memory.
struct RowCollector {
  private(set) var image: Image
  private let options: ImageDecodingOptions
  private let rowBytes: Int
  private let means: SquareMeans?
  /// A row of the whole picture, where the picture itself has no place for it.
  private let buffer = ScratchMemory()

  /// Takes rows of a picture of the size `size`.
  init(
    of size: PixelSize, _ format: PixelFormat, _ reduction: PictureReduction,
    _ options: ImageDecodingOptions, inAnyOrder: Bool = false
  ) {
    self.options = options
    image = Image(uninitialized: format, size: reduction.size(of: size))
    rowBytes = format.byteCount(of: PixelSize(width: size.width, height: 1))
    means =
      reduction.factor > 1
      ? SquareMeans(of: size, format, reduction, inAnyOrder: inAnyOrder) : nil
  }

  /// Has `fill` write row `y`.
  mutating func readRow(
    _ y: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(ImageError) -> Void
  ) throws(ImageError) {
    guard means == nil else { return try readPart(ofRow: y, from: 0, step: 1, fill) }
    try options.checkStop()
    let plane = image.planes[0]
    let place = y * plane.rowStride..<y * plane.rowStride + plane.rowBytes
    try image.withUnsafeMutableBytes { target throws(ImageError) in
      try fill(UnsafeMutableRawBufferPointer(rebasing: target[place]))
    }
  }

  /// Has `fill` write every `step`-th pixel of row `y`, from column `start` on, of a picture that is made
  /// smaller.
  mutating func readPart(
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

  /// Takes the row that was read last as row `y` too; `false` where nobody remembers it.
  mutating func repeatRow(_ y: Int) -> Bool {
    guard let means else { return false }
    means.count(asRow: y, into: &image)
    return true
  }

  /// The picture, when all rows are there.
  mutating func finish() -> Image {
    means?.finish(into: &image)
    return image
  }
}
