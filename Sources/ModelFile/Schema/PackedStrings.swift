/// The content of a string tensor: a count, the offsets of all beginnings and the end, the bytes.
package struct PackedStrings: @unchecked Sendable {
  // Sendable because the memory is immutable; whoever made the view keeps its owner.
  private let bytes: UnsafeRawBufferPointer
  package let count: Int

  /// Checks that every string lies behind the offsets, inside the bytes, and ends after it begins.
  package init(validating bytes: UnsafeRawBufferPointer) throws(ModelFileError) {
    let reader = ByteReader(bytes)
    let count = Int(try reader.load(at: 0, as: Int32.self))
    guard count >= 0, count < bytes.count / 4 else {
      throw .malformed("string tensor of \(count) strings in \(bytes.count) bytes")
    }
    var previous = 4 * (count + 2)
    for index in 0...count {
      let offset = Int(try reader.load(at: 4 * (index + 1), as: Int32.self))
      guard offset >= previous, offset <= bytes.count else {
        throw .malformed("string \(index) of a string tensor begins at its byte \(offset)")
      }
      previous = offset
    }
    self.bytes = bytes
    self.count = count
  }

  package subscript(index: Int) -> UnsafeRawBufferPointer {
    precondition(index >= 0 && index < count, "string index out of range")
    return UnsafeRawBufferPointer(rebasing: bytes[offset(index)..<offset(index + 1)])
  }

  private func offset(_ index: Int) -> Int {
    Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * (index + 1), as: Int32.self)))
  }
}
