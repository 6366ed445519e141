import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct PackedStringsTests {
  private func strings(_ header: [Int32], _ characters: String = "") throws(ModelFileError)
    -> [String]
  {
    let owner = ModelBytes(Array(bytesOf: header) + Array(characters.utf8))
    defer { withExtendedLifetime(owner) {} }
    let packed = try PackedStrings(validating: owner.buffer)
    return (0..<packed.count).map { String(decoding: packed[$0], as: UTF8.self) }
  }

  @Test func stringsAreFound() throws {
    #expect(try strings([2, 16, 18, 21], "hiyou") == ["hi", "you"])
    #expect(try strings([0, 8]).isEmpty)
    #expect(try strings([1, 12, 12]) == [""])
  }

  /// Encoding asks whether it must stop often enough, even if there are few but long strings.
  @Test func longStringsAreLeftOut() throws {
    let (count, length) = (64, 1 << 20)
    let string = [UInt8](repeating: 1, count: length)
    try string.withUnsafeBytes { string in
      let byteCount = try #require(PackedStrings.byteCount(count: count) { _ in string })
      #expect(byteCount == 4 * (count + 2) + count * length)
      func lastByte(afterQuestions most: Int) -> UInt8? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var questionCount = 0
        func isOver() -> Bool {
          questionCount += 1
          return questionCount > most
        }
        bytes.withUnsafeMutableBytes {
          PackedStrings.encode(count: count, to: $0, isOver: isOver) { _ in string }
        }
        return bytes.last
      }
      #expect(lastByte(afterQuestions: 1) == 0)
      #expect(lastByte(afterQuestions: .max) == 1)
    }
  }

  @Test(arguments: [
    [], [0], [-1, 8], [1, 8], [Int32.max, 0], [1, 4, 8], [1, 12, 13], [2, 16, 15, 16], [1, 12, -1],
  ])
  func contradictionsAreFound(_ header: [Int32]) {
    #expect(throws: ModelFileError.self) { try strings(header) }
  }
}
