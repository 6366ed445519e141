import OcellusKernelABI

/// The rows of a part of an upright picture, in bytes of one order.
///
/// Stored pixels are read one row at a time, and only rows that are asked for. A picture whose rows
/// are stored as columns is turned first, but only the part of it.
struct UprightRows: PixelRows {
  private let reader: StoredRowReader
  private let orientation: Orientation
  private let storedSize: PixelSize
  private let part: PixelRectangle
  /// What of the part lies in the picture.
  private let inside: PixelRectangle
  private let padding: UInt8
  /// The upright pixels of `inside`, where rows are stored as columns.
  private let turned: UnsafeRawPointer?

  private var channels: Int { reader.order.byteCount }

  /// The rows of `part`, which may reach beyond the picture: there all bytes are `padding`.
  init(
    _ reader: StoredRowReader, of image: Image, part: PixelRectangle, padding: UInt8,
    scratch: ScratchMemory
  ) {
    self.reader = reader
    self.part = part
    self.padding = padding
    orientation = image.orientation
    storedSize = image.storedSize
    inside = part.intersection(PixelRectangle(image.size))
    turned =
      image.orientation.isTransposed && inside.width > 0 && inside.height > 0
      ? Self.turn(inside, of: image, reader, scratch) : nil
  }

  func row(_ y: Int, buffer: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    let uprightY = part.y + y
    guard inside.width > 0, inside.rows.contains(uprightY) else {
      fill(buffer, part.width)
      return UnsafeRawPointer(buffer)
    }
    if inside.width == part.width { return insideRow(uprightY, buffer: buffer) }
    let front = inside.x - part.x
    // The row reader's working place is larger than the pixels are; the padding follows.
    let pixels = buffer + front * channels
    let row = insideRow(uprightY, buffer: pixels)
    if row != UnsafeRawPointer(pixels) {
      pixels.copyMemory(from: row, byteCount: inside.width * channels)
    }
    fill(buffer, front)
    fill(pixels + inside.width * channels, part.width - front - inside.width)
    return UnsafeRawPointer(buffer)
  }

  private func fill(_ target: UnsafeMutableRawPointer, _ pixels: Int) {
    target.initializeMemory(as: UInt8.self, repeating: padding, count: pixels * channels)
  }

  private func insideRow(_ y: Int, buffer: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    if let turned { return turned + (y - inside.y) * inside.width * channels }
    let storedY = orientation.flipsVertically ? storedSize.height - 1 - y : y
    guard orientation.flipsHorizontally else {
      return reader.row(storedY, inside.columns, buffer: buffer)
    }
    let columns =
      storedSize.width - inside.columns.upperBound..<storedSize.width - inside.columns.lowerBound
    let row = reader.row(storedY, columns, buffer: buffer)
    if row == UnsafeRawPointer(buffer) {
      reverse(buffer)
    } else {
      copyReversed(row, to: buffer)
    }
    return UnsafeRawPointer(buffer)
  }

  private func reverse(_ row: UnsafeMutableRawPointer) {
    let bytes = row.assumingMemoryBound(to: UInt8.self)
    var (left, right) = (0, (inside.width - 1) * channels)
    while left < right {
      for channel in 0..<channels {
        (bytes[left + channel], bytes[right + channel]) =
          (bytes[right + channel], bytes[left + channel])
      }
      left += channels
      right -= channels
    }
  }

  private func copyReversed(_ row: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    let (source, bytes) = (
      row.assumingMemoryBound(to: UInt8.self), target.assumingMemoryBound(to: UInt8.self)
    )
    var from = (inside.width - 1) * channels
    for place in stride(from: 0, to: inside.width * channels, by: channels) {
      for channel in 0..<channels { bytes[place + channel] = source[from + channel] }
      from -= channels
    }
  }
}

// MARK: Rows stored as columns

extension UprightRows {
  /// Turns a part that lies in the picture.
  private static func turn(
    _ inside: PixelRectangle, of image: Image, _ reader: StoredRowReader, _ scratch: ScratchMemory
  ) -> UnsafeRawPointer {
    let channels = reader.order.byteCount
    let size = inside.size
    // A few stored rows are read together and become short pieces of upright rows.
    let band = 16
    let bandStride = StoredRowReader.bufferBytes(width: size.height)
    let pixelBytes = (size.width * size.height * channels + 63) / 64 * 64
    let target = scratch.bytes(pixelBytes + band * bandStride)
    let orientation = image.orientation
    // Transposed but not mirrored yet: where the part lies in the stored picture.
    let x =
      orientation.flipsHorizontally ? image.size.width - inside.columns.upperBound : inside.x
    let y = orientation.flipsVertically ? image.size.height - inside.rows.upperBound : inside.y
    var rows: [UnsafeRawPointer] = []
    rows.reserveCapacity(band)
    for start in stride(from: 0, to: size.width, by: band) {
      let count = min(band, size.width - start)
      rows.removeAll(keepingCapacity: true)
      for index in 0..<count {
        rows.append(
          reader.row(
            x + start + index, y..<y + size.height,
            buffer: target + (pixelBytes + index * bandStride)))
      }
      for column in 0..<size.height {
        let uprightY = orientation.flipsVertically ? size.height - 1 - column : column
        for index in 0..<count {
          let uprightX =
            orientation.flipsHorizontally ? size.width - 1 - start - index : start + index
          copyPixel(
            rows[index] + column * channels,
            to: target + (uprightY * size.width + uprightX) * channels, channels)
        }
      }
    }
    return UnsafeRawPointer(target)
  }

  @inline(__always)
  private static func copyPixel(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ channels: Int
  ) {
    for channel in 0..<channels {
      target.storeBytes(
        of: source.load(fromByteOffset: channel, as: UInt8.self), toByteOffset: channel,
        as: UInt8.self)
    }
  }
}
