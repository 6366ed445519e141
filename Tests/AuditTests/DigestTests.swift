import OcellusAudit
import OcellusPlatform
import OcellusTestSupport
import Testing

@Suite struct DigestTests {
  /// Roots equal the tree of RFC 6962, put together by hand.
  @Test func rootsAreThoseOfTheRFC() {
    func leaf(_ byte: UInt8) -> [UInt8] { SHA256.hash([0, byte]) }
    func node(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { SHA256.hash([1] + a + b) }
    #expect(MerkleTree.root(of: []) == SHA256.hash([]))
    #expect(MerkleTree.root(of: [[7]]) == leaf(7))
    #expect(
      MerkleTree.root(of: [[1], [2], [3], [4], [5]])
        == node(node(node(leaf(1), leaf(2)), node(leaf(3), leaf(4))), leaf(5)))
  }

  /// A change of one block never cancels a change of another, as it might with too little mixing.
  @Test func changesDoNotUndoEachOther() throws {
    var generator = SeededGenerator(seed: 7)
    var bytes = generator.bytes(64 * 256, isSigned: false)
    var seen: Set<[UInt8]> = []
    var count = 0
    // The first word of each block: all of these go into the same lane.
    for block in 0..<64 {
      for bit in 0..<64 {
        bytes[block * 256 + bit / 8] ^= 1 << (bit % 8)
        seen.insert(bytes.withUnsafeBytes { TensorDigest.digest($0) })
        bytes[block * 256 + bit / 8] ^= 1 << (bit % 8)
        count += 1
      }
    }
    #expect(seen.count == count)
  }

  /// A digest changes with every bit, and when two segments are swapped, as a wrong transposition
  /// would.
  @Test(arguments: [0, 1, 255, 256, 257, 1023, 1024, 1025, 3000])
  func digestsChangeWithEveryBit(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    var bytes = generator.bytes(count, isSigned: false)
    // The prefix of a digest that tables show.
    func digest(_ bytes: [UInt8]) -> [UInt8] {
      Array(bytes.withUnsafeBytes { TensorDigest.digest($0) }.prefix(8))
    }
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
