import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct FlatBufferTests {
  /// The expected bytes were written by hand, following the format's description.
  @Test func tablesAreWrittenAsTheFormatSays() {
    let bytes = FlatBufferBuilder.file(
      identifier: "TFL3", root: [0: .uint8(7), 2: .int64(-1), 3: .string("hi")])
    let expected: [UInt8] = [
      20, 0, 0, 0, 0x54, 0x46, 0x4C, 0x33,  // the root's offset, "TFL3"
      12, 0, 17, 0, 16, 0, 0, 0, 4, 0, 12, 0,  // vtable: its size, the table's size, four fields
      12, 0, 0, 0,  // the vtable starts 12 bytes earlier
      255, 255, 255, 255, 255, 255, 255, 255,  // field 2
      8, 0, 0, 0, 7,  // field 3 starts 8 bytes later, field 0
      0, 0, 0, 2, 0, 0, 0, 0x68, 0x69, 0,  // "hi" with its length and terminator, aligned
    ]
    #expect(bytes == expected)
  }

  /// A wrong byte in a valid file.
  struct Patch: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Returns the position of the byte to change.
    var position: @Sendable ([UInt8]) -> Int?
    var value: UInt8
  }

  private static func root(_ bytes: [UInt8]) -> Int { Int(bytes[0]) + Int(bytes[1]) << 8 }

  static let patches: [Patch] = [
    Patch(testDescription: "another file identifier", position: { _ in 7 }, value: 0x34),
    Patch(testDescription: "root in the header", position: { _ in 0 }, value: 4),
    Patch(testDescription: "root beyond the end", position: { _ in 2 }, value: 255),
    Patch(testDescription: "misaligned root", position: { _ in 0 }, value: 201),
    Patch(testDescription: "vtable before the file", position: { root($0) + 2 }, value: 1),
    Patch(testDescription: "vtable behind the file", position: { root($0) + 3 }, value: 255),
    Patch(testDescription: "misaligned vtable", position: { root($0) }, value: 7),
    Patch(
      testDescription: "string without end",
      position: { $0.firstRange(of: "hand-made".utf8).map(\.upperBound) }, value: 1),
    Patch(
      testDescription: "string beyond the end",
      position: { $0.firstRange(of: "hand-made".utf8).map { $0.lowerBound - 2 } }, value: 1),
  ]

  @Test(arguments: patches)
  func brokenFramesAreRefused(_ patch: Patch) throws {
    var bytes = HandMadeModel().bytes
    #expect(HandMadeModel.error(of: bytes) == nil)
    bytes[try #require(patch.position(bytes))] = patch.value
    #expect(HandMadeModel.error(of: bytes) != nil)
  }

  @Test func fieldsMustBeAligned() throws {
    // The vtable's entry for the field `description` is off by one.
    var bytes = HandMadeModel().bytes
    let root = Self.root(bytes)
    let vtable = root - Int(bytes[root]) - Int(bytes[root + 1]) << 8
    bytes[vtable + 4 + 2 * 3] += 1
    #expect(HandMadeModel.error(of: bytes)?.kind == .malformed)
  }

  @Test func filesMayLieAnywhereInMemory() throws {
    let bytes = HandMadeModel().bytes
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 8, alignment: 8)
    defer { memory.deallocate() }
    for shift in 0..<8 {
      memory.copyBytes(from: Array(repeating: 0, count: shift) + bytes)
      let place = UnsafeRawBufferPointer(rebasing: memory[shift..<(shift + bytes.count)])
      let file = try ModelFile(ModelBytes(borrowing: place, owner: nil))
      #expect(file.subgraphs[0].tensors[1].data?.count == 8)
    }
  }
}
