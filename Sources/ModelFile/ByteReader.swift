/// Bounds-checked little-endian reads from untrusted bytes.
///
/// The bytes need not be aligned in memory.
package struct ByteReader: @unchecked Sendable {
  // Sendable because the memory is immutable; whoever made the reader keeps its owner.
  package let bytes: UnsafeRawBufferPointer

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package var count: Int { bytes.count }

  @inline(__always)
  package func load<Value: FixedWidthInteger>(
    at offset: Int, as type: Value.Type
  ) throws(ModelFileError) -> Value {
    let size = MemoryLayout<Value>.size
    guard offset >= 0, offset <= bytes.count - size else {
      throw outOfBounds(offset: offset, count: size)
    }
    return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  /// Returns the `count` bytes from `offset`.
  package func slice(
    at offset: Int, count: Int
  ) throws(ModelFileError) -> UnsafeRawBufferPointer {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
      throw outOfBounds(offset: offset, count: count)
    }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
  }

  /// Decodes `count` integers of one width from `offset`.
  package func integers<Value: FixedWidthInteger>(
    at offset: Int, count: Int, as type: Value.Type
  ) throws(ModelFileError) -> [Int] {
    Self.decode(
      try array(at: offset, count: count, of: Value.self), as: Value.self,
      keepsBits: Value.bitWidth == Int.bitWidth
    ) { Int(truncatingIfNeeded: $0) }
  }

  package func floats(at offset: Int, count: Int) throws(ModelFileError) -> [Float] {
    Self.decode(
      try array(at: offset, count: count, of: UInt32.self), as: UInt32.self, keepsBits: true
    ) { Float(bitPattern: $0) }
  }

  /// Decodes all values in some bytes.
  ///
  /// `keepsBits` says that a value has the same bits as its stored form, which can then be copied.
  @inline(__always)
  private static func decode<Stored: FixedWidthInteger, Value>(
    _ bytes: UnsafeRawBufferPointer, as _: Stored.Type, keepsBits: Bool,
    _ value: (Stored) -> Value
  ) -> [Value] {
    let size = MemoryLayout<Stored>.size
    let count = bytes.count / size
    guard count > 0, let first = bytes.baseAddress else { return [] }
    func decoded(_ index: Int) -> Value {
      value(Stored(littleEndian: (first + index * size).loadUnaligned(as: Stored.self)))
    }
    // Measured on 4 elements: 130 ns, against 220 for an array of uninitialized capacity.
    guard count > 8 else {
      var values: [Value] = []
      values.reserveCapacity(count)
      for index in 0..<count { values.append(decoded(index)) }
      return values
    }
    let isInOrder = Stored(littleEndian: 1) == 1
    return Array(unsafeUninitializedCapacity: count) { values, initializedCount in
      if keepsBits && isInOrder {
        UnsafeMutableRawBufferPointer(values).copyMemory(
          from: UnsafeRawBufferPointer(start: first, count: count * size))
      } else {
        for index in 0..<count { values.initializeElement(at: index, to: decoded(index)) }
      }
      initializedCount = count
    }
  }

  /// Returns the bytes of `count` values of one type from `offset`.
  package func array<Value>(
    at offset: Int, count: Int, of type: Value.Type
  ) throws(ModelFileError) -> UnsafeRawBufferPointer {
    let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Value>.size)
    guard !overflow else { throw outOfBounds(offset: offset, count: .max) }
    return try slice(at: offset, count: size)
  }

  @inline(never)
  private func outOfBounds(offset: Int, count: Int) -> ModelFileError {
    .malformed("\(count) bytes there reach beyond the \(bytes.count) bytes there are", at: offset)
  }
}
