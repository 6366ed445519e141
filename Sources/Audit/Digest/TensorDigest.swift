import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform

/// A digest of a tensor's bytes that is made about as fast as they are read: to see where two runs
/// part, without being a proof against somebody who wants two tensors to have one digest.
///
/// The bytes are taken in stripes of 64, each a word for one of eight lanes; stripes take turns between two
/// groups of lanes. A word is mixed into its lane by steps that can be undone (`Inspection.mixBlocks`), so
/// that lanes which once differ stay different until another word undoes it: one changed word always changes
/// the digest. The digest is the SHA-256 of the lanes, of what is left behind the last pair of stripes, and of the number of bytes.
/// Receipts have the SHA-256 of the bytes themselves instead.
public enum TensorDigest {
  private typealias Lanes = SIMD8<UInt64>

  /// The digest of some bytes, 32 of them.
  public static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var lanes = firstLanes
    let blockCount = bytes.count / Inspection.blockByteCount
    if let base = bytes.baseAddress {
      withUnsafeMutableBytes(of: &lanes) { lanes in
        guard let lanes = lanes.baseAddress else { return }
        Inspection.best.mixBlocks(base, blockCount, lanes)
      }
    }
    var hash = SHA256()
    withUnsafeBytes(of: lanes.even) { hash.update($0) }
    withUnsafeBytes(of: lanes.odd) { hash.update($0) }
    hash.update(
      UnsafeRawBufferPointer(rebasing: bytes[(blockCount * Inspection.blockByteCount)...]))
    withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update($0) }
    return hash.finalized()
  }

  /// Numbers without a pattern: the fractions of the square roots of the first sixteen primes.
  private static let firstLanes: (even: Lanes, odd: Lanes) = (
    Lanes(
      0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
      0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F, 0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179),
    Lanes(
      0xCBBB_9D5D_C105_9ED8, 0x629A_292A_367C_D507, 0x9159_015A_3070_DD17, 0x152F_ECD8_F70E_5939,
      0x6733_2667_FFC0_0B31, 0x8EB4_4A87_6858_1511, 0xDB0C_2E0D_64F9_8FA7, 0x47B5_481D_BEFA_4FA4)
  )
}

extension Inspection {
  /// The fastest that this processor runs: all find the same.
  static let best = KernelTable.best.inspection
}
