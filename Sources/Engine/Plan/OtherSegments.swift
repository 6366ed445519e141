/// Segments of a plan whose place others have taken since, because shapes came out of the data that were other ones.
///
/// A loop that cuts a longer piece out of a tensor in each of its rounds comes back to the same shapes in the next run.
final class OtherSegments {
  /// A segment with what it knows of the tensors that its nodes make.
  ///
  /// An object, since many are looked through.
  final class Entry {
    let segment: PlanSegment
    /// The one in front of it, if it is not the first, whose shapes its own follow from.
    private weak var previous: PlanSegment?
    /// Which one that was: looked at first, since most are others, and it takes long to ask for those that may be gone.
    private let previousIdentity: ObjectIdentifier?
    private let results: [(tensor: Int, slot: TensorSlot, address: UnsafeMutableRawPointer?)]
    /// The memory that it holds.
    fileprivate let byteCount: Int

    fileprivate init(_ segment: PlanSegment, behind previous: PlanSegment?, of memory: TensorMemory)
    {
      self.segment = segment
      self.previous = previous
      previousIdentity = previous.map(ObjectIdentifier.init)
      results = memory.subgraph.nodes[segment.nodes].flatMap(\.outputs).map {
        ($0, memory.slots[$0], memory.addresses[$0])
      }
      byteCount = results.reduce(segment.arena?.byteCount ?? 0) {
        $0 + ($1.slot.block?.byteCount ?? 0)
      }
    }

    /// Whether it may follow a segment, or the beginning.
    fileprivate func follows(_ other: PlanSegment?) -> Bool {
      previousIdentity == other.map(ObjectIdentifier.init) && previous === other
    }

    /// Whether there is still something that it may follow.
    fileprivate var isReachable: Bool { previousIdentity == nil || previous != nil }

    /// Makes the tensors of the segment be what they were when it was left.
    func restore(in memory: TensorMemory) {
      for (tensor, slot, address) in results {
        memory.slots[tensor] = slot
        memory.addresses[tensor] = address
      }
    }
  }

  /// Those that were left last behind, and what they hold.
  private var entries: [Entry] = []
  private var byteCount = 0
  /// How often none of them will be looked for in vain: shapes may be new ones for ever.
  private var searchesLeft = mostSearches

  private static let mostEntries = 256
  private static let mostBytesOfEntry = 1 << 20
  private static let mostBytes = 1 << 24
  private static let mostSearches = 256

  var isEmpty: Bool { entries.isEmpty }

  func removeAll() { (entries, byteCount) = ([], 0) }

  /// Keeps segments that follow each other, unless that takes much of the memory that is left.
  func keep(
    _ segments: ArraySlice<PlanSegment>, behind previous: PlanSegment?, of memory: TensorMemory
  ) {
    guard searchesLeft > 0 else { return }
    var previous = previous
    for segment in segments {
      let entry = Entry(segment, behind: previous, of: memory)
      guard entry.byteCount <= Self.mostBytesOfEntry else { break }
      entries.append(entry)
      byteCount += entry.byteCount
      previous = segment
    }
    let most = min(Self.mostBytes, memory.account.left / 4)
    guard entries.count > Self.mostEntries || byteCount > most else { return }
    // What followed a segment that is gone follows none any more.
    for index in entries.indices.reversed() where !entries[index].isReachable { remove(at: index) }
    while entries.count > Self.mostEntries || byteCount > most { remove(at: 0) }
  }

  /// Those that may follow a segment, the one that was left first in front.
  func candidates(behind previous: PlanSegment?) -> [Entry] {
    guard searchesLeft > 0 else { return [] }
    return entries.filter { $0.follows(previous) }
  }

  /// Takes one out.
  func remove(_ entry: Entry) {
    if let index = entries.firstIndex(where: { $0 === entry }) { remove(at: index) }
  }

  private func remove(at index: Int) { byteCount -= entries.remove(at: index).byteCount }

  /// Notes whether one of them was the right one.
  func noteSearch(found: Bool) {
    searchesLeft = found ? Self.mostSearches : searchesLeft - 1
    if searchesLeft == 0 { removeAll() }
  }
}
