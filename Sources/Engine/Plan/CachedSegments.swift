/// Segments that were replaced in a plan because the data led to different shapes.
///
/// A loop that takes a longer slice of a tensor in each iteration has the same shapes again in the
/// next run.
final class CachedSegments {
  /// A segment with the state of the tensors that its nodes compute.
  ///
  /// A class, since a search looks through many entries.
  final class Entry {
    let segment: PlanSegment
    /// The segment before this one, from whose shapes its own follow; `nil` for the first.
    private weak var previous: PlanSegment?
    /// The identity of `previous`, compared first since most entries differ and weak references are
    /// slow.
    private let previousIdentity: ObjectIdentifier?
    private let results: [(tensor: Int, slot: TensorSlot, address: UnsafeMutableRawPointer?)]
    /// The memory that the segment and its results hold.
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

    /// Returns whether the entry may follow a segment, or begin the plan where that is `nil`.
    fileprivate func follows(_ other: PlanSegment?) -> Bool {
      previousIdentity == other.map(ObjectIdentifier.init) && previous === other
    }

    /// Whether the segment that the entry follows still exists; true if it follows none.
    fileprivate var isReachable: Bool { previousIdentity == nil || previous != nil }

    /// Sets the tensors of the segment to their state at the time when it was replaced.
    func restore(in memory: TensorMemory) {
      for (tensor, slot, address) in results {
        memory.slots[tensor] = slot
        memory.addresses[tensor] = address
      }
    }
  }

  /// The entries, oldest first, and the memory that they hold.
  private var entries: [Entry] = []
  private var byteCount = 0
  /// The number of searches that may still fail in a row, since shapes may never repeat.
  private var searchesLeft = maximumSearches

  private static let maximumEntries = 256
  private static let maximumBytesOfEntry = 1 << 20
  private static let maximumBytes = 1 << 24
  private static let maximumSearches = 256

  var isEmpty: Bool { entries.isEmpty }

  func removeAll() { (entries, byteCount) = ([], 0) }

  /// Keeps consecutive segments, unless they take too much of the memory that is left.
  func keep(
    _ segments: ArraySlice<PlanSegment>, behind previous: PlanSegment?, of memory: TensorMemory
  ) {
    guard searchesLeft > 0 else { return }
    var previous = previous
    for segment in segments {
      let entry = Entry(segment, behind: previous, of: memory)
      guard entry.byteCount <= Self.maximumBytesOfEntry else { break }
      entries.append(entry)
      byteCount += entry.byteCount
      previous = segment
    }
    let byteLimit = min(Self.maximumBytes, memory.account.left / 4)
    guard entries.count > Self.maximumEntries || byteCount > byteLimit else { return }
    // An entry whose preceding segment is gone can never be used again.
    for index in entries.indices.reversed() where !entries[index].isReachable { remove(at: index) }
    while entries.count > Self.maximumEntries || byteCount > byteLimit { remove(at: 0) }
  }

  /// Returns the entries that may follow a segment, oldest first.
  func candidates(behind previous: PlanSegment?) -> [Entry] {
    guard searchesLeft > 0 else { return [] }
    return entries.filter { $0.follows(previous) }
  }

  /// Removes an entry.
  func remove(_ entry: Entry) {
    if let index = entries.firstIndex(where: { $0 === entry }) { remove(at: index) }
  }

  private func remove(at index: Int) { byteCount -= entries.remove(at: index).byteCount }

  /// Records whether a search was successful.
  func recordSearch(found: Bool) {
    searchesLeft = found ? Self.maximumSearches : searchesLeft - 1
    if searchesLeft == 0 { removeAll() }
  }
}
