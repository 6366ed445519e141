/// Memory from which blocks of packed weights are cut, one after the other.
///
/// A model may have hundreds of nodes with a few kilobytes of weights each. Separate allocations
/// would cost a system call or a page fault for every page. Together the blocks fill whole pages,
/// and huge pages where there is enough data.
struct PackingMemory {
  private static let smallestSlab = 1 << 18
  /// Address space costs no memory, but it may be limited as well.
  private static let largestSlab = 1 << 26

  private var slab: PackingSlab?
  private var usedCount = 0
  private var nextSlabBytes: Int

  /// Makes memory for about `expectedByteCount` bytes; the blocks may need more or less.
  init(expectedByteCount: Int) {
    // Packed weights come with biases and scales, and are padded to whole vectors.
    let padded = min(expectedByteCount, Self.largestSlab) / 4 * 5
    // The rest of a huge page is resident anyway and may hold further blocks.
    let filled = max(padded, ZeroedMemory.largeByteCount(of: padded))
    nextSlabBytes = min(max(filled, Self.smallestSlab), Self.largestSlab)
  }

  /// Returns a block whose pages are faulted in when it is filled; `nil` if the system has no
  /// memory.
  mutating func allocate(
    _ byteCount: Int, account: MemoryAccount, pointingTo other: PackedBlock?
  ) -> PackedBlock? {
    if MemoryGuard.isOn {
      return PackingSlab(byteCount: byteCount).map {
        PackedBlock(of: $0, at: 0, byteCount: byteCount, account: account, pointingTo: other)
      }
    }
    let aligned = ArenaPlanner.aligned(max(byteCount, 1))
    if aligned > (slab?.memory.byteCount ?? 0) - usedCount { startSlab(holding: aligned) }
    guard let slab else { return nil }
    defer { usedCount += aligned }
    return PackedBlock(
      of: slab, at: usedCount, byteCount: byteCount, account: account, pointingTo: other)
  }

  /// Starts another slab: the first has the expected size, the later ones start small and double.
  private mutating func startSlab(holding byteCount: Int) {
    let isFirst = slab == nil
    slab = PackingSlab(byteCount: max(nextSlabBytes, byteCount))
    nextSlabBytes = isFirst ? Self.smallestSlab : min(2 * nextSlabBytes, Self.largestSlab)
    usedCount = 0
  }
}

/// A slab of the system's memory, freed with the last block in it.
final class PackingSlab {
  /// The number of bytes that are faulted in at a time.
  private static let populatedAtOnce = 1 << 16

  let memory: ZeroedMemory
  /// The number of bytes from the start whose pages are resident.
  private var populatedCount = 0

  /// Creates a slab; `nil` when the system has no memory.
  init?(byteCount: Int, isPopulatedEagerly: Bool = false) {
    guard let memory = ZeroedMemory(byteCount: byteCount, isPopulatedEagerly: isPopulatedEagerly)
    else {
      return nil
    }
    self.memory = memory
  }

  deinit { memory.free() }

  /// Faults in the pages up to an end; called by one thread at a time.
  func populate(upTo end: Int) {
    guard end > populatedCount else { return }
    let target = min(max(end, populatedCount + Self.populatedAtOnce), memory.byteCount)
    memory.populate(populatedCount..<target)
    populatedCount = target
  }
}
