public import OcellusImaging

/// Counts the objects in a zone, and those that enter and leave it.
///
/// An object is in the zone once it has been clearly inside for the minimum dwell time, and out of
/// it once it has been clearly outside for that time. Objects without an identity never count.
public struct ZoneCounter: Sendable {
  /// A change of the objects in a zone.
  public enum Change: String, Hashable, Sendable {
    /// An object moved in from outside.
    case entered
    /// An object was first seen inside.
    case appeared
    /// An object moved out.
    case left
    /// An object inside was lost from sight.
    case vanished
  }

  /// A change by one object, with its time.
  public struct Event: Hashable, Sendable {
    /// The identity of the object.
    public var id: Int
    /// The change.
    public var change: Change
    /// The category of the object, if the detector provides one.
    public var category: Category?
    /// The time at which the change was certain.
    public var time: Duration
  }

  private struct Visit {
    var isInside = DwellState<Bool>()
    var category: Category?
    var lastTime: Duration
  }

  /// The corners of the zone, in the order of its border.
  public let corners: [PixelPoint]
  /// The settings for counting objects.
  public let options: CountingOptions

  private var visits: [Int: Visit] = [:]
  private var counts: [Change: [Int?: Int]] = [:]

  /// Creates a counter for the zone within a polygon; self-intersections follow the even-odd rule.
  public init(corners: [PixelPoint], options: CountingOptions = .init()) {
    self.corners = corners
    self.options = options
  }

  /// The identities of the objects inside, in ascending order.
  public var occupants: [Int] {
    visits.filter { $0.value.isInside.state == true }.keys.sorted()
  }

  /// Returns the number of changes of a kind.
  public func count(_ change: Change) -> Int {
    counts[change]?.values.reduce(0, +) ?? 0
  }

  /// Returns the number of changes of a kind by objects of a category.
  public func count(_ change: Change, category index: Int) -> Int {
    counts[change]?[index] ?? 0
  }

  /// Updates the counter with the tracks of a picture, and returns the changes.
  public mutating func update(_ tracks: [Track], at time: Duration) -> [Event] {
    var events: [Event] = []
    for track in tracks where options.counts(track) {
      guard let id = track.id, let change = move(id, track, at: time) else { continue }
      events.append(Event(id: id, change: change, category: track.category, time: time))
    }
    events += forget(at: time)
    for event in events {
      counts[event.change, default: [:]][event.category?.index, default: 0] += 1
    }
    return events
  }

  /// Forgets objects that were out of sight for too long; returns events for those that were
  /// inside.
  private mutating func forget(at time: Duration) -> [Event] {
    var events: [Event] = []
    for (id, visit) in visits where time - visit.lastTime > options.memory {
      visits[id] = nil
      guard visit.isInside.state == true else { continue }
      events.append(Event(id: id, change: .vanished, category: visit.category, time: time))
    }
    return events.sorted { $0.id < $1.id }
  }

  /// Updates the state of an object; returns its change, if any.
  private mutating func move(_ id: Int, _ track: Track, at time: Duration) -> Change? {
    let point = options.anchor.point(of: track.box)
    var visit = visits[id] ?? Visit(lastTime: time)
    defer { visits[id] = visit }
    visit.lastTime = time
    visit.category = track.category
    let isClear = distanceFromBorder(point) > options.band
    let origin = visit.isInside.state
    guard
      visit.isInside.observe(
        isClear ? contains(point) : nil, at: time, dwell: options.minimumDwell)
    else { return nil }
    switch (origin, visit.isInside.state) {
    case (nil, true): return .appeared
    case (false, true): return .entered
    case (true, false): return .left
    default: return nil
    }
  }

  /// Whether the point is inside: a ray from it crosses the border an odd number of times.
  private func contains(_ point: PixelPoint) -> Bool {
    var isInside = false
    forEachEdge { start, end in
      guard (start.y > point.y) != (end.y > point.y) else { return }
      let x = start.x + (point.y - start.y) / (end.y - start.y) * (end.x - start.x)
      if point.x < x { isInside.toggle() }
    }
    return isInside
  }

  private func distanceFromBorder(_ point: PixelPoint) -> Double {
    var minimum = Double.infinity
    forEachEdge { start, end in
      let (x, y) = (end.x - start.x, end.y - start.y)
      let square = x * x + y * y
      let along = (point.x - start.x) * x + (point.y - start.y) * y
      let share = square > 0 ? max(0, min(1, along / square)) : 0
      let (gapX, gapY) = (start.x + share * x - point.x, start.y + share * y - point.y)
      minimum = min(minimum, (gapX * gapX + gapY * gapY).squareRoot())
    }
    return minimum
  }

  private func forEachEdge(_ body: (PixelPoint, PixelPoint) -> Void) {
    guard var start = corners.last else { return }
    for end in corners {
      body(start, end)
      start = end
    }
  }
}
