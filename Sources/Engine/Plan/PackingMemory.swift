/// Memory that blocks of packed weights are cut from, one behind the other.
///
/// Nodes may be hundreds with a few kilobytes each, which in places of their own would take a
/// call or a fault for every page. Together they fill pages to the end, and large ones where
/// there is enough of them.
struct PackingMemory {
  private static let smallestPiece = 1 << 18
  /// Address space is not memory, but may be limited as well.
  private static let largestPiece = 1 << 26

  private var piece: PackingPiece?
  private var usedCount = 0
  private var nextPiece: Int

  /// Memory for about so many bytes: it may become more or less.
  init(expectedByteCount: Int) {
    // Packed, they have biases and scales beside them and are padded to whole vectors.
    let padded = min(expectedByteCount, Self.largestPiece) / 4 * 5
    // What is left of a large page that is resident anyway may hold something.
    let filled = max(padded, ZeroedMemory.largeByteCount(of: padded))
    nextPiece = min(max(filled, Self.smallestPiece), Self.largestPiece)
  }

  /// A block whose pages are brought in when it is filled; `nil` if the system has no memory.
  mutating func take(
    _ byteCount: Int, account: MemoryAccount, pointingTo other: PackedBlock?
  ) -> PackedBlock? {
    if MemoryGuard.isOn {
      return PackingPiece(byteCount: byteCount).map {
        PackedBlock(of: $0, at: 0, byteCount: byteCount, account: account, pointingTo: other)
      }
    }
    let aligned = ArenaPlanner.aligned(max(byteCount, 1))
    if aligned > (piece?.memory.byteCount ?? 0) - usedCount { startPiece(holding: aligned) }
    guard let piece else { return nil }
    defer { usedCount += aligned }
    return PackedBlock(
      of: piece, at: usedCount, byteCount: byteCount, account: account, pointingTo: other)
  }

  /// Starts another piece: the first has the size that was expected, the others are small first.
  private mutating func startPiece(holding byteCount: Int) {
    let isFirst = piece == nil
    piece = PackingPiece(byteCount: max(nextPiece, byteCount))
    nextPiece = isFirst ? Self.smallestPiece : min(2 * nextPiece, Self.largestPiece)
    usedCount = 0
  }
}

/// A piece of the system's memory, freed with the last block in it.
final class PackingPiece {
  /// The pages that are brought in at a time.
  private static let populatedAtOnce = 1 << 16

  let memory: ZeroedMemory
  /// The bytes in front whose pages are there.
  private var populatedCount = 0

  /// `nil` when the system has no memory.
  init?(byteCount: Int, isFilledAtOnce: Bool = false) {
    guard let memory = ZeroedMemory(byteCount: byteCount, isFilledAtOnce: isFilledAtOnce) else {
      return nil
    }
    self.memory = memory
  }

  deinit { memory.free() }

  /// Brings in the pages up to an end; by one thread at a time.
  func populate(upTo end: Int) {
    guard end > populatedCount else { return }
    let target = min(max(end, populatedCount + Self.populatedAtOnce), memory.byteCount)
    memory.populate(populatedCount..<target)
    populatedCount = target
  }
}
