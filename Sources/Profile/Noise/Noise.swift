/// What is known of the disturbances of some runs, and whether their times mean anything.
public struct Noise: Sendable, Equatable {
  /// The number of runs that were timed.
  public let runs: Int
  /// The number of runs that were left out because other work on the machine disturbed them.
  public let leftOut: Int
  /// The number of involuntary context switches in all runs.
  public let involuntarySwitches: Int
  /// The time in which the runs had no processor, in milliseconds; 0 with several threads.
  public let waitingMilliseconds: Double
  /// The time that the hypervisor gave to other machines, in milliseconds.
  public let stolenMilliseconds: Double
  /// The number of disturbed runs; `nil` if there were enough others.
  private let disturbedCount: Int?
  /// Half the interquartile range in percent; `nil` if it is not too wide.
  private let widePercent: Int?

  /// Judges samples of runs of the same model.
  package init(_ samples: [RunSample], stolenMilliseconds: Double) {
    runs = samples.reduce(0) { $0 + $1.runs.count }
    leftOut = samples.reduce(0) { $0 + $1.leftOutCount }
    let all = samples.flatMap(\.runs)
    involuntarySwitches = all.reduce(0) { $0 + $1.involuntarySwitches }
    waitingMilliseconds = all.reduce(0) { $0 + $1.waitingMilliseconds }
    self.stolenMilliseconds = stolenMilliseconds
    disturbedCount =
      samples.allSatisfy(\.isUndisturbed) ? nil : all.count(where: \.isDisturbed)
    let widest = samples.map(\.time).filter(\.isNoise).max { $0.spread < $1.spread }
    widePercent = widest.map { Int((50 * $0.spread).rounded()) }
  }

  /// The reason why the times mean nothing; `nil` if they do.
  public var reason: String? {
    if let disturbedCount {
      return "other work on this machine interrupted \(disturbedCount) of \(runs) runs (\(events))"
    }
    return widePercent.map { "half of the runs differ by more than ±\($0) % from their median" }
  }

  /// The sentence that readers of the times need; `nil` if nothing disturbed the runs.
  package var warning: String? {
    if let reason {
      return "the times are noise: \(reason); repeat this when the machine is idle"
    }
    guard leftOut > 0 else { return nil }
    return
      "\(leftOut) of \(runs) runs were left out because other work on this machine interrupted "
      + "them (\(events))"
  }

  /// What was counted, in words.
  private var events: String {
    let (waiting, stolen) = (waitingMilliseconds.rounded(), stolenMilliseconds.rounded())
    return [
      involuntarySwitches == 1
        ? "1 involuntary switch" : "\(involuntarySwitches) involuntary switches",
      waiting > 0 ? "\(Int(waiting)) ms without a processor" : nil,
      stolen > 0 ? "\(Int(stolen)) ms taken by the hypervisor" : nil,
    ].compactMap { $0 }.joined(separator: ", ")
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
