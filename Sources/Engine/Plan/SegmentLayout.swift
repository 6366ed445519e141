/// Lays out the arena of a segment: its tensors, those that show the elements of others in the
/// same place, and the working memory of its steps.
struct SegmentLayout {
  private var arena = ArenaPlanner()
  private var requestOfTensor: [Int: Int] = [:]
  private var requestOfStep: [Int: Int] = [:]

  /// Adds a tensor that a node makes and another reads last.
  mutating func addTensor(_ tensor: Int, byteCount: Int, from firstStep: Int, to lastStep: Int) {
    guard byteCount > 0 else { return }
    requestOfTensor[tensor] = arena.add(
      .init(byteCount: byteCount, firstStep: firstStep, lastStep: lastStep))
  }

  /// Adds a tensor with the elements of another one.
  ///
  /// - Returns: whether it could be; only what lies in this arena stays where it is.
  mutating func addView(
    _ tensor: Int, of source: Int, byteCount: Int, to lastStep: Int
  ) -> Bool {
    guard let request = requestOfTensor[source],
      arena.requests[request].byteCount == byteCount
    else { return false }
    requestOfTensor[tensor] = request
    arena.extend(request, toStep: lastStep)
    return true
  }

  /// Adds memory that a step needs while it runs.
  mutating func addScratch(_ byteCount: Int, ofStep step: Int, at node: Int) {
    guard byteCount > 0 else { return }
    requestOfStep[step] = arena.add(
      .init(byteCount: byteCount, firstStep: node, lastStep: node))
  }

  /// Gives everything its place.
  ///
  /// - Returns: the size of the arena.
  mutating func place() -> Int {
    arena.place()
    return arena.byteCount
  }

  var tensorOffsets: [(tensor: Int, offset: Int)] {
    requestOfTensor.map { ($0, arena.requests[$1].offset) }
  }

  var scratchOffsets: [(step: Int, offset: Int)] {
    requestOfStep.map { ($0, arena.requests[$1].offset) }
  }
}
