import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusJSON
import Testing

@testable import OcellusCommands

@Suite struct TensorArrayTests {
  @Test func plainTypesKeepTheirBytes() throws {
    let array = try NPYArray(of: .int16, shape: [2], bytes: [1, 2, 3, 4])
    #expect(array == NPYArray(element: .int16, shape: [2], bytes: [1, 2, 3, 4]))
    #expect(try array.tensorBytes(of: .int16) == [1, 2, 3, 4])
  }

  @Test func packedIntegersBecomeBytes() throws {
    // Low bits come first: 0x8F is -1 and -8 as int4, 15 and 8 as uint4; 0b11_10_01_00 is 0 1 -2
    // -1.
    let int4 = try NPYArray(of: .int4, shape: [3], bytes: [0x8F, 0x07])
    #expect(int4 == NPYArray(element: .int8, shape: [3], bytes: [0xFF, 0xF8, 7]))
    #expect(try int4.tensorBytes(of: .int4) == [0x8F, 0x07])
    let uint4 = try NPYArray(of: .uint4, shape: [2], bytes: [0x8F])
    #expect(uint4 == NPYArray(element: .uint8, shape: [2], bytes: [15, 8]))
    #expect(try uint4.tensorBytes(of: .uint4) == [0x8F])
    let int2 = try NPYArray(of: .int2, shape: [4], bytes: [0b1110_0100])
    #expect(int2 == NPYArray(element: .int8, shape: [4], bytes: [0, 1, 0xFE, 0xFF]))
    #expect(try int2.tensorBytes(of: .int2) == [0b1110_0100])
  }

  @Test func integersBeyondTheWidthAreRefused() {
    let array = NPYArray(element: .int8, shape: [2], bytes: [7, 8])
    #expect(throws: NPYError("holds 8, which does not fit 4 bits")) {
      try array.tensorBytes(of: .int4)
    }
  }

  @Test func brainFloatsBecomeFloats() throws {
    // 0x3FC0 is 1.5 in bfloat16.
    let array = try NPYArray(of: .bfloat16, shape: [1], bytes: [0xC0, 0x3F])
    #expect(array == NPYArray(element: .float32, shape: [1], bytes: [0, 0, 0xC0, 0x3F]))
    #expect(try array.tensorBytes(of: .bfloat16) == [0xC0, 0x3F])
  }

  @Test func stringsBecomeByteStrings() throws {
    // Two strings, "a" and "bcd", after the count and three offsets.
    let tensor: [UInt8] =
      [2, 0, 0, 0, 16, 0, 0, 0, 17, 0, 0, 0, 20, 0, 0, 0] + Array("abcd".utf8)
    let array = try NPYArray(of: .string, shape: [2], bytes: tensor)
    #expect(array.element == NPYElement(kind: .bytes, size: 3))
    #expect(array.bytes == Array("a\0\0bcd".utf8))
    #expect(try array.tensorBytes(of: .string) == tensor)
    #expect(array.value(at: 1) == "bcd")
    let unicode = NPYArray(
      element: NPYElement(kind: .unicode, size: 8), shape: [1], bytes: [0xE9, 0, 0, 0, 0, 0, 0, 0])
    let bytes: [UInt8] = [1, 0, 0, 0, 12, 0, 0, 0, 14, 0, 0, 0, 0xC3, 0xA9]
    #expect(try unicode.tensorBytes(of: .string) == bytes)
  }

  @Test func otherTypesAreRefused() {
    let array = NPYArray(element: .float32, shape: [1], bytes: [0, 0, 0, 0])
    #expect(throws: NPYError("holds <f4, and the tensor is int32")) {
      try array.tensorBytes(of: .int32)
    }
    #expect(throws: NPYError.self) { try array.tensorBytes(of: .string) }
    #expect(throws: NPYError.self) { try array.tensorBytes(of: .int4) }
    #expect(throws: NPYError.self) { try NPYArray(of: .resource, shape: [], bytes: [0, 0, 0, 0]) }
  }

  @Test func digestsSkipWhatIsNotANumber() {
    let numbers: [Float] = [1, .nan, -3, 5, 0.1]
    let array = NPYArray(
      element: .float32, shape: [5], bytes: numbers.withUnsafeBytes { Array($0) })
    #expect(array.range?.minimum == -3)
    #expect(array.range?.maximum == 5)
    #expect(array.value(at: 4).text == "0.1")
    #expect(array.digest == "1.0, null, -3.0, 5.0, ...  (-3.0 to 5.0, mean 0.775)")
  }
}
