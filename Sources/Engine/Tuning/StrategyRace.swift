/// Strategies that do the same work and are timed in turn, so that whatever slows the machine for
/// a while slows all of them.
struct StrategyRace {
  /// A strategy and its work.
  struct Entrant {
    var name: String
    var run: () -> Void
  }

  let clock: TuningClock
  /// The time at which measuring has to end.
  let deadline: Int
  /// Throws if the interpreter is cancelled.
  let check: () throws(ModelError) -> Void
  /// Leaves the nearest caches as other nodes would; called before each run.
  let coolCaches: () -> Void

  private static let roundCount = 7
  /// The approximate duration of a strategy's runs in a round, and the limit on their number.
  private static let nanosecondsPerRound = 200_000
  private static let maximumRunsPerRound = 8
  /// A strategy whose first run takes so much longer than the fastest is not timed again.
  private static let hopelessRatio = 1.5
  /// The least gain that justifies another strategy than the expected one: the noise of a quiet
  /// machine is smaller.
  private static let leastGain = 1.03
  /// The number of rounds that a strategy has to win against the expected one.
  private static let leastWins = 6

  /// Returns the strategy to take: the first entrant, which is expected to be the fastest, unless
  /// another one clearly is; `nil` if the time is too short to tell.
  func winner(of entrants: [Entrant]) throws(ModelError) -> String? {
    guard let first = entrants.first else { return nil }
    var single: [(entrant: Entrant, nanoseconds: Int)] = []
    for entrant in entrants {
      // The first run finds weights and instructions in no cache, and either may be interrupted.
      guard let cold = try time(entrant), let warm = try time(entrant) else {
        return nil
      }
      single.append((entrant, max(min(cold, warm), 1)))
    }
    let longest = Self.hopelessRatio * Double(single.map(\.nanoseconds).min() ?? 1)
    let racing = single.prefix(1) + single.dropFirst().filter { Double($0.nanoseconds) <= longest }
    let rivals = racing.dropFirst().map(\.entrant)
    if rivals.isEmpty { return first.name }
    let runs = min(
      max(Self.nanosecondsPerRound / (racing.map(\.nanoseconds).max() ?? 1), 1),
      Self.maximumRunsPerRound)
    let round = racing.reduce(0.0) { $0 + Double($1.nanoseconds) * Double(runs) }
    let expected = Double(Self.roundCount) * round
    guard expected <= Double(deadline - clock.now()) else { return nil }
    guard let times = try times(of: [first] + rivals, runs: runs) else { return nil }
    let gains = times.dropFirst().map { Self.gain(of: $0, over: times[0]) }
    let best = zip(rivals, gains).max { $0.1 < $1.1 }
    return best.map { $0.1 >= Self.leastGain ? $0.0.name : first.name }
  }

  /// Returns the nanoseconds of each entrant's fastest run in every round; `nil` if that takes too
  /// long.
  ///
  /// Runs alternate, because a strategy that runs repeatedly finds its code and branches predicted
  /// as it would not in a model.
  private func times(of entrants: [Entrant], runs: Int) throws(ModelError) -> [[Int]]? {
    var times = [[Int]](repeating: [], count: entrants.count)
    for round in 0..<Self.roundCount {
      var fastest = [Int](repeating: .max, count: entrants.count)
      for run in 0..<runs {
        // The order changes, so that no entrant always follows the same one.
        for position in entrants.indices {
          let isForward = (round + run).isMultiple(of: 2)
          let index = isForward ? position : entrants.count - 1 - position
          guard let nanoseconds = try time(entrants[index]) else { return nil }
          fastest[index] = min(fastest[index], nanoseconds)
        }
      }
      for index in entrants.indices { times[index].append(fastest[index]) }
    }
    return times
  }

  /// Returns the time of a run; `nil` if it is too late for one.
  private func time(_ entrant: Entrant) throws(ModelError) -> Int? {
    guard clock.now() < deadline else { return nil }
    coolCaches()
    let nanoseconds = clock.time(entrant.name, entrant.run)
    // A run that was cut short says nothing.
    try check()
    return nanoseconds
  }

  /// Returns how much longer the expected strategy takes than another, by the median of the
  /// rounds; 1 if too few rounds agree.
  private static func gain(of times: [Int], over expected: [Int]) -> Double {
    let ratios = zip(times, expected).map { Double($1) / Double(max($0, 1)) }.sorted()
    guard ratios.filter({ $0 > 1 }).count >= leastWins else { return 1 }
    return ratios[ratios.count / 2]
  }
}
