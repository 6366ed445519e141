import Foundation
import OcellusAudit
import OcellusTestSupport
import Testing

@Suite struct DigestTests {
  /// The examples of FIPS 180-4 and NIST's test vectors.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func hashesAreThoseOfTheStandard(text: String, hash: String) {
    #expect(SHA256.hash(Array(text.utf8)).hexadecimal == hash)
  }

  @Test func aMillionLettersInPiecesOfAnySize() {
    var hash = SHA256()
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

  /// As `sha256sum` has it, for lengths around the blocks'.
  @Test func hashesAreThoseOfTheSystem() throws {
    let folder = try TemporaryDirectory()
    var generator = SeededGenerator(seed: 2)
    for count in [1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 1000] {
      let bytes = generator.bytes(count, isSigned: false)
      let file = URL(filePath: folder.path).appending(path: "bytes")
      try Data(bytes).write(to: file)
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/sha256sum")
      process.arguments = [file.path]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let line = String(
        decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(line.hasPrefix(SHA256.hash(bytes).hexadecimal), "\(count) bytes")
    }
  }

  /// The tree of RFC 6962, put together by hand.
  @Test func rootsAreThoseOfTheRFC() {
    func leaf(_ byte: UInt8) -> [UInt8] { SHA256.hash([0, byte]) }
    func node(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { SHA256.hash([1] + a + b) }
    #expect(MerkleTree.root(of: []) == SHA256.hash([]))
    #expect(MerkleTree.root(of: [[7]]) == leaf(7))
    #expect(
      MerkleTree.root(of: [[1], [2], [3], [4], [5]])
        == node(node(node(leaf(1), leaf(2)), node(leaf(3), leaf(4))), leaf(5)))
  }

  /// Every bit of tensors of many lengths, and every order of their stripes.
  @Test(arguments: [0, 1, 63, 64, 65, 1023, 1024, 1025, 3000])
  func digestsChangeWithEveryBit(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    var bytes = generator.bytes(count, isSigned: false)
    func digest(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { TensorDigest.digest($0) } }
    var seen: Set<[UInt8]> = [digest(bytes)]
    for bit in 0..<8 * count {
      bytes[bit / 8] ^= 1 << (bit % 8)
      seen.insert(digest(bytes))
      bytes[bit / 8] ^= 1 << (bit % 8)
    }
    #expect(seen.count == 8 * count + 1)
    #expect(!seen.contains(digest(bytes + [0])))
    for start in stride(from: 0, to: count - 127, by: 64) {
      var swapped = bytes
      swapped[start..<start + 64] = bytes[start + 64..<start + 128]
      swapped[start + 64..<start + 128] = bytes[start..<start + 64]
      #expect(!seen.contains(digest(swapped)))
    }
  }
}
