/// The memory format of `int2`, `int4` and `uint4`: several elements to a byte, the first in the
/// lowest bits, with the unused bits of the last byte zero.
package enum PackedIntegers {
  /// Unpacks elements to one byte each, as many as fit in `elements`, unless the run is stopped.
  ///
  /// Every packed type fits in `Int8`.
  package static func unpack(
    _ packed: UnsafeRawBufferPointer, of type: ElementType,
    to elements: UnsafeMutableBufferPointer<Int8>, _ control: RunControl? = nil
  ) {
    switch type {
    case .int2:
      unpack(packed, to: elements, bitWidth: 2, control) { Int8(bitPattern: $0 << 6) >> 6 }
    case .int4:
      unpack(packed, to: elements, bitWidth: 4, control) { Int8(bitPattern: $0 << 4) >> 4 }
    case .uint4:
      unpack(packed, to: elements, bitWidth: 4, control) { Int8(bitPattern: $0 & 0xF) }
    default: preconditionFailure("\(type.name) is not packed")
    }
  }

  /// Packs the lowest bits of elements of one byte each, unless the run is stopped.
  package static func pack(
    _ elements: UnsafeBufferPointer<Int8>, as type: ElementType,
    to packed: UnsafeMutableRawBufferPointer, _ control: RunControl? = nil
  ) {
    guard let bitWidth = type.bitWidth, bitWidth < 8 else {
      preconditionFailure("\(type.name) is not packed")
    }
    let perByte = 8 / bitWidth
    let mask: UInt8 = (1 << bitWidth) - 1
    let byteCount = (elements.count + perByte - 1) / perByte
    for chunk in StoppableChunks(of: byteCount, workOfEach: perByte, control) {
      for byte in chunk {
        var bits: UInt8 = 0
        for slot in 0..<min(perByte, elements.count - byte * perByte) {
          let element = UInt8(bitPattern: elements[byte * perByte + slot]) & mask
          bits |= element << UInt8(slot * bitWidth)
        }
        packed[byte] = bits
      }
    }
  }

  /// Unpacks `count` elements, to one byte each.
  package static func elements(of type: ElementType, count: Int, in bytes: [UInt8]) -> [Int8] {
    bytes.withUnsafeBytes { elements(of: type, count: count, in: $0) }
  }

  fileprivate static func elements(
    of type: ElementType, count: Int, in bytes: UnsafeRawBufferPointer,
    _ control: RunControl? = nil
  ) -> [Int8] {
    // All empty arrays share one object, whose reference count several threads would contend for.
    guard count > 0 else { return [] }
    return [Int8](unsafeUninitializedCapacity: count) { elements, initializedCount in
      let elements = UnsafeMutableBufferPointer(rebasing: elements[..<count])
      unpack(bytes, of: type, to: elements, control)
      initializedCount = count
    }
  }

  /// Packs elements of one byte each, of which the lowest bits are kept.
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
    bitWidth: Int, _ control: RunControl?, extend: (UInt8) -> Int8
  ) {
    let perByte = 8 / bitWidth
    let wholeBytes = elements.count / perByte
    for chunk in StoppableChunks(of: wholeBytes, workOfEach: perByte, control) {
      for byte in chunk {
        let bits = packed[byte]
        for slot in 0..<perByte {
          elements[byte * perByte + slot] = extend(bits >> UInt8(slot * bitWidth))
        }
      }
    }
    for index in wholeBytes * perByte..<elements.count {
      elements[index] = extend(packed[wholeBytes] >> UInt8(index % perByte * bitWidth))
    }
  }
}

extension TensorView {
  /// Returns the elements of a packed tensor, one byte each.
  ///
  /// If the run is stopped, the rest are undefined.
  ///
  /// - Precondition: the type is `int2`, `int4` or `uint4`.
  package func unpackedElements() -> [Int8] {
    PackedIntegers.elements(
      of: type, count: elementCount, in: UnsafeRawBufferPointer(bytes), control)
  }
}
