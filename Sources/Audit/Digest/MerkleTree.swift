import OcellusPlatform

/// The root of a tree of hashes, as RFC 6962 makes it of a list: what one leaf less, one more, another
/// order or a changed bit changes.
///
/// A leaf is the SHA-256 of a byte 0 and the leaf's bytes, and a node that of a byte 1 and its two
/// children, of which the left has the largest power of two of the leaves that is less than all.
public enum MerkleTree {
  /// The root over the leaves; that of none is the hash of nothing.
  public static func root(of leaves: [[UInt8]]) -> [UInt8] {
    leaves.isEmpty ? SHA256.hash([]) : root(of: leaves.map { SHA256.hash([0] + $0) }[...])
  }

  private static func root(of hashes: ArraySlice<[UInt8]>) -> [UInt8] {
    guard hashes.count > 1 else { return hashes.first ?? [] }
    var left = 1
    while left * 2 < hashes.count { left *= 2 }
    return SHA256.hash([1] + root(of: hashes.prefix(left)) + root(of: hashes.dropFirst(left)))
  }
}
