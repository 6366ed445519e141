/// Memory that blocks of packed weights are cut from, one behind the other.
///
/// Nodes may be hundreds with a few kilobytes each, which in places of their own would take a
/// call or a fault for every page. Together they fill pages to the end, and large ones where
/// there is enough of them.
struct PackingMemory {
  private static let smallestPiece = 1 << 18
  /// Address space is not memory, but may be limited as well.
  private static let largestPiece = 1 << 26
  /// The pages that are brought in at a time.
  private static let populatedAtOnce = 1 << 16

  private var piece: PackingPiece?
  private var usedCount = 0
  private var populatedCount = 0
  private var nextPiece: Int

  /// Memory for about so many bytes: it may become more or less.
  init(expectedByteCount: Int) {
    // Packed, they have biases and scales beside them and are padded to whole vectors.
    let padded = min(expectedByteCount, Self.largestPiece) / 4 * 5
    // What is left of a large page that is resident anyway may hold something.
    let filled = max(padded, ZeroedMemory.largeByteCount(of: padded))
    nextPiece = min(max(filled, Self.smallestPiece), Self.largestPiece)
  }

  mutating func take(_ byteCount: Int) -> PackedBlock {
    let aligned = ArenaPlanner.aligned(max(byteCount, 1))
    var piece = self.piece
    if aligned > (piece?.memory.byteCount ?? 0) - usedCount { piece = nil }
    let current = piece ?? newPiece(holding: aligned)
    let end = usedCount + aligned
    if end > populatedCount {
      let target = min(
        max(end, populatedCount + Self.populatedAtOnce), current.memory.byteCount)
      current.memory.populate(populatedCount..<target)
      populatedCount = target
    }
    defer { usedCount = end }
    return PackedBlock(of: current, at: usedCount, byteCount: byteCount)
  }

  /// Starts another piece: the first has the size that was expected, the others are small first.
  private mutating func newPiece(holding byteCount: Int) -> PackingPiece {
    let made = PackingPiece(byteCount: max(nextPiece, byteCount))
    nextPiece = piece == nil ? Self.smallestPiece : min(2 * nextPiece, Self.largestPiece)
    piece = made
    (usedCount, populatedCount) = (0, 0)
    return made
  }
}

/// A piece of the system's memory, freed with the last block in it.
final class PackingPiece {
  let memory: ZeroedMemory

  init(byteCount: Int, isFilledAtOnce: Bool = false) {
    guard let memory = ZeroedMemory(byteCount: byteCount, isFilledAtOnce: isFilledAtOnce) else {
      fatalError("the system has no \(byteCount) bytes for packed weights")
    }
    self.memory = memory
  }

  deinit { memory.free() }
}
