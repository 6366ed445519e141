/// The memory format of `int2`, `int4` and `uint4`: several elements to a byte, the first in the
/// lowest bits, with the unused bits of the last byte zero.
package enum PackedIntegers {
  /// Spreads as many packed elements as `elements` has room for to one byte each; every packed
  /// type fits in `Int8`.
  package static func unpack(
    _ packed: UnsafeRawBufferPointer, of type: ElementType,
    to elements: UnsafeMutableBufferPointer<Int8>
  ) {
    switch type {
    case .int2:
      unpack(packed, to: elements, bitWidth: 2) { Int8(bitPattern: $0 << 6) >> 6 }
    case .int4:
      unpack(packed, to: elements, bitWidth: 4) { Int8(bitPattern: $0 << 4) >> 4 }
    case .uint4:
      unpack(packed, to: elements, bitWidth: 4) { Int8(bitPattern: $0 & 0xF) }
    default: preconditionFailure("\(type.name) is not packed")
    }
  }

  /// Packs elements of one byte each, keeping the lowest bits of each.
  package static func pack(
    _ elements: UnsafeBufferPointer<Int8>, as type: ElementType,
    to packed: UnsafeMutableRawBufferPointer
  ) {
    guard let bitWidth = type.bitWidth, bitWidth < 8 else {
      preconditionFailure("\(type.name) is not packed")
    }
    let perByte = 8 / bitWidth
    let mask: UInt8 = (1 << bitWidth) - 1
    for byte in 0..<(elements.count + perByte - 1) / perByte {
      var bits: UInt8 = 0
      for slot in 0..<min(perByte, elements.count - byte * perByte) {
        let element = UInt8(bitPattern: elements[byte * perByte + slot]) & mask
        bits |= element << UInt8(slot * bitWidth)
      }
      packed[byte] = bits
    }
  }

  /// So many elements of packed bytes, one byte each.
  package static func elements(of type: ElementType, count: Int, in bytes: [UInt8]) -> [Int8] {
    bytes.withUnsafeBytes { elements(of: type, count: count, in: $0) }
  }

  fileprivate static func elements(
    of type: ElementType, count: Int, in bytes: UnsafeRawBufferPointer
  ) -> [Int8] {
    // All empty arrays are one, whose count threads would write at the same time.
    guard count > 0 else { return [] }
    return [Int8](unsafeUninitializedCapacity: count) { elements, initializedCount in
      unpack(bytes, of: type, to: UnsafeMutableBufferPointer(rebasing: elements[..<count]))
      initializedCount = count
    }
  }

  /// The packed bytes of elements of one byte each, of which the lowest bits are kept.
  package static func bytes(of elements: [Int8], as type: ElementType) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: type.byteCount(ofElements: elements.count) ?? 0)
    elements.withUnsafeBufferPointer { elements in
      bytes.withUnsafeMutableBytes { pack(elements, as: type, to: $0) }
    }
    return bytes
  }

  @inline(__always)
  private static func unpack(
    _ packed: UnsafeRawBufferPointer, to elements: UnsafeMutableBufferPointer<Int8>,
    bitWidth: Int, extend: (UInt8) -> Int8
  ) {
    let perByte = 8 / bitWidth
    let wholeBytes = elements.count / perByte
    for byte in 0..<wholeBytes {
      let bits = packed[byte]
      for slot in 0..<perByte {
        elements[byte * perByte + slot] = extend(bits >> UInt8(slot * bitWidth))
      }
    }
    for index in wholeBytes * perByte..<elements.count {
      elements[index] = extend(packed[wholeBytes] >> UInt8(index % perByte * bitWidth))
    }
  }
}

extension TensorView {
  /// The elements of a packed tensor, one byte each.
  ///
  /// - Precondition: the type is `int2`, `int4` or `uint4`.
  package func unpackedElements() -> [Int8] {
    PackedIntegers.elements(of: type, count: elementCount, in: UnsafeRawBufferPointer(bytes))
  }

  /// Stores elements, one byte each, in a packed tensor.
  ///
  /// - Precondition: the type is `int2`, `int4` or `uint4`, and there are as many elements.
  package func packElements(_ elements: [Int8]) {
    elements.withUnsafeBufferPointer { PackedIntegers.pack($0, as: type, to: bytes) }
  }
}
