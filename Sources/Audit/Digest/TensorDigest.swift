import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch

/// A fast, non-cryptographic digest of a tensor's bytes, to find where two runs diverge.
///
/// It takes about as long as reading the bytes, but does not resist somebody who constructs a
/// collision; receipts therefore contain the SHA-256 of the bytes.
///
/// The bytes are read as 64-bit words in the order of the file's axes, the last word padded with
/// zeros. `WordSums` computes two sums of the words in any order of memory. The digest is four
/// words mixed from both sums and the number of bytes by invertible steps, so a change of one word
/// always changes it.
public enum TensorDigest {
  /// Returns the digest of some bytes: 32 bytes.
  public static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let blockCount = bytes.count / Inspection.blockByteCount
    var sums = WordSums()
    if blockCount > 0, let base = bytes.baseAddress {
      sums = Inspection.best.sumWords(base, blockCount)
    }
    let wordSize = MemoryLayout<UInt64>.size
    let wordCount = bytes.count / wordSize
    for index in blockCount * Inspection.blockByteCount / wordSize..<wordCount {
      let word = bytes.loadUnaligned(fromByteOffset: index * wordSize, as: UInt64.self)
      sums.add(UInt64(littleEndian: word), at: index)
    }
    let rest = bytes[(wordCount * wordSize)...]
    if !rest.isEmpty { sums.add(rest.reversed().reduce(0) { $0 << 8 | UInt64($1) }, at: wordCount) }
    return digest(sums, byteCount: bytes.count)
  }

  /// Returns the digest of a tensor in memory.
  ///
  /// Returns `nil` if the elements must first be copied to the order of the file.
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
    // The first word depends on everything, for hash tables that use one word only.
    let all = mixed(sums.products ^ words)
    let digest = SIMD4(all, words, mixed(all &+ words), mixed(all ^ (words << 1)))
    return withUnsafeBytes(of: digest) { Array($0) }
  }

  /// Returns a bijective mix of a word, in which every bit depends on all bits of the word.
  private static func mixed(_ word: UInt64) -> UInt64 {
    var word = (word ^ (word >> 32)) &* 0xD6E8_FEB8_6659_FD93
    word = (word ^ (word >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return word ^ (word >> 32)
  }
}

extension Inspection {
  /// The fastest implementation for this processor; all give the same results.
  static let best = KernelTable.best.inspection
}
