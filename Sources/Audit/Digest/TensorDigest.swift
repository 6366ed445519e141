import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform

/// A digest of a tensor's bytes that is made about as fast as they are read: to see where two runs
/// part, without being a proof against somebody who wants two tensors to have one digest.
///
/// The bytes are taken in blocks of 256, each a word for one of 32 lanes. A word is mixed into its lane by
/// steps that can be undone (`Inspection.mixBlocks`), so that lanes which once differ stay different until
/// another word undoes it: one changed word always changes the digest. The digest is the SHA-256 of the
/// lanes, of what is left behind the last block, and of the number of bytes.
/// Receipts have the SHA-256 of the bytes themselves instead.
public enum TensorDigest {
  /// The digest of some bytes, 32 of them.
  public static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let blockCount = bytes.count / Inspection.blockByteCount
    var hash = SHA256()
    if blockCount > 0, let base = bytes.baseAddress {
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: firstLanes.count) { lanes in
        guard let start = lanes.baseAddress else { return }
        _ = lanes.initialize(from: firstLanes)
        Inspection.best.mixBlocks(base, blockCount, start)
        hash.update(UnsafeRawBufferPointer(lanes))
      }
    }
    hash.update(
      UnsafeRawBufferPointer(rebasing: bytes[(blockCount * Inspection.blockByteCount)...]))
    withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update($0) }
    return hash.finalized()
  }

  /// Numbers without a pattern: multiples of 2⁶⁴ over the golden ratio.
  private static let firstLanes = (1...32 as ClosedRange<UInt64>).map {
    $0 &* 0x9E37_79B9_7F4A_7C15
  }
}

extension Inspection {
  /// The fastest that this processor runs: all find the same.
  static let best = KernelTable.best.inspection
}
