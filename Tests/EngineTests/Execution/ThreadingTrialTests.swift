import OcellusEngine
import Testing

/// A machine whose runs take one time with all threads and another on the caller's thread alone.
private struct SimulatedMachine {
  var shared: Int
  var alone: Int
  var trial = ThreadingTrial()

  /// Runs `count` times, and returns how many of the runs were shared.
  mutating func run(_ count: Int) -> Int {
    var sharedRuns = 0
    for _ in 0..<count {
      if trial.shares { sharedRuns += 1 }
      let time = trial.shares ? shared : alone
      if trial.timesNextRun() { trial.runEnded(after: time) }
    }
    return sharedRuns
  }
}

@Suite struct SharingTrialTests {
  @Test func theFirstRunIsSharedAndNotTimed() {
    var trial = ThreadingTrial()
    #expect(trial.shares)
    let isTimed = (0..<2).map { _ in trial.timesNextRun() }
    #expect(isTimed == [false, true])
  }

  @Test func threadsThatHelpAreKept() {
    var machine = SimulatedMachine(shared: 60_000, alone: 100_000)
    let runs = 20_000
    // Three of several hundred runs try the slower way.
    let shared = machine.run(runs)
    #expect(shared > runs - runs / 150)
  }

  @Test func threadsThatDisturbAreLeftOut() {
    var machine = SimulatedMachine(shared: 100_000, alone: 60_000)
    // Only the first run and the three of the first trial are shared.
    let sharedAtFirst = machine.run(15)
    #expect(sharedAtFirst == 4)
    let runs = 20_000
    let sharedLater = machine.run(runs)
    #expect(sharedLater < runs / 150)
  }

  @Test func aMachineThatChangesIsNoticed() {
    var machine = SimulatedMachine(shared: 100_000, alone: 60_000)
    _ = machine.run(5_000)
    machine.shared = 40_000
    _ = machine.run(520)
    let shared = machine.run(100)
    #expect(shared > 90)
    machine.shared = 80_000
    _ = machine.run(520)
    let sharedAgain = machine.run(100)
    #expect(sharedAgain < 10)
  }

  @Test func oneUndisturbedRunOfThreeIsEnough() {
    var trial = ThreadingTrial()
    var isTimed: [Bool] = []
    for time in [0, 50_000, 900_000, 800_000, 60_000, 60_000, 60_000, 0] {
      isTimed.append(trial.timesNextRun())
      if isTimed.last == true { trial.runEnded(after: time) }
    }
    #expect(isTimed == [false] + [Bool](repeating: true, count: 6) + [false])
    #expect(trial.shares)
  }

  /// Runs stay on one thread even when sharing becomes so slow that its runs count as long.
  @Test func whoeverIsLeftAloneStaysSoWhereThreadsDisturbMore() {
    var machine = SimulatedMachine(shared: 1_000_000, alone: 500_000)
    _ = machine.run(15)
    machine.shared = 5_000_000
    let shared = machine.run(5_000)
    #expect(shared < 60)
  }

  @Test func longRunsAreNeverDoneAlone() {
    var machine = SimulatedMachine(shared: 2_100_000, alone: 1)
    let shared = machine.run(3_000)
    #expect(shared == 3_000)
  }
}
