/// A cursor that reads integers from the bytes of a file, with bounds checks.
struct ByteCursor {
  enum ByteOrder {
    case bigEndian
    case littleEndian
  }

  let bytes: UnsafeRawBufferPointer
  let order: ByteOrder
  /// The offset of the next integer.
  private(set) var position: Int

  init(_ bytes: UnsafeRawBufferPointer, order: ByteOrder, at position: Int = 0) {
    self.bytes = bytes
    self.order = order
    self.position = min(max(position, 0), bytes.count)
  }

  var remaining: Int { bytes.count - position }

  mutating func read<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(ImageError) -> Number {
    let size = MemoryLayout<Number>.size
    try expect(size)
    defer { position += size }
    let number = bytes.loadUnaligned(fromByteOffset: position, as: type)
    return order == .bigEndian ? Number(bigEndian: number) : Number(littleEndian: number)
  }

  mutating func skip(_ count: Int) throws(ImageError) {
    try expect(count)
    position += count
  }

  /// Returns the next `count` bytes, and moves past them.
  mutating func take(_ count: Int) throws(ImageError) -> UnsafeRawBufferPointer {
    try expect(count)
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  private func expect(_ count: Int) throws(ImageError) {
    guard count >= 0, count <= remaining else {
      throw ImageError(
        .malformed, "the file ends where \(count) more bytes should be", byteOffset: position)
    }
  }
}
