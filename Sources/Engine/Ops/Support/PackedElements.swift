/// Elements of 2 or 4 bits, several to a byte, the first in the lowest bits.
package struct PackedElements {
  private let bitWidth: Int
  private let mask: UInt8

  /// Describes how a type is packed; `nil` for types whose elements fill whole bytes.
  package init?(_ type: ElementType) {
    guard let bitWidth = type.bitWidth, bitWidth < 8 else { return nil }
    self.bitWidth = bitWidth
    mask = UInt8(1 << bitWidth - 1)
  }

  /// Spreads elements to a byte each, with zeros above them.
  package func unpack(
    _ packed: UnsafeRawBufferPointer, to bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    let perByte = 8 / bitWidth
    for index in bytes.indices {
      bytes[index] = packed[index / perByte] >> UInt8(index % perByte * bitWidth) & mask
    }
  }

  /// Puts the low bits of each byte together; what the last byte has left over becomes zero.
  package func pack(
    _ bytes: UnsafeBufferPointer<UInt8>, to packed: UnsafeMutableRawBufferPointer
  ) {
    let perByte = 8 / bitWidth
    packed.initializeMemory(as: UInt8.self, repeating: 0)
    for index in bytes.indices {
      packed[index / perByte] |= (bytes[index] & mask) << UInt8(index % perByte * bitWidth)
    }
  }
}
