import OcellusPlatform
import OcellusTestSupport
import Testing

/// File names are arbitrary bytes, and their conversion to text and back preserves these bytes.
@Suite struct FileNameTests {
  @Test func everyNameComesBackAsItWas() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...12, using: &generator)
      // Includes the bytes at the upper end of Unicode, with which invalid bytes are represented.
      let bytes = (0..<length).map { _ in
        [UInt8.random(in: 1...255, using: &generator), 0xF4, 0x8F, 0xBE, 0x80, 0x41]
          .randomElement(using: &generator) ?? 0x41
      }
      #expect(String(fileNameBytes: bytes).fileNameBytes == bytes)
    }
  }

  @Test func differentNamesAreDifferentTexts() {
    let standIn = Array("\u{10FF80}".utf8)
    #expect(String(fileNameBytes: standIn) != String(fileNameBytes: [0x80]))
    #expect(String(fileNameBytes: standIn).fileNameBytes == standIn)
  }

  @Test func textStaysText() {
    let text = "Größe 漢字 👩‍👩‍👧 e\u{301}.jpg"
    #expect(String(fileNameBytes: Array(text.utf8)) == text)
  }

  @Test func suchFilesAreListedReadAndWritten() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/" + String(fileNameBytes: [0x61, 0xFF, 0x62])
    try FileSystem.write([1, 2, 3], to: path)
    #expect(try FileSystem.read(path) == [1, 2, 3])
    #expect(try FileSystem.entries(of: folder.path).map(\.fileNameBytes) == [[0x61, 0xFF, 0x62]])
    #expect(FileSystem.matches(of: folder.path + "/a*") == [path])
  }
}
