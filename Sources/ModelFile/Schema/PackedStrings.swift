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

extension PackedStrings {
  /// The bytes that strings take together; `nil` when it is more than the encoding's 32-bit offsets
  /// reach.
  package static func byteCount(
    count: Int, _ string: (Int) -> UnsafeRawBufferPointer
  ) -> Int? {
    var total = 8
    for index in 0..<count {
      total += 4 + string(index).count
      if total > Int(Int32.max) { return nil }
    }
    return total
  }

  /// Writes strings to memory of the size that `byteCount` gave for them.
  package static func encode(
    count: Int, to bytes: UnsafeMutableRawBufferPointer, _ string: (Int) -> UnsafeRawBufferPointer
  ) {
    var offset = 4 * (count + 2)
    bytes.storeBytes(of: Int32(count).littleEndian, toByteOffset: 0, as: Int32.self)
    for index in 0..<count {
      let source = string(index)
      bytes.storeBytes(
        of: Int32(offset).littleEndian, toByteOffset: 4 * (index + 1), as: Int32.self)
      UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + source.count)])
        .copyMemory(from: source)
      offset += source.count
    }
    bytes.storeBytes(
      of: Int32(offset).littleEndian, toByteOffset: 4 * (count + 1), as: Int32.self)
  }

  /// Strings as a tensor holds them; `nil` when they are more than its offsets reach.
  package static func bytes(of strings: [[UInt8]]) -> [UInt8]? {
    let starts = strings.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    return strings.flatMap { $0 }.withUnsafeBytes { joined in
      func string(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: joined[starts[index]..<starts[index + 1]])
      }
      guard let byteCount = byteCount(count: strings.count, string) else { return nil }
      return [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, count in
        encode(count: strings.count, to: UnsafeMutableRawBufferPointer(bytes), string)
        count = byteCount
      }
    }
  }
}
