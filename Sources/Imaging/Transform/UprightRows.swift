import OcellusKernelABI

/// The rows of a part of a picture in the order of the upright picture, in bytes of one order; the
/// columns, where the picture lies on its side.
///
/// Stored pixels are read one row at a time, and only rows that are asked for. Each row is as it is
/// stored, from left to right: where that is from right to left of the upright picture, or from the
/// bottom up, resampling takes the opposite way (`Turn`).
struct UprightRows: PixelRows {
  private let reader: StoredRowReader
  private let storedSize: PixelSize
  private let turn: Turn
  /// The places of the rows in the upright picture, and which of them there are.
  private let rows: (wanted: Range<Int>, inside: Range<Int>)
  /// The same of the pixels of a row.
  private let pixels: (wanted: Range<Int>, inside: Range<Int>)
  private let padding: UInt8

  /// The rows of `part`, which may reach beyond the picture: there all bytes are `padding`.
  init(_ reader: StoredRowReader, of image: Image, part: PixelRectangle, padding: UInt8) {
    self.reader = reader
    self.padding = padding
    storedSize = image.storedSize
    turn = Turn(image.orientation)
    let inside = part.intersection(PixelRectangle(image.size))
    rows = turn.isTransposed ? (part.columns, inside.columns) : (part.rows, inside.rows)
    pixels = turn.isTransposed ? (part.rows, inside.rows) : (part.columns, inside.columns)
  }

  func row(_ y: Int, buffer: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    let place = rows.wanted.lowerBound + y
    guard rows.inside.contains(place), !pixels.inside.isEmpty else {
      fill(buffer, pixels.wanted.count)
      return UnsafeRawPointer(buffer)
    }
    let storedRow = turn.reversesRows ? storedSize.height - 1 - place : place
    let columns =
      turn.mirrorsRows
      ? storedSize.width - pixels.inside.upperBound..<storedSize.width - pixels.inside.lowerBound
      : pixels.inside
    guard pixels.inside.count < pixels.wanted.count else {
      return reader.row(storedRow, columns, buffer: buffer)
    }
    let before = pixels.inside.lowerBound - pixels.wanted.lowerBound
    let behind = pixels.wanted.upperBound - pixels.inside.upperBound
    return padded(storedRow, columns, turn.mirrorsRows ? behind : before, buffer)
  }

  /// Pixels of a row with `front` others in front of them, and the rest behind them.
  private func padded(
    _ storedRow: Int, _ columns: Range<Int>, _ front: Int, _ buffer: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    let channels = reader.order.byteCount
    // The reader's working place is larger than the pixels are: the padding follows.
    let place = buffer + front * channels
    let row = reader.row(storedRow, columns, buffer: place)
    if row != UnsafeRawPointer(place) {
      place.copyMemory(from: row, byteCount: columns.count * channels)
    }
    fill(buffer, front)
    fill(place + columns.count * channels, pixels.wanted.count - front - columns.count)
    return UnsafeRawPointer(buffer)
  }

  private func fill(_ target: UnsafeMutableRawPointer, _ count: Int) {
    target.initializeMemory(
      as: UInt8.self, repeating: padding, count: count * reader.order.byteCount)
  }
}
