import OcellusEngine
import OcellusModelFile
import Testing

@Suite struct StringTensorTests {
  /// The strings "a", "" and "bcd": their count, the offset of each and of the end, and the bytes.
  private static let encoded: [UInt8] =
    [3, 0, 0, 0, 20, 0, 0, 0, 21, 0, 0, 0, 21, 0, 0, 0, 24, 0, 0, 0] + Array("abcd".utf8)

  private func strings(in bytes: [UInt8], shape: Shape) throws -> [String] {
    var bytes = bytes
    return try bytes.withUnsafeMutableBytes { bytes in
      let tensor = try StringTensor(TensorView(type: .string, shape: shape, bytes: bytes))
      return (0..<tensor.count).map { String(decoding: tensor[$0], as: UTF8.self) }
    }
  }

  @Test func decodes() throws {
    #expect(try strings(in: Self.encoded, shape: [3, 1]) == ["a", "", "bcd"])
    #expect(try strings(in: [], shape: [0]) == [])
    #expect(try strings(in: [0, 0, 0, 0, 8, 0, 0, 0], shape: [2, 0]) == [])
  }

  @Test func encodes() {
    let flat = Array("abcd".utf8)
    flat.withUnsafeBytes { flat in
      let pieces = [flat[0..<1], flat[1..<1], flat[1..<4]].map(UnsafeRawBufferPointer.init)
      let count = PackedStrings.byteCount(count: 3) { pieces[$0] }
      #expect(count == 24)
      var bytes = [UInt8](repeating: 0, count: 24)
      bytes.withUnsafeMutableBytes { bytes in
        PackedStrings.encode(count: 3, to: bytes) { pieces[$0] }
      }
      #expect(bytes == Self.encoded)
    }
  }

  /// Damages the count, or makes an offset point before the bytes, behind them or backwards.
  @Test(arguments: [(0, 200), (4, 19), (16, 25), (8, 24), (0, 255)])
  func refusesBrokenBytes(position: Int, value: UInt8) {
    var bytes = Self.encoded
    bytes[position] = value
    #expect(throws: ModelFileError.self) { try strings(in: bytes, shape: [3]) }
  }

  @Test func refusesAnotherShape() {
    #expect(throws: ModelFileError.self) { try strings(in: Self.encoded, shape: [2]) }
    #expect(throws: ModelFileError.self) { try strings(in: [], shape: []) }
  }
}
