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
  private var places: [Place?]
  /// By request, the tensors of requests that hold more than one; the last requests may have no
  /// entry.
  ///
  /// Not a dictionary, for the reason given at `NodeTable`.
  private var tenants: [[Int]] = []
  private var steps: [(step: Int, request: Int)] = []

  /// Makes a layout for tensors with numbers below `tensorCount`.
  package init(tensorCount: Int) { places = .init(repeating: nil, count: tensorCount) }

  /// Returns the location of a tensor; `nil` for an omitted operand, which has a negative number.
  private func place(of tensor: Int) -> Place? { tensor < 0 ? nil : places[tensor] }

  /// Adds a tensor that is made at one step and last read at another.
  package mutating func addTensor(
    _ tensor: Int, byteCount: Int, from firstStep: Int, to lastStep: Int
  ) {
    guard byteCount > 0 else { return }
    let request = arena.add(
      .init(byteCount: byteCount, firstStep: firstStep, lastStep: lastStep))
    places[tensor] = Place(request: request, offset: 0, owner: tensor)
  }

  /// Adds a tensor that is a view of another one.
  ///
  /// - Returns: whether that is possible. A source outside this arena may move from run to run, and
  ///   a small view must not keep a much larger tensor alive.
  package mutating func addView(
    _ tensor: Int, of source: Int, at offset: Int, byteCount: Int, to lastStep: Int
  ) -> Bool {
    let largestWhole = max(byteCount * Self.largestRatio, Self.smallWhole)
    guard let place = place(of: source), byteCount > 0,
      arena.requests[place.request].byteCount <= largestWhole
    else { return false }
    places[tensor] = Place(
      request: place.request, offset: place.offset + offset, owner: place.owner)
    addTenants([tensor], to: place)
    arena.extend(place.request, toStep: lastStep)
    return true
  }

  private static let largestRatio = 4
  private static let smallWhole = 1 << 14

  /// Moves a tensor with a request of its own, as a whole, into the memory of another tensor.
  ///
  /// - Returns: whether that is possible, or the tensor was there already.
  package mutating func put(_ part: Int, into whole: Int, at offset: Int, byteCount: Int) -> Bool {
    guard let from = place(of: part), let to = place(of: whole) else { return false }
    if from.request == to.request { return from.offset == to.offset + offset }
    guard arena.requests[from.request].byteCount == byteCount else { return false }
    arena.merge(from.request, into: to.request)
    let moved = takeTenants(of: from)
    for tensor in moved {
      places[tensor] = Place(
        request: to.request, offset: to.offset + offset + (places[tensor]?.offset ?? 0),
        owner: to.owner)
    }
    addTenants(moved, to: to)
    return true
  }

  private mutating func addTenants(_ tensors: [Int], to place: Place) {
    while tenants.count <= place.request { tenants.append([]) }
    if tenants[place.request].isEmpty { tenants[place.request] = [place.owner] }
    tenants[place.request] += tensors
  }

  private mutating func takeTenants(of place: Place) -> [Int] {
    guard tenants.indices.contains(place.request), !tenants[place.request].isEmpty else {
      return [place.owner]
    }
    defer { tenants[place.request] = [] }
    return tenants[place.request]
  }

  /// Keeps a tensor, if it is in the arena, alive until a step has read it.
  mutating func extend(_ tensor: Int, to step: Int) {
    if let place = place(of: tensor) { arena.extend(place.request, toStep: step) }
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
    places.indices.compactMap { tensor in
      places[tensor].map { (tensor, arena.requests[$0.request].offset + $0.offset) }
    }
  }

  /// The requests, each with the tensors in it and their offsets, or the step that uses it: for
  /// guard pages, which give every request memory of its own.
  var pieces: [Piece] {
    var pieces = arena.requests.map { Piece(byteCount: $0.byteCount) }
    for tensor in places.indices {
      guard let place = places[tensor] else { continue }
      pieces[place.request].tensors.append((tensor, place.offset))
    }
    for (step, request) in steps { pieces[request].step = step }
    return pieces
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
