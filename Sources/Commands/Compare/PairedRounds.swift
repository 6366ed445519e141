import OcellusProfile

/// The times of two sides that were run in alternation, each time in a new process.
struct PairedRounds {
  /// The times of each round.
  let old: [ProcessTimes]
  let new: [ProcessTimes]
  /// The speed of the new side relative to the old.
  let speed: SpeedRatio
  /// The speed of each side relative to itself in the next round: the noise of the machine.
  let control: SpeedRatio
  /// The changes of the steps, if the two sides have the same steps.
  let steps: StepChanges?

  /// The share of each side's time that common steps must take, or the steps do not correspond.
  private static let smallestOverlap = 0.5

  /// Makes rounds from the times of both sides.
  ///
  /// - Precondition: both sides have the same number of times, at least two.
  init(old: [ProcessTimes], new: [ProcessTimes]) {
    self.old = old
    self.new = new
    speed = SpeedRatio(rounds: zip(old, new).map { ($0.median, $1.median) })
    control = SpeedRatio(rounds: Self.neighbours(old) + Self.neighbours(new))
    let (oldSteps, newSteps) = (old.compactMap(\.steps), new.compactMap(\.steps))
    steps =
      oldSteps.count == old.count && newSteps.count == new.count
        && Self.overlap(oldSteps[0], newSteps[0]) >= Self.smallestOverlap
      ? StepChanges(old: oldSteps, new: newSteps, arePaired: true) : nil
  }

  /// Returns pairs of adjacent rounds of one side, to be compared like two sides.
  ///
  /// The order alternates, so a gradual slowdown of the machine does not look like a difference.
  private static func neighbours(_ side: [ProcessTimes]) -> [(old: Double, new: Double)] {
    (0..<side.count / 2).map { pair in
      let (first, second) = (side[2 * pair].median, side[2 * pair + 1].median)
      return pair.isMultiple(of: 2) ? (first, second) : (second, first)
    }
  }

  /// Returns the share of time of the common steps, on the side where it is smaller.
  private static func overlap(_ a: [StepName: Double], _ b: [StepName: Double]) -> Double {
    [(a, b), (b, a)].map { steps, others in
      let total = steps.values.reduce(0, +)
      return steps.reduce(0) { $0 + (others[$1.key] == nil ? 0 : $1.value) } / max(total, .ulpOfOne)
    }.min() ?? 0
  }
}
