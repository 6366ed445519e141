import OcellusImaging

/// Integers of four or two bits, the first in the lowest bits of the first byte.
enum PackedIntegers {
  /// One of the integers, as a byte.
  static func value(_ index: Int, in bytes: [UInt8], _ width: Int, _ isSigned: Bool) -> UInt8 {
    let perByte = 8 / width
    let bits = bytes[index / perByte] >> (index % perByte * width)
    // Up to the top of the byte and back down spreads the sign.
    let spare = 8 - width
    let raised = bits << spare
    return isSigned ? UInt8(bitPattern: Int8(bitPattern: raised) >> spare) : raised >> spare
  }

  /// The packed bytes of integers that come as bytes.
  static func bytes(of values: [UInt8], _ width: Int, _ isSigned: Bool) throws(NPYError) -> [UInt8]
  {
    let perByte = 8 / width
    var bytes = [UInt8](repeating: 0, count: (values.count + perByte - 1) / perByte)
    for (index, value) in values.enumerated() {
      let bits = value & (0xFF >> (8 - width))
      bytes[index / perByte] |= bits << (index % perByte * width)
      guard self.value(index, in: bytes, width, isSigned) == value else {
        let number = isSigned ? Int(Int8(bitPattern: value)) : Int(value)
        throw NPYError("holds \(number), which does not fit \(width) bits")
      }
    }
    return bytes
  }
}
