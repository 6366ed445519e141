import OcellusKernelABI
import OcellusKernelDispatch

/// A digest of a tensor's bytes that is made about as fast as they are read: to see where two runs
/// part, without being a proof against somebody who wants two tensors to have one digest.
///
/// The bytes are taken in blocks of 256, the last one filled up with zeros, each a word for one of 32 lanes.
/// A word is mixed into its lane by steps that can be undone (`Inspection.mixBlocks`), so that lanes which
/// once differ stay different until another word undoes it. Every fourth lane is then mixed, likewise, into
/// one of four words that begin with the number of bytes: these are the digest. So one changed word always
/// changes it.
/// Receipts have the SHA-256 of the bytes themselves instead.
public enum TensorDigest {
  private typealias Words = SIMD4<UInt64>

  private static let laneCount = 32

  /// The digest of some bytes, 32 of them.
  public static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * laneCount) { memory in
      guard let lanes = memory.baseAddress else { return [] }
      for lane in 0..<laneCount { lanes[lane] = UInt64(lane + 1) &* oddNumber }
      mix(bytes, into: lanes, lastBlock: lanes + laneCount)
      var words = Words(repeating: UInt64(bytes.count))
      for group in stride(from: 0, to: laneCount, by: Words.scalarCount) {
        words ^= UnsafeRawPointer(lanes + group).loadUnaligned(as: Words.self)
        // Without a multiplication the high bits of a word would hardly reach the others in one step.
        words = (words ^ (words &>> 32)) &* Words(repeating: oddNumber)
        words = (words ^ (words &>> 29)) &* Words(repeating: oddNumber)
        words ^= words &>> 32
      }
      return withUnsafeBytes(of: words) { Array($0) }
    }
  }

  private static func mix(
    _ bytes: UnsafeRawBufferPointer, into lanes: UnsafeMutablePointer<UInt64>,
    lastBlock: UnsafeMutablePointer<UInt64>
  ) {
    let blockCount = bytes.count / Inspection.blockByteCount
    guard let base = bytes.baseAddress else { return }
    if blockCount > 0 { Inspection.best.mixBlocks(base, blockCount, lanes) }
    let rest = bytes[(blockCount * Inspection.blockByteCount)...]
    if rest.isEmpty { return }
    lastBlock.initialize(repeating: 0, count: laneCount)
    UnsafeMutableRawBufferPointer(start: lastBlock, count: Inspection.blockByteCount)
      .copyBytes(from: rest)
    Inspection.best.mixBlocks(lastBlock, 1, lanes)
  }

  /// A number without a pattern: 2⁶⁴ over the golden ratio.
  private static let oddNumber: UInt64 = 0x9E37_79B9_7F4A_7C15
}

extension Inspection {
  /// The fastest that this processor runs: all find the same.
  static let best = KernelTable.best.inspection
}
