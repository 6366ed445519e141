public import OcellusImaging

/// Counts the objects that cross a line segment, in both directions.
///
/// Objects that pass beyond the segment's ends do not count. An object counts when it was clearly
/// on one side and is clearly on the other, so one that jitters on the line counts once or not at
/// all. Objects without an identity never count.
public struct LineCounter: Sendable {
  /// The direction of a crossing, as seen when walking along the line from `start` to `end`.
  public enum Direction: String, Hashable, Sendable {
    /// From the left side to the right side.
    case leftToRight
    /// From the right side to the left side.
    case rightToLeft
  }

  /// The crossing of the line by one object.
  public struct Crossing: Hashable, Sendable {
    /// The identity of the object.
    public var id: Int
    /// The direction of the crossing.
    public var direction: Direction
    /// The category of the object, if the detector provides one.
    public var category: Category?
    /// The time at which the crossing was certain.
    public var time: Duration
  }

  private enum Side { case left, right }

  private struct Passage {
    var side = DwellState<Side>()
    var point: PixelPoint
    /// Whether the last change of sides was on the segment, not beyond its ends.
    var crossedSegment = false
    var lastTime: Duration
  }

  /// The start of the line.
  public let start: PixelPoint
  /// The end of the line.
  public let end: PixelPoint
  /// The settings for counting objects.
  public let options: CountingOptions

  private var passages: [Int: Passage] = [:]
  private var counts: [Direction: [Int?: Int]] = [:]

  /// Creates a counter for the line between two points.
  public init(from start: PixelPoint, to end: PixelPoint, options: CountingOptions = .init()) {
    self.start = start
    self.end = end
    self.options = options
  }

  /// Returns the number of objects that crossed in a direction.
  public func count(_ direction: Direction) -> Int {
    counts[direction]?.values.reduce(0, +) ?? 0
  }

  /// Returns the number of objects of a category that crossed in a direction.
  public func count(_ direction: Direction, category index: Int) -> Int {
    counts[direction]?[index] ?? 0
  }

  /// Updates the counter with the tracks of a picture, and returns the new crossings.
  public mutating func update(_ tracks: [Track], at time: Duration) -> [Crossing] {
    var crossings: [Crossing] = []
    for track in tracks where options.counts(track) {
      guard let id = track.id, let direction = move(id, to: track.box, at: time) else { continue }
      counts[direction, default: [:]][track.category?.index, default: 0] += 1
      crossings.append(
        Crossing(id: id, direction: direction, category: track.category, time: time))
    }
    for (id, passage) in passages where time - passage.lastTime > options.memory {
      passages[id] = nil
    }
    return crossings
  }

  /// Updates the position of an object; returns the direction if it has just crossed.
  private mutating func move(_ id: Int, to box: BoundingBox, at time: Duration) -> Direction? {
    let point = options.anchor.point(of: box)
    let distance = signedDistance(of: point)
    var passage = passages[id] ?? Passage(point: point, lastTime: time)
    defer { passages[id] = passage }
    let before = signedDistance(of: passage.point)
    if (before < 0) != (distance < 0) {
      let share = before / (before - distance)
      passage.crossedSegment = isOnSegment(
        PixelPoint(
          x: passage.point.x + share * (point.x - passage.point.x),
          y: passage.point.y + share * (point.y - passage.point.y)))
    }
    passage.point = point
    passage.lastTime = time
    let side: Side? = distance > options.band ? .right : distance < -options.band ? .left : nil
    let origin = passage.side.state
    guard passage.side.observe(side, at: time, dwell: options.minimumDwell), origin != nil,
      passage.crossedSegment
    else { return nil }
    return side == .right ? .leftToRight : .rightToLeft
  }

  /// Returns the distance from the infinite line, positive on its right side.
  private func signedDistance(of point: PixelPoint) -> Double {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let length = (x * x + y * y).squareRoot()
    // A line of length 0 has no sides.
    guard length > 0 else { return 0 }
    return (x * (point.y - start.y) - y * (point.x - start.x)) / length
  }

  private func isOnSegment(_ point: PixelPoint) -> Bool {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let along = x * (point.x - start.x) + y * (point.y - start.y)
    return along >= 0 && along <= x * x + y * y
  }
}
