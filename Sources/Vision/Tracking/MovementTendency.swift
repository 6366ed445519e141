import OcellusImaging

/// Whether a scene's objects tend to move on or to stay near one place.
///
/// Lost walkers are found again farther on, lost dancers near where they were.
struct MovementTendency {
  /// The position and velocity of an object at a past time.
  struct Sample {
    var box: BoundingBox
    /// The velocity in pixels per second.
    var velocity: SIMD2<Double>
    var time: Double
  }

  /// The time between a sample and its comparison, in seconds: about as long as objects are hidden.
  private static let span = 1.0

  /// The moving averages of the overlap with extrapolated and with earlier boxes.
  private var going = 0.0
  private var staying = 0.0

  /// Whether objects overlap their earlier boxes more than the extrapolated ones.
  var isStaying: Bool { staying > going }

  /// Compares an object with its sample once a second; `unit` is the time unit of velocities.
  mutating func watch(_ state: inout TrackState, at time: Double, unit: Double) {
    if let sample = state.sample {
      guard time - sample.time >= Self.span else { return }
      // A longer gap means that the object was out of sight, so the sample is not compared.
      if time - sample.time < 2 * Self.span { compare(sample, with: state.box, at: time) }
    } else if state.hits < 3 {
      return
    }
    state.sample = Sample(
      box: state.box, velocity: state.filter.velocity.lowHalf / unit, time: time)
  }

  private mutating func compare(_ sample: Sample, with box: BoundingBox, at time: Double) {
    let way = (time - sample.time) * sample.velocity
    let moved = sample.box.offset(x: way.x, y: way.y)
    going += 0.01 * (moved.intersectionOverUnion(box) - going)
    staying += 0.01 * (sample.box.intersectionOverUnion(box) - staying)
  }
}
