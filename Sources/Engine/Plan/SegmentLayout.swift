/// Lays out the arena of a segment: its tensors, those that are parts of others, and the working
/// memory of its steps.
package struct SegmentLayout {
  /// Some bytes of a request.
  private struct Place {
    var request: Int
    var offset: Int
  }

  private var arena = ArenaPlanner()
  private var places: [Int: Place] = [:]
  /// The tensors in each request.
  private var tenants: [Int: [Int]] = [:]
  private var requestOfStep: [Int: Int] = [:]

  package init() {}

  /// Adds a tensor that a node makes and another reads last.
  package mutating func addTensor(
    _ tensor: Int, byteCount: Int, from firstStep: Int, to lastStep: Int
  ) {
    guard byteCount > 0 else { return }
    let request = arena.add(
      .init(byteCount: byteCount, firstStep: firstStep, lastStep: lastStep))
    places[tensor] = Place(request: request, offset: 0)
    tenants[request] = [tensor]
  }

  /// Adds a tensor that is a part of another.
  ///
  /// - Returns: whether it could be. What does not lie in this arena may move from run to run, and
  ///   a small part would keep a large whole alive.
  package mutating func addView(
    _ tensor: Int, of source: Int, at offset: Int, byteCount: Int, to lastStep: Int
  ) -> Bool {
    guard let place = places[source], byteCount > 0,
      byteCount >= arena.requests[place.request].byteCount / Self.largestRatio
    else { return false }
    places[tensor] = Place(request: place.request, offset: place.offset + offset)
    tenants[place.request, default: []].append(tensor)
    arena.extend(place.request, toStep: lastStep)
    return true
  }

  private static let largestRatio = 4

  /// Moves a tensor that has memory of its own, all of it, into another one.
  ///
  /// - Returns: whether it could be, or was there already.
  package mutating func put(_ part: Int, into whole: Int, at offset: Int, byteCount: Int) -> Bool {
    guard let from = places[part], let to = places[whole] else { return false }
    if from.request == to.request { return from.offset == to.offset + offset }
    guard arena.requests[from.request].byteCount == byteCount else { return false }
    arena.merge(from.request, into: to.request)
    let moved = tenants.removeValue(forKey: from.request) ?? []
    for tensor in moved {
      places[tensor] = Place(
        request: to.request, offset: to.offset + offset + (places[tensor]?.offset ?? 0))
    }
    tenants[to.request, default: []] += moved
    return true
  }

  /// Keeps a tensor, if it is in the arena, until a step has read it.
  mutating func extend(_ tensor: Int, to step: Int) {
    if let place = places[tensor] { arena.extend(place.request, toStep: step) }
  }

  /// Adds memory that a step needs while it runs.
  package mutating func addScratch(_ byteCount: Int, ofStep step: Int, at node: Int) {
    guard byteCount > 0 else { return }
    requestOfStep[step] = arena.add(
      .init(byteCount: byteCount, firstStep: node, lastStep: node))
  }

  /// Gives everything its place.
  ///
  /// - Returns: the size of the arena.
  package mutating func place() -> Int {
    arena.place()
    return arena.byteCount
  }

  package var tensorOffsets: [(tensor: Int, offset: Int)] {
    places.map { ($0, arena.requests[$1.request].offset + $1.offset) }
  }

  var scratchOffsets: [(step: Int, offset: Int)] {
    requestOfStep.map { ($0, arena.requests[$1].offset) }
  }
}
