import OcellusImaging

/// The recent path of an object: the centres of its last few observations.
struct RecentPath {
  /// The centre of an observation, with its time.
  private struct Point {
    var x: Double
    var y: Double
    var time: Double

    init(_ box: BoundingBox, at time: Double) {
      x = (box.left + box.right) / 2
      y = (box.top + box.bottom) / 2
      self.time = time
    }
  }

  private static let capacity = 4
  private var points: InlineArray<4, Point>
  private var newest = 0
  private var count = 1
  /// The unit vector of the latest direction; `nil` before the second observation.
  private(set) var direction: SIMD2<Double>?

  init(_ box: BoundingBox, at time: Double) {
    points = InlineArray(repeating: Point(box, at: time))
  }

  /// Appends an observation; the new direction is measured over `span`.
  mutating func append(_ box: BoundingBox, at time: Double, span: Double) {
    direction = direction(to: box, at: time, span: span)
    newest = (newest + 1) % Self.capacity
    count = min(count + 1, Self.capacity)
    points[newest] = Point(box, at: time)
  }

  /// Returns the direction from the position `span` ago to a box; `nil` if they coincide.
  func direction(to box: BoundingBox, at time: Double, span: Double) -> SIMD2<Double>? {
    var start = points[newest]
    for age in 1..<max(count, 1) {
      let point = points[(newest + Self.capacity - age) % Self.capacity]
      guard time - point.time <= span + 1e-6 else { break }
      start = point
    }
    let end = Point(box, at: time)
    let step = SIMD2(end.x - start.x, end.y - start.y)
    let length = (step * step).sum().squareRoot()
    return length > 0 ? step / length : nil
  }

  /// Moves all points to compensate camera motion.
  mutating func shift(by step: SIMD2<Double>) {
    for index in points.indices {
      points[index].x += step.x
      points[index].y += step.y
    }
  }
}
