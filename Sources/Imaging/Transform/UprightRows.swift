import OcellusKernelABI

/// The rows of a region of a picture in upright order; for transposed orientations, its columns.
///
/// Stored pixels are read one row at a time, and only on demand. The pixels of a row stay in stored
/// order. If that is the reverse of the upright order, the resampling filters are mirrored instead.
struct UprightRows: PixelRows {
  private let reader: StoredRowReader
  private let storedSize: PixelSize
  private let rowOrder: StoredRowOrder
  /// The range of rows, in upright coordinates, and the subrange that lies inside the picture.
  private let rows: (wanted: Range<Int>, inside: Range<Int>)
  /// The range of pixels of a row, and the subrange that lies inside the picture.
  private let pixels: (wanted: Range<Int>, inside: Range<Int>)
  private let padding: UInt8

  /// Reads the rows of `part`; bytes outside the picture are `padding`.
  init(_ reader: StoredRowReader, of image: Image, part: PixelRectangle, padding: UInt8) {
    self.reader = reader
    self.padding = padding
    storedSize = image.storedSize
    rowOrder = StoredRowOrder(image.orientation)
    let inside = part.intersection(PixelRectangle(image.size))
    rows = rowOrder.isTransposed ? (part.columns, inside.columns) : (part.rows, inside.rows)
    pixels = rowOrder.isTransposed ? (part.rows, inside.rows) : (part.columns, inside.columns)
  }

  func row(_ y: Int, buffer: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    let uprightRow = rows.wanted.lowerBound + y
    guard rows.inside.contains(uprightRow), !pixels.inside.isEmpty else {
      fill(buffer, pixels.wanted.count)
      return UnsafeRawPointer(buffer)
    }
    let storedRow = rowOrder.reversesRows ? storedSize.height - 1 - uprightRow : uprightRow
    let columns =
      rowOrder.mirrorsRows
      ? storedSize.width - pixels.inside.upperBound..<storedSize.width - pixels.inside.lowerBound
      : pixels.inside
    guard pixels.inside.count < pixels.wanted.count else {
      return reader.row(storedRow, columns, buffer: buffer)
    }
    let before = pixels.inside.lowerBound - pixels.wanted.lowerBound
    let behind = pixels.wanted.upperBound - pixels.inside.upperBound
    return padded(storedRow, columns, rowOrder.mirrorsRows ? behind : before, buffer)
  }

  /// Returns pixels of a row with `front` padding pixels before them, and the rest of the padding
  /// after them.
  private func padded(
    _ storedRow: Int, _ columns: Range<Int>, _ front: Int, _ buffer: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    let channels = reader.order.byteCount
    // The reader may write beyond the pixels, so the padding is filled afterwards.
    let firstPixel = buffer + front * channels
    let row = reader.row(storedRow, columns, buffer: firstPixel)
    if row != UnsafeRawPointer(firstPixel) {
      firstPixel.copyMemory(from: row, byteCount: columns.count * channels)
    }
    fill(buffer, front)
    fill(firstPixel + columns.count * channels, pixels.wanted.count - front - columns.count)
    return UnsafeRawPointer(buffer)
  }

  private func fill(_ target: UnsafeMutableRawPointer, _ count: Int) {
    target.initializeMemory(
      as: UInt8.self, repeating: padding, count: count * reader.order.byteCount)
  }
}
