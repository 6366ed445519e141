import OcellusPlatform

/// A digest of a tensor's bytes that is made about as fast as they are read: to see where two runs
/// part, without being a proof against somebody who wants two tensors to have one digest.
///
/// The bytes are taken in stripes of 64, each a word for one of eight lanes; stripes take turns between two
/// groups of lanes. A word is mixed into its lane by steps that can be undone, so that lanes which once differ
/// stay different until another word undoes it: one changed word always changes the digest. The digest is
/// the SHA-256 of the lanes, of what is left behind the last pair of stripes, and of the number of bytes.
/// Receipts have the SHA-256 of the bytes themselves instead.
public enum TensorDigest {
  private typealias Lanes = SIMD8<UInt64>
  private static let stripeSize = MemoryLayout<Lanes>.size

  /// The digest of some bytes, 32 of them.
  public static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var (even, odd) = firstLanes
    let pairCount = bytes.count / (2 * stripeSize)
    for pair in 0..<pairCount {
      let offset = pair * 2 * stripeSize
      even = mixed(even, bytes.loadUnaligned(fromByteOffset: offset, as: Lanes.self))
      odd = mixed(odd, bytes.loadUnaligned(fromByteOffset: offset + stripeSize, as: Lanes.self))
    }
    var hash = SHA256()
    withUnsafeBytes(of: even) { hash.update($0) }
    withUnsafeBytes(of: odd) { hash.update($0) }
    hash.update(UnsafeRawBufferPointer(rebasing: bytes[(pairCount * 2 * stripeSize)...]))
    withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update($0) }
    return hash.finalized()
  }

  /// Other lanes for any other lanes, and for any other words: products with odd numbers, and a shift that is
  /// mixed in, are steps that can be undone.
  @inline(__always)
  private static func mixed(_ lanes: Lanes, _ words: Lanes) -> Lanes {
    var lanes = lanes ^ words
    lanes &+= lanes &<< 21
    lanes ^= lanes &>> 29
    return lanes &+ (lanes &<< 11)
  }

  /// Numbers without a pattern: the fractions of the square roots of the first sixteen primes.
  private static let firstLanes: (Lanes, Lanes) = (
    Lanes(
      0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
      0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F, 0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179),
    Lanes(
      0xCBBB_9D5D_C105_9ED8, 0x629A_292A_367C_D507, 0x9159_015A_3070_DD17, 0x152F_ECD8_F70E_5939,
      0x6733_2667_FFC0_0B31, 0x8EB4_4A87_6858_1511, 0xDB0C_2E0D_64F9_8FA7, 0x47B5_481D_BEFA_4FA4)
  )
}
