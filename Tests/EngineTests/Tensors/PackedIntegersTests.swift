import OcellusEngine
import Testing

@Suite struct PackedIntegersTests {
  @Test(
    arguments: [
      (.int4, [0x21, 0xF8, 0x07], [1, 2, -8, -1, 7]),
      (.uint4, [0x21, 0xF8, 0x07], [1, 2, 8, 15, 7]),
      (.int2, [0b10_01_00_11, 0b01], [-1, 0, 1, -2, 1]),
    ] as [(ElementType, [UInt8], [Int8])])
  func theFirstElementIsInTheLowestBits(
    type: ElementType, packed: [UInt8], elements: [Int8]
  ) {
    var unpacked = [Int8](repeating: 99, count: elements.count)
    packed.withUnsafeBytes { source in
      unpacked.withUnsafeMutableBufferPointer {
        PackedIntegers.unpack(source, of: type, to: $0)
      }
    }
    #expect(unpacked == elements)
    var repacked = [UInt8](repeating: 0xAA, count: packed.count)
    elements.withUnsafeBufferPointer { source in
      repacked.withUnsafeMutableBytes { PackedIntegers.pack(source, as: type, to: $0) }
    }
    #expect(repacked == packed)
  }
}
