/// Watches the system's counters during the runs of a series.
package final class InterferenceMeter {
  private let counters: InterferenceCounters
  private var finished: [Interference] = []
  private var switchesAtStart = 0
  private var processorTimeAtStart: Int?
  private var window: Window?
  /// The time that the hypervisor gave to other machines during the series, in milliseconds.
  package private(set) var stolenMilliseconds = 0.0

  /// A period of runs over which stolen time is counted: ticks are too long for single runs.
  private struct Window {
    let start: Int
    let firstRun: Int
    let ticks: [Int]
    let processor: Int?
  }

  private static let nanosecondsPerWindow = 100_000_000

  package init(_ counters: InterferenceCounters) { self.counters = counters }

  /// Notes that a run begins.
  package func startRun() {
    if window == nil {
      window = Window(
        start: counters.clock(), firstRun: finished.count, ticks: counters.stolenTicks(),
        processor: counters.processor())
    }
    switchesAtStart = counters.involuntarySwitches()
    processorTimeAtStart = counters.processorTime()
  }

  /// Returns the interference with something that returns its duration in nanoseconds.
  package func run(_ work: () -> Int) -> Interference {
    startRun()
    endRun(nanoseconds: work())
    return finished[finished.count - 1]
  }

  /// Notes that a run has ended, and how long it took.
  package func endRun(nanoseconds: Int) {
    let processorTime = counters.processorTime().flatMap { end in
      processorTimeAtStart.map { end - $0 }
    }
    let switches = counters.involuntarySwitches() - switchesAtStart
    finished.append(
      Interference(
        milliseconds: Double(nanoseconds) / 1e6, involuntarySwitches: switches,
        waitingMilliseconds: processorTime.map { Double(max(nanoseconds - $0, 0)) / 1e6 } ?? 0))
    if let window, counters.clock() - window.start >= Self.nanosecondsPerWindow { close(window) }
  }

  /// The runs so far, in their order.
  package var runs: [Interference] {
    if let window { close(window) }
    return finished
  }

  private func close(_ window: Window) {
    self.window = nil
    let ticks = counters.stolenTicks()
    let processors = [window.processor, counters.processor()].compactMap { $0 }
    // The slowest thread decides when a run with several threads ends, so the maximum counts.
    let stolen =
      zip(window.ticks, ticks).enumerated()
      .filter { processors.isEmpty || processors.contains($0.offset) }
      .map { $0.element.1 - $0.element.0 }.max() ?? 0
    guard stolen > 0 else { return }
    let nanoseconds = stolen * counters.tickNanoseconds
    stolenMilliseconds += Double(nanoseconds) / 1e6
    // The end of a tick that began before the window proves nothing.
    guard stolen > 1 else { return }
    let share = Double(nanoseconds) / Double(max(counters.clock() - window.start, 1))
    for run in window.firstRun..<finished.count { finished[run].stolenShare = min(share, 1) }
  }
}
