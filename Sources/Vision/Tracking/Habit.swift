import OcellusImaging

/// Whether the objects of a scene go on as they went or stay about one place, by what they did so far.
///
/// Those who walk are found again farther on, those who dance near where they were.
struct Habit {
  /// Where an object was, and what was expected of it.
  struct Sample {
    var box: BoundingBox
    /// In pixels a second.
    var velocity: SIMD2<Double>
    var time: Double
  }

  /// The time after which is looked, in seconds: about as long as objects are hidden.
  private static let span = 1.0

  /// How well objects were where they would have gone, and where they had been: means that forget.
  private var going = 0.0
  private var staying = 0.0

  /// Whether they are found more often where they were than where they would have gone.
  var isStaying: Bool { staying > going }

  /// Looks once a second whether an object that was just observed went on or stayed; `unit` is that of velocities.
  mutating func watch(_ state: inout TrackState, at time: Double, unit: Double) {
    if let sample = state.sample {
      guard time - sample.time >= Self.span else { return }
      // Much later it was out of sight, and says nothing about a second.
      if time - sample.time < 2 * Self.span { compare(sample, with: state.box, at: time) }
    } else if state.hits < 3 {
      return
    }
    state.sample = Sample(
      box: state.box, velocity: state.filter.velocity.lowHalf / unit, time: time)
  }

  private mutating func compare(_ sample: Sample, with box: BoundingBox, at time: Double) {
    let way = (time - sample.time) * sample.velocity
    let place = sample.box.offset(x: way.x, y: way.y)
    going += 0.01 * (place.intersectionOverUnion(box) - going)
    staying += 0.01 * (sample.box.intersectionOverUnion(box) - staying)
  }
}
