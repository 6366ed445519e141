import OcellusJSON
import OcellusProfile

/// A step of a model in results of `profile` and of `bench --profile`.
struct StepName: Hashable {
  let subgraph: Int
  let node: Int
  let operatorName: String

  /// The step, and what it took.
  static func read(_ step: JSONValue) -> (name: StepName, milliseconds: Double)? {
    guard let step = step.object, let subgraph = step["subgraph"]?.integer,
      let node = step["node"]?.integer, let name = step["operator"]?.string,
      let milliseconds = step["ms"]?.number
    else { return nil }
    return (StepName(subgraph: subgraph, node: node, operatorName: name), milliseconds)
  }

  var text: String { (subgraph == 0 ? "" : "\(subgraph):") + "\(node) \(operatorName)" }
}

/// The steps that are to blame when two series differ: those whose times chance would not part.
///
/// A process may find the machine slow as a whole; its steps are therefore compared with what is usual for
/// the other steps of the same process. All steps that matter are asked, so that each must be the less
/// likely to be chance, the more there are (Bonferroni).
struct StepChanges {
  struct Change {
    let name: StepName
    let oldMilliseconds: Double
    let newMilliseconds: Double
    /// The probability that it is chance, if it were the only one asked.
    let probability: Double

    var difference: Double { newMilliseconds - oldMilliseconds }
  }

  /// Those that changed, most milliseconds first.
  let changes: [Change]
  /// How many were compared.
  let stepCount: Int

  /// Steps below this share of the time are not asked.
  private static let smallestShare = 0.005
  /// How often chance may put the blame on any step at all.
  private static let mostFalseBlame = 0.02

  /// The changes from the times of some processes to those of others.
  init(old: [[StepName: Double]], new: [[StepName: Double]]) {
    let reference = Self.medians(old + new)
    let total = reference.values.reduce(0, +)
    let names = reference.keys.filter { (reference[$0] ?? 0) >= Self.smallestShare * total }
    let (oldTimes, newTimes) = (
      old.map { Self.adjusted($0, to: reference) }, new.map { Self.adjusted($0, to: reference) }
    )
    stepCount = names.count
    changes = names.compactMap { name in
      let (before, after) = (oldTimes.compactMap { $0[name] }, newTimes.compactMap { $0[name] })
      guard !before.isEmpty, !after.isEmpty else { return nil }
      return Change(
        name: name, oldMilliseconds: TimeStatistics(before).median,
        newMilliseconds: TimeStatistics(after).median,
        probability: RankTest.probability(before, after))
    }
    .filter { $0.probability * Double(names.count) <= Self.mostFalseBlame }
    .sorted {
      (abs($1.difference), $0.name.subgraph, $0.name.node)
        < (abs($0.difference), $1.name.subgraph, $1.name.node)
    }
  }

  /// What is usual for each step that all processes have.
  private static func medians(_ processes: [[StepName: Double]]) -> [StepName: Double] {
    guard let first = processes.first else { return [:] }
    return first.keys.reduce(into: [:]) { medians, name in
      let times = processes.compactMap { $0[name] }
      if times.count == processes.count { medians[name] = TimeStatistics(times).median }
    }
  }

  /// The times of a process as they would be if it had found the machine as fast as usual.
  private static func adjusted(
    _ process: [StepName: Double], to reference: [StepName: Double]
  ) -> [StepName: Double] {
    let ratios = reference.compactMap { name, usual in
      process[name].flatMap { usual > 0 && $0 > 0 ? (ratio: $0 / usual, weight: usual) : nil }
    }
    .sorted { $0.ratio < $1.ratio }
    // The median by time: half of the time was spent in steps that were slower than this.
    var rest = ratios.reduce(0) { $0 + $1.weight } / 2
    for (ratio, weight) in ratios {
      rest -= weight
      if rest <= 0 { return process.mapValues { $0 / ratio } }
    }
    return process
  }
}
