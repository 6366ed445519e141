import OcellusProfile

/// What two things took that were run in turns, each time in a process of its own.
struct PairedRounds {
  /// The times of each round.
  let old: [ProcessTimes]
  let new: [ProcessTimes]
  /// How much faster the new one is.
  let speed: SpeedRatio
  /// How much faster each of them is than itself, from one round to the next: what the machine does.
  let control: SpeedRatio
  /// What happened to the steps, where the two have the same.
  let steps: StepChanges?

  /// The steps of both must come to this share of the time of either, or they are other steps.
  private static let smallestOverlap = 0.5

  /// Times by rounds.
  ///
  /// - Precondition: there are as many of both, and at least two.
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

  /// A side's rounds two by two, as if they were sides; which of the two is the old one changes, so that a
  /// machine that becomes slower does not look like a difference.
  private static func neighbours(_ side: [ProcessTimes]) -> [(old: Double, new: Double)] {
    (0..<side.count / 2).map { pair in
      let (first, second) = (side[2 * pair].median, side[2 * pair + 1].median)
      return pair.isMultiple(of: 2) ? (first, second) : (second, first)
    }
  }

  /// The share of the time that goes to steps of both, on the side that has less of them.
  private static func overlap(_ a: [StepName: Double], _ b: [StepName: Double]) -> Double {
    [(a, b), (b, a)].map { steps, others in
      let total = steps.values.reduce(0, +)
      return steps.reduce(0) { $0 + (others[$1.key] == nil ? 0 : $1.value) } / max(total, .ulpOfOne)
    }.min() ?? 0
  }
}
