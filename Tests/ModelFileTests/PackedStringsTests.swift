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

  @Test(arguments: [
    [], [0], [-1, 8], [1, 8], [Int32.max, 0], [1, 4, 8], [1, 12, 13], [2, 16, 15, 16], [1, 12, -1],
  ])
  func contradictionsAreFound(_ header: [Int32]) {
    #expect(throws: ModelFileError.self) { try strings(header) }
  }
}
