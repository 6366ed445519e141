/// The layout of a segment's arena: its tensors, tensors that are views of others, and the scratch
/// of its steps.
package struct SegmentLayout {
  /// The location of a tensor in a request.
  private struct Place {
    var request: Int
    var offset: Int
    /// The tensor that the request was made for.
    var owner: Int
  }

  private var arena = ArenaPlanner()
  /// The location of every tensor that is in the arena.
  private var locations: [Place?]
  /// By request, the tensors of requests that hold more than one; the last requests may have no
  /// entry.
  ///
  /// Not a dictionary, for the reason given at `NodeTable`.
  private var tenants: [[Int]] = []
  private var steps: [(step: Int, request: Int)] = []

  /// Makes a layout for tensors with numbers below `tensorCount`.
  package init(tensorCount: Int) { locations = .init(repeating: nil, count: tensorCount) }

  /// Returns the location of a tensor; `nil` for an omitted operand, which has a negative number.
  private func location(of tensor: Int) -> Place? { tensor < 0 ? nil : locations[tensor] }

  /// Adds a tensor that is made at one step and last read at another.
  package mutating func addTensor(
    _ tensor: Int, byteCount: Int, from firstStep: Int, to lastStep: Int
  ) {
    guard byteCount > 0 else { return }
    let request = arena.add(
      .init(byteCount: byteCount, firstStep: firstStep, lastStep: lastStep))
    locations[tensor] = Place(request: request, offset: 0, owner: tensor)
  }

  /// Adds a tensor that is a view of another one.
  ///
  /// - Returns: whether that is possible. A source outside this arena may move from run to run, and
  ///   a small view must not keep a much larger tensor alive.
  package mutating func addView(
    _ tensor: Int, of source: Int, at offset: Int, byteCount: Int, to lastStep: Int
  ) -> Bool {
    let largestWhole = max(byteCount * Self.largestRatio, Self.smallWhole)
    guard let location = location(of: source), byteCount > 0,
      arena.requests[location.request].byteCount <= largestWhole
    else { return false }
    locations[tensor] = Place(
      request: location.request, offset: location.offset + offset, owner: location.owner)
    addTenants([tensor], to: location)
    arena.extend(location.request, toStep: lastStep)
    return true
  }

  private static let largestRatio = 4
  private static let smallWhole = 1 << 14

  /// Moves a tensor with a request of its own, as a whole, into the memory of another tensor.
  ///
  /// - Returns: whether that is possible, or the tensor was there already.
  package mutating func put(_ tensor: Int, into whole: Int, at offset: Int, byteCount: Int) -> Bool
  {
    guard let from = location(of: tensor), let to = location(of: whole) else { return false }
    if from.request == to.request { return from.offset == to.offset + offset }
    guard arena.requests[from.request].byteCount == byteCount else { return false }
    arena.merge(from.request, into: to.request)
    let moved = removeTenants(of: from)
    for tenant in moved {
      locations[tenant] = Place(
        request: to.request, offset: to.offset + offset + (locations[tenant]?.offset ?? 0),
        owner: to.owner)
    }
    addTenants(moved, to: to)
    return true
  }

  private mutating func addTenants(_ tensors: [Int], to location: Place) {
    while tenants.count <= location.request { tenants.append([]) }
    if tenants[location.request].isEmpty { tenants[location.request] = [location.owner] }
    tenants[location.request] += tensors
  }

  private mutating func removeTenants(of location: Place) -> [Int] {
    guard tenants.indices.contains(location.request), !tenants[location.request].isEmpty else {
      return [location.owner]
    }
    defer { tenants[location.request] = [] }
    return tenants[location.request]
  }

  /// Keeps a tensor, if it is in the arena, alive until a step has read it.
  mutating func extend(_ tensor: Int, to step: Int) {
    if let location = location(of: tensor) { arena.extend(location.request, toStep: step) }
  }

  /// Adds scratch that a step needs while it runs.
  package mutating func addScratch(_ byteCount: Int, ofStep step: Int, at node: Int) {
    guard byteCount > 0 else { return }
    let request = arena.add(.init(byteCount: byteCount, firstStep: node, lastStep: node))
    steps.append((step, request))
  }

  /// Assigns an offset to every request.
  ///
  /// - Returns: the size of the arena.
  @discardableResult
  package mutating func place() -> Int {
    arena.place()
    return byteCount
  }

  /// The size of the arena.
  package var byteCount: Int { arena.byteCount }

  package var tensorOffsets: [(tensor: Int, offset: Int)] {
    locations.indices.compactMap { tensor in
      locations[tensor].map { (tensor, arena.requests[$0.request].offset + $0.offset) }
    }
  }

  /// The requests, each with the tensors in it and their offsets, or the step that uses it: for
  /// guard pages, which give every request memory of its own.
  var allocations: [Piece] {
    var allocations = arena.requests.map { Piece(byteCount: $0.byteCount) }
    for tensor in locations.indices {
      guard let location = locations[tensor] else { continue }
      allocations[location.request].tensors.append((tensor, location.offset))
    }
    for (step, request) in steps { allocations[request].step = step }
    return allocations
  }

  /// One request and its users.
  struct Piece {
    let byteCount: Int
    fileprivate(set) var tensors: [(tensor: Int, offset: Int)] = []
    fileprivate(set) var step: Int?
  }

  var scratchOffsets: [(step: Int, offset: Int)] {
    steps.map { ($0, arena.requests[$1].offset) }
  }
}
