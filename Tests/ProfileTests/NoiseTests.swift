import OcellusEngine
import OcellusJSON
import OcellusProfile
import OcellusTestSupport
import Testing

/// Which runs count, and which times are noise, from counters and times made by hand.
@Suite struct NoiseTests {
  private func runs(_ milliseconds: [Double], switches: [Int]? = nil) -> [Interference] {
    milliseconds.enumerated().map { index, time in
      Interference(milliseconds: time, involuntarySwitches: switches?[index] ?? 0)
    }
  }

  // MARK: Single runs

  /// A run tolerates one switch for every 50 ms, and 5 % of stolen time.
  @Test(arguments: [
    (0.2, 0, 0, false), (0.2, 1, 0, true), (49, 1, 0, true), (50, 1, 0, false), (50, 2, 0, true),
    (1000, 20, 0, false), (1000, 21, 0, true), (10, 0, 0.05, false), (10, 0, 0.06, true),
  ])
  func runsAreDisturbed(milliseconds: Double, switches: Int, stolen: Double, isDisturbed: Bool) {
    let run = Interference(
      milliseconds: milliseconds, involuntarySwitches: switches, stolenShare: stolen)
    #expect(run.isDisturbed == isDisturbed)
  }

  /// A run may wait for 5 % of its time; what it waits does not entitle it to more switches.
  @Test(arguments: [
    (100.0, 5.0, 0, false), (100, 6, 0, true), (3000, 100, 58, false), (3000, 100, 59, true),
    (3000, 2980, 1, true),
  ])
  func waitingRunsAreDisturbed(
    milliseconds: Double, waiting: Double, switches: Int, isDisturbed: Bool
  ) {
    let run = Interference(
      milliseconds: milliseconds, involuntarySwitches: switches, waitingMilliseconds: waiting)
    #expect(run.isDisturbed == isDisturbed)
  }

  /// More passes are made only until one is undisturbed; the fastest of all counts.
  @Test func fastestPassIsFound() {
    func fastest(_ passes: [Interference], of count: Int, atMost maximum: Int) -> (
      Interference, Int
    ) {
      var made = 0
      let best = Interference.fastest(of: count, atMost: maximum) {
        made += 1
        return passes[made - 1]
      }
      return (best, made)
    }
    let (late, lateCount) = fastest(
      runs([4, 3, 5, 6], switches: [1, 1, 1, 0]), of: 2, atMost: 9)
    #expect(late.milliseconds == 3 && !late.isDisturbed && lateCount == 4)
    let (none, noneCount) = fastest(runs([4, 3, 5], switches: [1, 2, 1]), of: 2, atMost: 3)
    #expect(none.milliseconds == 3 && none.isDisturbed && noneCount == 3)
    let (quiet, quietCount) = fastest(runs([4, 3, 1]), of: 2, atMost: 3)
    #expect(quiet.milliseconds == 3 && !quiet.isDisturbed && quietCount == 2)
  }

  // MARK: Samples

  @Test func disturbedRunsAreLeftOut() {
    let sample = RunSample(runs([1, 9, 2, 8, 3], switches: [0, 1, 0, 3, 0]))
    #expect(sample.kept == [0, 2, 4] && sample.leftOutCount == 2 && sample.isUndisturbed)
    #expect(sample.time == TimeStatistics([1, 2, 3]) && sample.medianRun == 2)
  }

  /// With two undisturbed runs of a dozen, the least disturbed quarter counts, here three: those
  /// with fewest switches, and the shorter of equals.
  @Test func leastDisturbedRunsAreKeptIfNearlyAllAreDisturbed() {
    let times: [Double] = [7, 5, 6, 9, 9, 9, 9, 9, 9, 9, 9, 9]
    let sample = RunSample(runs(times, switches: [1, 2, 1, 0, 0, 4, 4, 4, 4, 4, 4, 4]))
    #expect(!sample.isUndisturbed && sample.kept == [2, 3, 4] && sample.leftOutCount == 9)
    #expect(sample.medianRun == 3)
    let noise = Noise([sample], stolenMilliseconds: 40)
    #expect(noise.runs == 12 && noise.leftOut == 9 && noise.involuntarySwitches == 32)
    #expect(
      noise.reason == "other work on this machine interrupted 10 of 12 runs (32 involuntary "
        + "switches, 40 ms taken by the hypervisor)")
  }

  /// Few runs need fewer undisturbed ones, but at least one.
  @Test func fewRunsNeedOneUndisturbed() {
    #expect(RunSample(runs([5, 4], switches: [1, 0])).kept == [1])
    let all = RunSample(runs([5, 4], switches: [1, 1]))
    #expect(all.kept == [0, 1] && !all.isUndisturbed)
    #expect(RunSample(runs([5])).isUndisturbed)
  }

  /// The median run of an even number is the shorter of the two in the middle.
  @Test func medianRunIsOneOfTheRuns() {
    #expect(RunSample(runs([4, 1, 3, 2])).medianRun == 3)
    #expect(RunSample(runs([50, 1, 1, 1, 1])).medianRun == 3)
  }

  // MARK: Verdicts

  @Test func quietRunsAreNoNoise() {
    let noise = Noise([RunSample(runs([1, 1.1, 1.2]))], stolenMilliseconds: 0)
    #expect(noise.reason == nil && noise.warning == nil)
  }

  @Test func someDisturbedRunsAreWorthAWarning() {
    let sample = RunSample(runs([1, 9, 1, 1], switches: [0, 1, 0, 0]))
    let noise = Noise([sample, RunSample(runs([1]))], stolenMilliseconds: 0)
    #expect(noise.reason == nil && noise.leftOut == 1 && noise.runs == 5)
    #expect(
      noise.warning == "1 of 5 runs were left out because other work on this machine interrupted "
        + "them (1 involuntary switch)")
  }

  /// The quartiles 1 and 3 around the median 2 are ±50 %; 1.5 and 2.5 would be ±25 %.
  @Test func timesThatDifferTooMuchAreNoise() {
    let wide = RunSample(runs([1, 1, 2, 3, 3]))
    #expect(wide.time.isNoise && !RunSample(runs([1.5, 1.5, 2, 2.5, 2.5])).time.isNoise)
    #expect(
      Noise([wide], stolenMilliseconds: 0).reason
        == "half of the runs differ by more than ±50 % from their median")
    // A tenth of a microsecond is the clock's doing.
    #expect(!TimeStatistics([0.0001, 0.0001, 0.0002, 0.0003, 0.0003]).isNoise)
  }

  // MARK: Shares of the limit

  /// Two steps of 2 and 4 ms have limits of 1 and 2 ms; one of 10 ms has none.
  @Test func limitsAreComparedWithTheStepsThatHaveThem() {
    var share = LimitShare()
    #expect(share.share == nil)
    share.add(limit: 1, milliseconds: 2)
    share.add(limit: nil, milliseconds: 10)
    share.add(limit: 2, milliseconds: 4)
    share.add(limit: 7, milliseconds: 0)
    #expect(share.limitMilliseconds == 3 && share.milliseconds == 6 && share.share == 0.5)
  }

  // MARK: Counters of the system

  @Test func stolenTicksAreReadOfEachProcessor() {
    let text = """
      cpu  4042657 37334 311264 1513816 21291 0 5668 57446 0 0
      cpu0 1878302 19406 143729 917952 6858 0 416 28170 0 0
      cpu2 2164355 17927 167534 595863 14432 0 5251 29276 0 0
      cpu3 1 2 3
      cpu99999999999 1 2 3 4 5 6 7 8
      intr 24793049 0 0
      """
    #expect(InterferenceCounters.stolenTicks(in: text) == [28170, 0, 29276])
    #expect(InterferenceCounters.stolenTicks(in: "").isEmpty)
  }

  @Test func systemCountersGrow() {
    let counters = InterferenceCounters.system(threads: 1)
    let before = (counters.clock(), counters.involuntarySwitches(), counters.processorTime() ?? 0)
    #expect(counters.clock() >= before.0 && counters.involuntarySwitches() >= before.1)
    #expect((counters.processorTime() ?? 0) > before.2)
    #expect(InterferenceCounters.system(threads: 2).processorTime() == nil)
    #expect(counters.tickNanoseconds > 0)
  }

  /// The counters of a machine that the test moves on by hand.
  private final class Machine {
    var nanoseconds = 0
    var switches = 0
    var ticks = [0, 0]
    var processor: Int? = 0
    var processorTime: Int?

    var counters: InterferenceCounters {
      InterferenceCounters(
        clock: { self.nanoseconds }, processorTime: { self.processorTime },
        involuntarySwitches: { self.switches },
        stolenTicks: { self.ticks }, processor: { self.processor }, tickNanoseconds: 10_000_000)
    }
  }

  @Test func switchesAreThoseDuringARun() {
    let machine = Machine()
    let meter = InterferenceMeter(machine.counters)
    for switches in [0, 2] {
      machine.switches += 5
      meter.startRun()
      machine.switches += switches
      meter.endRun(nanoseconds: 3_000_000)
    }
    #expect(meter.runs == runs([3, 3], switches: [0, 2]))
  }

  /// Of a run of 8 ms with 5 ms of processor time, 3 ms were waiting; the clocks differ a little.
  @Test func waitingIsTimeWithoutProcessor() {
    let machine = Machine()
    let meter = InterferenceMeter(machine.counters)
    for (duration, processorTime) in [(8_000_000, 5_000_000), (8_000_000, 8_000_100)] {
      machine.processorTime = 1_000_000_000
      meter.startRun()
      machine.processorTime? += processorTime
      meter.endRun(nanoseconds: duration)
    }
    #expect(meter.runs.map(\.waitingMilliseconds) == [3, 0])
    let noise = Noise([RunSample(meter.runs)], stolenMilliseconds: 0)
    #expect(noise.waitingMilliseconds == 3 && noise.leftOut == 1)
    #expect(noise.warning?.contains("(0 involuntary switches, 3 ms without a processor)") == true)
  }

  /// Three runs of 60 ms: two make a window of 120 ms, in which the machine steals from the
  /// processor of the runs and from another one.
  private func stolenShares(_ ticks: [Int], from processor: Int?) -> ([Double], Double) {
    let machine = Machine()
    machine.processor = processor
    let meter = InterferenceMeter(machine.counters)
    for run in 0..<3 {
      meter.startRun()
      if run == 1 { machine.ticks = ticks }
      machine.nanoseconds += 60_000_000
      meter.endRun(nanoseconds: 60_000_000)
    }
    return (meter.runs.map(\.stolenShare), meter.stolenMilliseconds)
  }

  @Test func stolenTimeIsThatOfTheRunsProcessor() {
    // 30 of 120 ms are a quarter.
    #expect(stolenShares([3, 0], from: 0) == ([0.25, 0.25, 0], 30))
    #expect(stolenShares([0, 3], from: 0) == ([0, 0, 0], 0))
    // With several threads, the processor that loses most decides.
    #expect(stolenShares([3, 6], from: nil) == ([0.5, 0.5, 0], 60))
    // One tick may have begun long before the runs.
    #expect(stolenShares([1, 0], from: 0) == ([0, 0, 0], 10))
  }

  // MARK: Profiles

  private static let manySwitches = 1_000_000

  /// Counters that report many switches in some runs, given by their order.
  ///
  /// Runs may take seconds while other tests run, but none tolerates so many.
  private func switching(in isDisturbed: @escaping (_ run: Int) -> Bool) -> InterferenceCounters {
    var readings = 0
    var switches = 0
    var counters = InterferenceCounters.none
    // The counter is read before and after every run.
    counters.involuntarySwitches = {
      if !readings.isMultiple(of: 2), isDisturbed(readings / 2) { switches += Self.manySwitches }
      readings += 1
      return switches
    }
    return counters
  }

  private func profile(
    runs: Int, measuresLimits: Bool = false, counters: @escaping (Int) -> InterferenceCounters
  ) throws -> Profile {
    let interpreter = try Interpreter(Model(path: PackageFiles.models[0]))
    try interpreter.fillInputs()
    return try Profile(
      of: interpreter, interpreter.main,
      options: .init(runs: runs, measuresLimits: measuresLimits), counters: counters)
  }

  @Test func profilesLeaveDisturbedRunsOut() throws {
    let profile = try profile(runs: 6) { _ in switching { $0 == 2 } }
    // One of six runs without timed steps, one of six with.
    #expect(profile.noise.runs == 12 && profile.noise.leftOut == 2)
    #expect(profile.noise.involuntarySwitches == 2 * Self.manySwitches)
    #expect(profile.bare.count == 5 && profile.watched.count == 5)
    #expect(profile.steps.allSatisfy { $0.milliseconds.count == 5 && $0.callsPerRun == 1 })
    #expect(profile.json["noise"]?.object?["left_out"] == 2 && profile.json["runs"] == 5)
  }

  @Test func noiseIsNotComparedWithLimits() throws {
    let profile = try profile(runs: 4, measuresLimits: true) { _ in switching { _ in true } }
    #expect(profile.noise.reason?.contains("interrupted 8 of 8 runs") == true)
    #expect(profile.limits != nil && profile.comparableLimits == nil)
    #expect(profile.json["of_limit"] == .null)
    let steps = try #require(profile.json["steps"]?.array).compactMap(\.object)
    #expect(steps.allSatisfy { $0["of_limit"] == .null })
    #expect(steps.contains { $0["bound_ms"] != .null })
  }

  /// Of every step and of all, *of limit* is the limit divided by the time beside it.
  @Test func limitsAndTheirSharesAgree() throws {
    let json = try profile(runs: 4, measuresLimits: true) { _ in .none }.json
    let steps = try #require(json["steps"]?.array).compactMap(\.object)
    var (limits, times) = (0.0, 0.0)
    for step in steps {
      guard let share = step["of_limit"]?.number else { continue }
      let limit = try #require(step["bound_ms"]?.number)
      let time = try #require(step["ms"]?.number)
      #expect(abs(share * time / limit - 1) < 1e-9 && step["is_noise"] == false)
      limits += limit
      times += time
    }
    let sum = steps.reduce(0) { $0 + ($1["ms"]?.number ?? 0) }
    #expect(abs((json["steps_ms"]?.number ?? 0) / sum - 1) < 1e-9)
    // The machine may be too busy for a comparison now.
    guard let whole = json["of_limit"]?.object else { return }
    #expect(abs((whole["limit_ms"]?.number ?? 0) / limits - 1) < 1e-9)
    #expect(abs((whole["ms"]?.number ?? 0) / times - 1) < 1e-9)
    #expect(abs((whole["share"]?.number ?? 0) * times / limits - 1) < 1e-9)
  }

  /// The clock advances by another number in each of five recorded runs; the timeline is that of the
  /// run with the median number, not the last, the fastest or the first.
  @Test(arguments: [([1, 9, 2, 7, 8], 7), ([9, 1, 1, 2, 50], 2)])
  func timelineIsThatOfTheMedianRun(speeds: [Int], median: Int) throws {
    let profile = try profile(runs: 5) { _ in
      var (time, readings) = (0, 0)
      var counters = InterferenceCounters.none
      counters.involuntarySwitches = {
        readings += 1
        return 0
      }
      // The counter is read once before each run.
      counters.clock = {
        time += readings == 0 ? 1 : speeds[min((readings - 1) / 2, 4)]
        return time
      }
      return counters
    }
    #expect(profile.timeline.runs == 5)
    let spans = profile.timeline.spans.filter { $0.item == nil }
    #expect(!spans.isEmpty && spans.allSatisfy { $0.end - $0.start == median })
  }
}
