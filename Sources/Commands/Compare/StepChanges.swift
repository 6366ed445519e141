import OcellusProfile

/// The steps whose times differ significantly between two series.
///
/// A process may run while the machine is slow, so each step is compared relative to the other
/// steps of the same process. If most steps changed alike, a step counts as changed only if it did
/// for every common ratio in the confidence interval. The significance level is divided by the
/// number of tested steps (Bonferroni).
struct StepChanges {
  struct Change {
    let name: StepName
    let oldMilliseconds: Double
    let newMilliseconds: Double
    /// The p-value of the step without correction for the number of steps.
    let probability: Double
    /// The speed of the step relative to before, with its confidence interval.
    let speed: SpeedRatio

    var difference: Double { newMilliseconds - oldMilliseconds }
  }

  /// The changed steps, ordered by the difference in milliseconds, largest first.
  let changes: [Change]
  /// The number of compared steps.
  let stepCount: Int
  /// The change of speed that most steps have in common.
  let common: SpeedRatio

  /// Steps below this share of the time are not tested.
  private static let smallestShare = 0.005
  /// The significance level for all steps together.
  private static let stepSignificanceLevel = 0.02
  /// The significance level for paired processes, which can be stricter.
  private static let pairedStepSignificanceLevel = 0.01

  /// Compares the times of two lists of processes, which alternated if `arePaired`.
  init(old: [[StepName: Double]], new: [[StepName: Double]], arePaired: Bool = false) {
    let usual = Self.medians(old, alsoIn: new)
    let total = usual.values.reduce(0, +)
    let names = usual.keys.filter { (usual[$0] ?? 0) >= Self.smallestShare * total }
    let (oldPaces, newPaces) = (
      old.map { Self.pace(of: $0, usual) }, new.map { Self.pace(of: $0, usual) }
    )
    let common =
      arePaired
      ? SpeedRatio(rounds: zip(oldPaces, newPaces).map { ($0, $1) })
      : SpeedRatio(old: oldPaces, new: newPaces)
    let ratios =
      common.isCertain
      ? [common.interval.lowerBound, common.ratio, common.interval.upperBound] : [1]
    let limit = arePaired ? Self.pairedStepSignificanceLevel : Self.stepSignificanceLevel
    let stepCount = names.count
    self.stepCount = stepCount
    self.common = common
    changes = names.compactMap { name -> Change? in
      let before = zip(old, oldPaces).compactMap { times, pace in times[name].map { $0 / pace } }
      let after = zip(new, newPaces).compactMap { times, pace in times[name].map { $0 / pace } }
      guard !before.isEmpty, !after.isEmpty else { return nil }
      return Self.change(of: name, before, after, ratios) { probability in
        probability * Double(stepCount) <= limit
      }
    }
    .sorted {
      (abs($1.difference), $0.name.subgraph, $0.name.node)
        < (abs($0.difference), $1.name.subgraph, $1.name.node)
    }
  }

  /// Returns the significant change of a step, if there is one, for several possible common ratios,
  /// the likeliest in the middle.
  ///
  /// The times are already normalized by the pace of their processes. Most steps have not changed,
  /// and the bootstrap of their speeds, which takes long, is never begun.
  private static func change(
    of name: StepName, _ before: [Double], _ after: [Double], _ ratios: [Double],
    isSignificant: (_ probability: Double) -> Bool
  ) -> Change? {
    let probabilities = ratios.map { ratio in
      RankTest.probability(before, after.map { $0 / ratio })
    }
    guard let probability = probabilities.max(), isSignificant(probability) else { return nil }
    let speeds = ratios.map { ratio in SpeedRatio(old: before, new: after.map { $0 / ratio }) }
    guard speeds.allSatisfy({ ($0.ratio > 1) == (speeds[0].ratio > 1) }) else { return nil }
    let middle = ratios.count / 2
    return Change(
      name: name, oldMilliseconds: TimeStatistics(before).median,
      newMilliseconds: TimeStatistics(after).median / ratios[middle],
      probability: probability, speed: speeds[middle])
  }

  /// Returns one side's median time of each step that all processes of both sides have.
  private static func medians(
    _ processes: [[StepName: Double]], alsoIn others: [[StepName: Double]]
  ) -> [StepName: Double] {
    guard let first = processes.first else { return [:] }
    return first.keys.reduce(into: [:]) { medians, name in
      let times = processes.compactMap { $0[name] }
      guard times.count == processes.count, others.allSatisfy({ $0[name] != nil }) else { return }
      medians[name] = TimeStatistics(times).median
    }
  }

  /// Returns the time of most steps in a process relative to their medians.
  private static func pace(of process: [StepName: Double], _ usual: [StepName: Double]) -> Double {
    let ratios = usual.compactMap { name, usual in
      process[name].flatMap { usual > 0 && $0 > 0 ? (ratio: $0 / usual, weight: usual) : nil }
    }
    .sorted { $0.ratio < $1.ratio }
    // The median weighted by time: half of the time was spent in steps with a smaller ratio.
    var rest = ratios.reduce(0) { $0 + $1.weight } / 2
    for (ratio, weight) in ratios {
      rest -= weight
      if rest <= 0 { return ratio }
    }
    return 1
  }
}
