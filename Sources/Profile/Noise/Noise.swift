/// What is known of the disturbances of some runs, and whether their times mean anything.
public struct Noise: Sendable, Equatable {
  /// The number of runs that were timed.
  public let runs: Int
  /// The number of runs that were left out because other work on the machine disturbed them.
  public let leftOut: Int
  /// The number of involuntary context switches in all runs.
  public let involuntarySwitches: Int
  /// The time that the hypervisor gave to other machines, in milliseconds.
  public let stolenMilliseconds: Double
  /// The reason why the times mean nothing; `nil` if they do.
  public let reason: String?

  /// Judges samples of runs of the same model.
  package init(_ samples: [RunSample], stolenMilliseconds: Double) {
    runs = samples.reduce(0) { $0 + $1.runs.count }
    leftOut = samples.reduce(0) { $0 + $1.leftOutCount }
    let all = samples.flatMap(\.runs)
    involuntarySwitches = all.reduce(0) { $0 + $1.involuntarySwitches }
    self.stolenMilliseconds = stolenMilliseconds
    let disturbed = all.count(where: \.isDisturbed)
    let events = Self.events(involuntarySwitches, stolenMilliseconds)
    if samples.contains(where: { !$0.isUndisturbed }) {
      reason = "other work on this machine interrupted \(disturbed) of \(runs) runs (\(events))"
    } else if let widest = samples.map(\.time).filter(\.isNoise).max(by: { $0.spread < $1.spread })
    {
      let percent = Int((50 * widest.spread).rounded())
      reason = "half of the runs differ by more than ±\(percent) % from their median"
    } else {
      reason = nil
    }
  }

  /// The sentence that readers of the times need; `nil` if nothing disturbed the runs.
  package var warning: String? {
    if let reason {
      return "the times are noise: \(reason); repeat this when the machine is idle"
    }
    guard leftOut > 0 else { return nil }
    let events = Self.events(involuntarySwitches, stolenMilliseconds)
    return
      "\(leftOut) of \(runs) runs were left out because other work on this machine interrupted "
      + "them (\(events))"
  }

  private static func events(_ switches: Int, _ stolenMilliseconds: Double) -> String {
    let words = switches == 1 ? "1 involuntary switch" : "\(switches) involuntary switches"
    let stolen = Int(stolenMilliseconds.rounded())
    return stolen > 0 ? "\(words), \(stolen) ms taken by the hypervisor" : words
  }
}

extension TimeStatistics {
  /// The half interquartile range, as a share of the median, above which a median means little.
  private static let noisySpread = 0.3
  /// The half interquartile range that the clock's resolution may cause.
  private static let clockMilliseconds = 0.0005

  /// Whether times in milliseconds differ so much that their median says little.
  public var isNoise: Bool {
    spread / 2 > Self.noisySpread && (upperQuartile - lowerQuartile) / 2 > Self.clockMilliseconds
  }
}
