import OcellusPlatform

/// The system's counters of events that delay a program through no fault of its own.
///
/// Tests replace them by counters of their own.
package struct InterferenceCounters {
  /// The current time in nanoseconds.
  package var clock: () -> Int
  /// The processor time of the caller so far in nanoseconds; `nil` if it says nothing about waiting.
  package var processorTime: () -> Int?
  /// The number of times so far that threads had to leave their processors to others.
  package var involuntarySwitches: () -> Int
  /// The ticks so far that the hypervisor took from each processor to run other machines.
  ///
  /// Empty on systems that do not count them.
  package var stolenTicks: () -> [Int]
  /// The processor that the caller runs on; `nil` if any processor matters.
  package var processor: () -> Int?
  /// The duration of a tick in nanoseconds.
  package var tickNanoseconds: Int

  package init(
    clock: @escaping () -> Int, processorTime: @escaping () -> Int?,
    involuntarySwitches: @escaping () -> Int, stolenTicks: @escaping () -> [Int],
    processor: @escaping () -> Int?, tickNanoseconds: Int
  ) {
    self.clock = clock
    self.processorTime = processorTime
    self.involuntarySwitches = involuntarySwitches
    self.stolenTicks = stolenTicks
    self.processor = processor
    self.tickNanoseconds = tickNanoseconds
  }

  /// Counters that never count anything.
  package static var none: Self {
    Self(
      clock: { 0 }, processorTime: { nil }, involuntarySwitches: { 0 }, stolenTicks: { [] },
      processor: { nil }, tickNanoseconds: 1)
  }

  /// Returns the counters of the system for runs with a number of threads.
  ///
  /// With one thread, they are those of the calling thread and its processor.
  package static func system(threads: Int) -> Self {
    Self(
      clock: { MonotonicTime.now.nanoseconds },
      processorTime: {
        threads == 1 ? MonotonicTime.processorTime(CLOCK_THREAD_CPUTIME_ID).nanoseconds : nil
      },
      involuntarySwitches: { Self.switches(ofCallerOnly: threads == 1) },
      stolenTicks: {
        guard let bytes = try? FileSystem.read("/proc/stat") else { return [] }
        return Self.stolenTicks(in: String(decoding: bytes, as: UTF8.self))
      }, processor: { threads == 1 ? ProcessorSet.current : nil },
      tickNanoseconds: 1_000_000_000 / max(sysconf(Int32(_SC_CLK_TCK)), 1))
  }

  private static func switches(ofCallerOnly isOneThread: Bool) -> Int {
    // RUSAGE_THREAD, which Linux alone has and Swift's module of the C library does not declare.
    #if os(Linux) || os(Android)
      let thread = 1
    #else
      let thread = 0
    #endif
    var usage = rusage()
    return getrusage(numericCast(isOneThread ? thread : 0), &usage) == 0 ? Int(usage.ru_nivcsw) : 0
  }

  /// Returns the stolen ticks of each processor in the format of Linux's /proc/stat.
  package static func stolenTicks(in text: String) -> [Int] {
    var ticks: [Int] = []
    for line in text.split(separator: "\n") where line.hasPrefix("cpu") {
      // cpuN user nice system idle iowait irq softirq steal …; processors may be missing.
      let fields = line.split(separator: " ")
      guard let processor = Int(fields[0].dropFirst(3)), (0..<65_536).contains(processor),
        fields.count > 8, let stolen = Int(fields[8])
      else { continue }
      while ticks.count <= processor { ticks.append(0) }
      ticks[processor] = stolen
    }
    return ticks
  }
}
