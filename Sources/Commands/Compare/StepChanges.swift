import OcellusProfile

/// The steps that are to blame when two series differ: those whose times chance would not part.
///
/// A process may find the machine slow as a whole; its steps are therefore compared with what is usual for
/// the other steps of the same process. Where beyond doubt most steps changed alike, a step counts as changed
/// if it did so wherever in its interval the ratio of all may lie. All steps that matter are asked, so that
/// each must be the less likely to be chance, the more there are (Bonferroni).
struct StepChanges {
  struct Change {
    let name: StepName
    let oldMilliseconds: Double
    let newMilliseconds: Double
    /// The probability that it is chance, if it were the only one asked.
    let probability: Double
    /// How much faster the step became, with what chance leaves.
    let speed: SpeedRatio

    var difference: Double { newMilliseconds - oldMilliseconds }
  }

  /// Those that changed, most milliseconds first.
  let changes: [Change]
  /// How many were compared.
  let stepCount: Int
  /// How much faster most of the steps became.
  let common: SpeedRatio

  /// Steps below this share of the time are not asked.
  private static let smallestShare = 0.005
  /// How often chance may put the blame on any step at all.
  private static let mostFalseBlame = 0.02
  /// The same where processes took turns, so that one can afford to be strict.
  private static let mostFalseBlameOfPairs = 0.01

  /// The changes from the times of some processes to those of others, of which `arePaired` says that they
  /// took turns.
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
    let limit = arePaired ? Self.mostFalseBlameOfPairs : Self.mostFalseBlame
    stepCount = names.count
    self.common = common
    changes = names.compactMap { name -> Change? in
      let before = zip(old, oldPaces).compactMap { times, pace in times[name].map { $0 / pace } }
      let after = zip(new, newPaces).compactMap { times, pace in times[name].map { $0 / pace } }
      guard !before.isEmpty, !after.isEmpty else { return nil }
      return Self.change(of: name, before, after, ratios)
    }
    .filter { $0.probability * Double(names.count) <= limit }
    .sorted {
      (abs($1.difference), $0.name.subgraph, $0.name.node)
        < (abs($0.difference), $1.name.subgraph, $1.name.node)
    }
  }

  /// What became of a step, from its times at the usual pace, if all steps may have become faster by any of
  /// some ratios, of which the middle one is the likeliest.
  private static func change(
    of name: StepName, _ before: [Double], _ after: [Double], _ ratios: [Double]
  ) -> Change {
    let speeds = ratios.map { ratio in SpeedRatio(old: before, new: after.map { $0 / ratio }) }
    let probabilities = ratios.map { ratio in
      RankTest.probability(before, after.map { $0 / ratio })
    }
    let agree = speeds.allSatisfy { ($0.ratio > 1) == (speeds[0].ratio > 1) }
    let middle = ratios.count / 2
    return Change(
      name: name, oldMilliseconds: TimeStatistics(before).median,
      newMilliseconds: TimeStatistics(after).median / ratios[middle],
      probability: agree ? probabilities.max() ?? 1 : 1, speed: speeds[middle])
  }

  /// What is usual on one side for each step that all processes of both have.
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

  /// How much longer than usual most steps took in a process.
  private static func pace(of process: [StepName: Double], _ usual: [StepName: Double]) -> Double {
    let ratios = usual.compactMap { name, usual in
      process[name].flatMap { usual > 0 && $0 > 0 ? (ratio: $0 / usual, weight: usual) : nil }
    }
    .sorted { $0.ratio < $1.ratio }
    // The median by time: half of the time was spent in steps that were slower than this.
    var rest = ratios.reduce(0) { $0 + $1.weight } / 2
    for (ratio, weight) in ratios {
      rest -= weight
      if rest <= 0 { return ratio }
    }
    return 1
  }
}
