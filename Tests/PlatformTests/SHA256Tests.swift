import OcellusPlatform
import OcellusTestSupport
import Testing

@Suite struct SHA256Tests {
  /// The plain computation, and that by this processor's instructions if it has them.
  private static let ways = SHA256.hasInstructions ? [false, true] : [false]

  /// The examples of FIPS 180-4, and the digest of an empty message.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func digestsOfTheStandard(text: String, digest: String) throws {
    let folder = try TemporaryDirectory()
    try FileSystem.write(Array(text.utf8), to: folder.path + "/file")
    #expect(try FileSystem.sha256(of: folder.path + "/file") == digest)
  }

  @Test(arguments: ways) func aMillionLettersInPiecesOfAnySize(usesInstructions: Bool) {
    var hash = SHA256(usingInstructions: usesInstructions)
    var generator = SeededGenerator(seed: 1)
    var left = 1_000_000
    while left > 0 {
      let count = min(Int.random(in: 1...200, using: &generator), left)
      hash.update([UInt8](repeating: UInt8(ascii: "a"), count: count))
      left -= count
    }
    #expect(
      hash.finalized().hexadecimal
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// Digests equal `sha256sum`'s for all lengths around a block, hashed at once and in segments.
  @Test(.enabled(if: Executable.isThere("sha256sum")), arguments: ways)
  func digestsOfTheSystem(usesInstructions: Bool) throws {
    var generator = SeededGenerator(seed: 2)
    for length in [1, 54, 55, 56, 63, 64, 65, 119, 120, 1000, 100_000] {
      let letters = (0..<length).map { _ in UInt8.random(in: 0x61...0x7A, using: &generator) }
      let text = String(decoding: letters, as: UTF8.self)
      let expected = try Executable.output(of: "sha256sum", [], with: text).prefix(64)
      var hash = SHA256(usingInstructions: usesInstructions)
      for start in stride(from: 0, to: length, by: 37) {
        letters[start..<min(start + 37, length)].withUnsafeBytes { hash.update($0) }
      }
      let whole = letters.withUnsafeBytes { SHA256.hash($0) }
      #expect(hash.finalized() == whole)
      let folder = try TemporaryDirectory()
      try FileSystem.write(letters, to: folder.path + "/file")
      #expect(try FileSystem.sha256(of: folder.path + "/file") == expected)
    }
  }
}
