/// The contents of a string tensor: the count, the offset of each string and of the end, the bytes.
package struct PackedStrings: @unchecked Sendable {
  // Sendable because the memory is immutable; whoever made the view keeps its owner.
  private let bytes: UnsafeRawBufferPointer
  package let count: Int

  /// The numbers of strings to check, and of bytes to copy, between two polls of `isOver`.
  private static let stringsBetweenPolls = 1 << 14
  private static let bytesBetweenPolls = 1 << 24
  /// The number of bytes that can be copied in the time that an empty string takes.
  private static let costOfString = 64

  /// Checks that all strings lie inside the bytes after the offsets, one after the other.
  ///
  /// - Throws: `malformed`, also if `isOver` returns true, because the run was stopped.
  package init(
    validating bytes: UnsafeRawBufferPointer, isOver: () -> Bool = { false }
  ) throws(ModelFileError) {
    let reader = ByteReader(bytes)
    let count = Int(try reader.load(at: 0, as: Int32.self))
    guard count >= 0, count < bytes.count / 4 else {
      throw .malformed("string tensor of \(count) strings in \(bytes.count) bytes")
    }
    var previous = 4 * (count + 2)
    for index in 0...count {
      if index % Self.stringsBetweenPolls == 1 && isOver() {
        throw .malformed("string tensor whose check was stopped")
      }
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
  /// Returns the size of the encoded strings; `nil` if the encoding's 32-bit offsets cannot reach
  /// it.
  ///
  /// If `isOver` returns true, because the run was stopped, the result is too small.
  package static func byteCount(
    count: Int, isOver: () -> Bool = { false }, _ string: (Int) -> UnsafeRawBufferPointer
  ) -> Int? {
    var total = 8
    for index in 0..<count {
      if index % stringsBetweenPolls == 1 && isOver() { break }
      total += 4 + string(index).count
      if total > Int(Int32.max) { return nil }
    }
    return total
  }

  /// Writes strings to memory of the size that `byteCount` returned for them.
  ///
  /// If `isOver` returns true, because the run was stopped, the rest is left out.
  package static func encode(
    count: Int, to bytes: UnsafeMutableRawBufferPointer, isOver: () -> Bool = { false },
    _ string: (Int) -> UnsafeRawBufferPointer
  ) {
    var offset = 4 * (count + 2)
    var left = bytesBetweenPolls
    bytes.storeBytes(of: Int32(count).littleEndian, toByteOffset: 0, as: Int32.self)
    for index in 0..<count {
      if left <= 0 {
        if isOver() { return }
        left = bytesBetweenPolls
      }
      let source = string(index)
      left -= costOfString + source.count
      bytes.storeBytes(
        of: Int32(offset).littleEndian, toByteOffset: 4 * (index + 1), as: Int32.self)
      copy(source, to: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]), isOver)
      offset += source.count
    }
    bytes.storeBytes(
      of: Int32(offset).littleEndian, toByteOffset: 4 * (count + 1), as: Int32.self)
  }

  private static func copy(
    _ string: UnsafeRawBufferPointer, to bytes: UnsafeMutableRawBufferPointer, _ isOver: () -> Bool
  ) {
    if string.count <= bytesBetweenPolls { return bytes.copyMemory(from: string) }
    var start = 0
    while start < string.count && !isOver() {
      let end = min(start + bytesBetweenPolls, string.count)
      UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: string[start..<end]))
      start = end
    }
  }

  /// Returns the encoding of strings; `nil` if they exceed the reach of its offsets.
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
