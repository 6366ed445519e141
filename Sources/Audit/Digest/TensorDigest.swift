import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch

/// A digest of a tensor's bytes that is made about as fast as they are read: to see where two runs
/// part, without being a proof against somebody who wants two tensors to have one digest.
///
/// The bytes are taken as words of eight, the last one filled up with zeros, in the order of the file's axes.
/// `WordSums` makes two sums of these, in whatever order they lie in memory, and the digest is four words that
/// are mixed of both sums and the number of bytes, by steps that can be undone: so one changed word always
/// changes it.
/// Receipts have the SHA-256 of the bytes themselves instead.
public enum TensorDigest {
  /// The digest of some bytes, 32 of them.
  public static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let blockCount = bytes.count / Inspection.blockByteCount
    var sums = WordSums()
    if blockCount > 0, let base = bytes.baseAddress {
      sums = Inspection.best.sumWords(base, blockCount)
    }
    let wordSize = MemoryLayout<UInt64>.size
    let wordCount = bytes.count / wordSize
    for place in blockCount * Inspection.blockByteCount / wordSize..<wordCount {
      let word = bytes.loadUnaligned(fromByteOffset: place * wordSize, as: UInt64.self)
      sums.add(UInt64(littleEndian: word), at: place)
    }
    let rest = bytes[(wordCount * wordSize)...]
    if !rest.isEmpty { sums.add(rest.reversed().reduce(0) { $0 << 8 | UInt64($1) }, at: wordCount) }
    return digest(sums, byteCount: bytes.count)
  }

  /// The digest of a tensor that lies in memory in some order; `nil` where it must be brought in that of the
  /// file first.
  static func digest(_ elements: StoredElements) -> [UInt8]? {
    switch elements.order {
    case .file: return digest(elements.bytes)
    case .columns(let columns):
      let rows = elements.bytes.count / elements.elementByteCount / max(columns, 1)
      guard elements.elementByteCount == 4, rows % 2 == 0, let base = elements.bytes.baseAddress
      else { return nil }
      return digest(
        Inspection.best.sumColumns(base, rows, columns), byteCount: elements.bytes.count)
    case .other: return nil
    }
  }

  private static func digest(_ sums: WordSums, byteCount: Int) -> [UInt8] {
    let count = mixed(UInt64(byteCount) &+ WordSums.keyStep)
    let words = mixed(sums.words ^ count)
    // First, for tables that have room for one word: all there is in it.
    let all = mixed(sums.products ^ words)
    let digest = SIMD4(all, words, mixed(all &+ words), mixed(all ^ (words << 1)))
    return withUnsafeBytes(of: digest) { Array($0) }
  }

  /// Another word for each one, all of whose bits depend on all of its.
  private static func mixed(_ word: UInt64) -> UInt64 {
    var word = (word ^ (word >> 32)) &* 0xD6E8_FEB8_6659_FD93
    word = (word ^ (word >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return word ^ (word >> 32)
  }
}

extension Inspection {
  /// The fastest that this processor runs: all find the same.
  static let best = KernelTable.best.inspection
}
