public import OcellusImaging

/// Counts objects that cross a line, in both directions.
///
/// The line ends where it ends: objects that pass beyond its ends do not count. An object counts when
/// it was clearly on one side and is clearly on the other one, so that one that trembles on the line
/// counts once or not at all. Objects without an identity never count.
public struct LineCounter: Sendable {
  /// Which way an object goes, as seen by somebody who walks along the line from `start` to `end`.
  public enum Direction: String, Hashable, Sendable {
    /// From the left side to the right one.
    case leftToRight
    /// From the right side to the left one.
    case rightToLeft
  }

  /// An object that crossed the line.
  public struct Crossing: Hashable, Sendable {
    /// Its identity.
    public var id: Int
    /// Which way it went.
    public var direction: Direction
    /// What it is, as far as the detector says.
    public var category: Category?
    /// When it was clear that it crossed.
    public var time: Duration
  }

  private enum Side { case left, right }

  private struct Passage {
    var side = SettledPlace<Side>()
    var point: PixelPoint
    /// Whether it went over the segment, and not past its ends, when it was last seen to change
    /// sides.
    var crossedSegment = false
    var lastTime: Duration
  }

  /// Where the line begins.
  public let start: PixelPoint
  /// Where the line ends.
  public let end: PixelPoint
  /// When objects count.
  public let options: CountingOptions

  private var passages: [Int: Passage] = [:]
  private var counts: [Direction: [Int?: Int]] = [:]

  /// A line between two points.
  public init(from start: PixelPoint, to end: PixelPoint, options: CountingOptions = .init()) {
    self.start = start
    self.end = end
    self.options = options
  }

  /// How many objects crossed in a direction.
  public func count(_ direction: Direction) -> Int {
    counts[direction]?.values.reduce(0, +) ?? 0
  }

  /// How many objects of a category crossed in a direction.
  public func count(_ direction: Direction, category index: Int) -> Int {
    counts[direction]?[index] ?? 0
  }

  /// Takes the tracks of a picture, and returns who crossed the line.
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

  /// Follows an object; returns the direction when it has crossed.
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
    let origin = passage.side.place
    guard passage.side.observe(side, at: time, dwell: options.minimumDwell), origin != nil,
      passage.crossedSegment
    else { return nil }
    return side == .right ? .leftToRight : .rightToLeft
  }

  /// The distance from the endless line, positive on its right side.
  private func signedDistance(of point: PixelPoint) -> Double {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let length = (x * x + y * y).squareRoot()
    // A line of no length has no sides.
    guard length > 0 else { return 0 }
    return (x * (point.y - start.y) - y * (point.x - start.x)) / length
  }

  private func isOnSegment(_ point: PixelPoint) -> Bool {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let along = x * (point.x - start.x) + y * (point.y - start.y)
    return along >= 0 && along <= x * x + y * y
  }
}
