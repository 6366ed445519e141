import OcellusEngine
import OcellusKernelABI
import OcellusPlatform

/// Times an instruction set's loops on all threads at once.
///
/// Other work on the machine only slows them, so the fastest of several passes counts.
struct LimitMeasurement {
  private static let passCount = 8
  private static let maximumPassCount = 32
  /// Long enough for the clock's resolution and for threads that wake late.
  private static let nanosecondsPerPass = 2_000_000
  private static let largePageByteCount = 2 << 20

  private let loops: PeakLoops
  private let threadCount: Int
  private let workers: Workers
  private let counters: InterferenceCounters
  /// Whether other work interrupted all passes of some loop.
  private(set) var isDisturbed = false

  init(_ loops: PeakLoops, threadCount: Int) {
    self.loops = loops
    self.threadCount = max(threadCount, 1)
    workers = Workers(threadCount: self.threadCount)
    counters = .system(threads: self.threadCount)
  }

  mutating func gigaFloatMultiplyAdds() -> Double {
    rate(of: loops.multiplyFloats, loops.floatProductsPerRound)
  }

  mutating func gigaByteMultiplyAdds() -> Double {
    rate(of: loops.multiplyBytes, loops.byteProductsPerRound)
  }

  /// Returns the rate at which all threads repeatedly read buffers of their own.
  mutating func gigabytesPerSecond(readingFrom byteCount: Int) -> Double {
    let unit = PeakLoops.readByteCount
    let size = max(byteCount / unit, 1) * unit
    let read = loops.read
    return rate(memoryByteCount: size, countPerRound: size) { memory, rounds in
      let sum = memory + size
      for _ in 0..<rounds { read(memory, size, sum) }
    }
  }

  private mutating func rate(of products: @escaping PeakLoops.Products, _ countPerRound: Int)
    -> Double
  {
    rate(memoryByteCount: PeakLoops.memoryByteCount, countPerRound: countPerRound) {
      products($1, $0)
    }
  }

  /// Returns how often all threads count per nanosecond, each with memory of its own.
  ///
  /// Each thread's memory has some padding after the requested bytes.
  private mutating func rate(
    memoryByteCount: Int, countPerRound: Int,
    _ loop: @escaping @Sendable (_ memory: UnsafeMutableRawPointer, _ rounds: Int) -> Void
  ) -> Double {
    let stride = memoryByteCount + 4096
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: stride * threadCount, alignment: Self.largePageByteCount)
    defer { memory.deallocate() }
    // With small pages, reads would also wait for page table walks.
    if stride >= Self.largePageByteCount {
      madvise(memory, stride * threadCount, MADV_HUGEPAGE)
    }
    // Numbers so small that sums of their products stay finite for hours.
    memory.initializeMemory(
      as: Float.self, repeating: 1e-6, count: stride * threadCount / MemoryLayout<Float>.size)
    let items = WorkItemLoop<Pass> { pass, item in loop(pass.memory + item * stride, pass.rounds) }
    let meter = InterferenceMeter(counters)
    func time(_ rounds: Int) -> Interference {
      meter.run {
        let start = counters.clock()
        workers.run(threadCount, items, Pass(memory: memory, rounds: rounds))
        return max(counters.clock() - start, 1)
      }
    }
    var rounds = 1
    // The first pass may be slow because threads are still starting.
    while Interference.fastest(of: 3, atMost: 3, { time(rounds) }).milliseconds * 1e6
      < Double(Self.nanosecondsPerPass / 2)
    { rounds *= 2 }
    let best = Interference.fastest(of: Self.passCount, atMost: Self.maximumPassCount) {
      time(rounds)
    }
    isDisturbed = isDisturbed || best.isDisturbed
    return Double(rounds) * Double(countPerRound) * Double(threadCount) / best.milliseconds / 1e6
  }

  private struct Pass {
    let memory: UnsafeMutableRawPointer
    let rounds: Int
  }
}
