import OcellusPlatform

/// Merkle tree hashes as RFC 6962 defines them.
///
/// Adding, removing, reordering or changing a leaf changes the root. A leaf's hash is the SHA-256
/// of a byte 0 and the leaf's bytes; a node's hash is the SHA-256 of a byte 1 and the hashes of its
/// two children. The left child covers the largest power of two of leaves that is less than their
/// number.
public enum MerkleTree {
  /// Returns the root of a list of leaves; an empty list has the hash of no bytes.
  public static func root(of leaves: [[UInt8]]) -> [UInt8] {
    leaves.isEmpty ? SHA256.hash([]) : root(of: leaves.map { SHA256.hash([0] + $0) }[...])
  }

  private static func root(of hashes: ArraySlice<[UInt8]>) -> [UInt8] {
    guard hashes.count > 1 else { return hashes.first ?? [] }
    let left = leftCount(of: hashes.count)
    return SHA256.hash([1] + root(of: hashes.prefix(left)) + root(of: hashes.dropFirst(left)))
  }
}

/// Proofs that a leaf is in the tree of a root.
extension MerkleTree {
  /// Returns the sibling hashes on the way from a leaf to the root, starting at the leaf.
  public static func path(to index: Int, among leaves: [[UInt8]]) -> [[UInt8]] {
    path(to: index, in: leaves.map { SHA256.hash([0] + $0) }[...])
  }

  private static func path(to index: Int, in hashes: ArraySlice<[UInt8]>) -> [[UInt8]] {
    guard hashes.count > 1 else { return [] }
    let left = leftCount(of: hashes.count)
    let (first, second) = (hashes.prefix(left), hashes.dropFirst(left))
    return index < left
      ? path(to: index, in: first) + [root(of: second)]
      : path(to: index - left, in: second) + [root(of: first)]
  }

  /// Returns the root of a tree of `count` leaves in which `leaf` has this index and path.
  ///
  /// Returns `nil` if the number of siblings does not fit the position.
  public static func root(
    over leaf: [UInt8], at index: Int, of count: Int, path: [[UInt8]]
  ) -> [UInt8]? {
    guard count > 0, (0..<count).contains(index) else { return nil }
    return root(over: SHA256.hash([0] + leaf), at: index, of: count, path: path[...])
  }

  private static func root(
    over hash: [UInt8], at index: Int, of count: Int, path: ArraySlice<[UInt8]>
  ) -> [UInt8]? {
    guard count > 1 else { return path.isEmpty ? hash : nil }
    guard let beside = path.last else { return nil }
    let left = leftCount(of: count)
    let rest = path.dropLast()
    if index < left {
      return root(over: hash, at: index, of: left, path: rest).map {
        SHA256.hash([1] + $0 + beside)
      }
    }
    return root(over: hash, at: index - left, of: count - left, path: rest).map {
      SHA256.hash([1] + beside + $0)
    }
  }

  /// Returns the largest power of two below a number.
  private static func leftCount(of count: Int) -> Int {
    var left = 1
    while left * 2 < count { left *= 2 }
    return left
  }
}
