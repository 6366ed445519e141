import OcellusImaging
import OcellusTestSupport

/// Objects on known paths, for trackers to follow.
struct SyntheticScene {
  /// One object: its first box, its velocity, and the time in which it is present.
  struct Walker {
    var box: BoundingBox
    var velocityX = 0.0
    var velocityY = 0.0
    var seconds = 0.0...Double.infinity
  }

  var walkers: [Walker]
  /// The share of detections that are dropped at random.
  var dropRate = 0.0
  /// The largest error of a detection, in pixels.
  var jitter = 0.0

  /// Returns a scene of people who walk at different speeds on parallel lines.
  static func street(count: Int) -> SyntheticScene {
    SyntheticScene(
      walkers: (0..<count).map { index in
        Walker(
          box: BoundingBox(
            x: 700 + 13 * Double(index), y: 10 + 110 * Double(index), width: 60, height: 100),
          velocityX: (20 + 7 * Double(index)) * (index.isMultiple(of: 2) ? 1 : -1), velocityY: 2)
      })
  }

  /// Returns the detections at a time.
  func boxes(at seconds: Double, using random: inout SeededGenerator) -> [BoundingBox] {
    walkers.compactMap { walker in
      guard walker.seconds.contains(seconds) else { return nil }
      let isDropped = Double.random(in: 0..<1, using: &random) < dropRate
      let x = Double.random(in: -1...1, using: &random) * jitter
      let y = Double.random(in: -1...1, using: &random) * jitter
      guard !isDropped else { return nil }
      return walker.box.offset(
        x: walker.velocityX * seconds + x, y: walker.velocityY * seconds + y)
    }
  }
}
