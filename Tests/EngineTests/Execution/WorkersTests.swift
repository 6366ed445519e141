import OcellusEngine
import OcellusPlatform
import Synchronization
import Testing

@Suite struct WorkersTests {
  @Test(arguments: [1, 2, 3, 8])
  func everyItemIsDoneOnce(threadCount: Int) {
    let workers = Workers(threadCount: threadCount)
    for round in 0..<200 {
      let itemCount = round % 17
      var counts = [Int](repeating: 0, count: itemCount)
      counts.withUnsafeMutableBufferPointer { counts in
        let loop = WorkItemLoop<UnsafeMutableBufferPointer<Int>> { counts, item in counts[item] += 1
        }
        workers.run(itemCount, loop, counts)
      }
      #expect(counts == [Int](repeating: 1, count: itemCount))
    }
  }

  /// Deadlines and cancellation end a step between its work items.
  @Test(arguments: [1, 2])
  func stoppedLoopsLeaveItemsOut(threadCount: Int) {
    final class Count: Sendable { let value = Atomic(0) }
    let (control, count) = (RunControl(), Count())
    let loop = WorkItemLoop<Count> { count, _ in
      if count.value.wrappingAdd(1, ordering: .relaxed).newValue == 3 { control.cancel() }
    }
    Workers(threadCount: threadCount, control: control).run(10_000, loop, count)
    #expect(count.value.load(ordering: .relaxed) < 10_000)
    #expect(throws: ModelError.self) { try control.check() }
    // The run still fails after the control is cleared, because its results are incomplete.
    control.clear()
    #expect(throws: ModelError.self) { try control.check() }
  }

  @Test func sleepingThreadsWakeUp() throws {
    final class Sum: Sendable { let value = Atomic(0) }
    let workers = Workers(threadCount: 2)
    let loop = WorkItemLoop<Sum> { $0.value.wrappingAdd($1, ordering: .relaxed) }
    for _ in 0..<3 {
      let sum = Sum()
      workers.run(100, loop, sum)
      #expect(sum.value.load(ordering: .relaxed) == 4950)
      // Wait until the helper has stopped spinning.
      let end = ContinuousClock.now + .milliseconds(20)
      while ContinuousClock.now < end {}
    }
  }
}

/// The threads that share a loop, as the operating system reports them.
@Suite struct WorkersProcessorsTests {
  /// A helper thread is kept off its waker's processor only until it runs.
  @Test(.enabled(if: allowedProcessors().contains { "-,".contains($0) }, "one processor"))
  func helpersMayRunWhereTheirCallerMay() throws {
    final class Arrivals: Sendable { let count = Atomic(0) }
    // Each work item has its own element, because the thread sanitizer does not know Swift's mutex.
    typealias Allowed = (arrivals: Arrivals, lists: UnsafeMutableBufferPointer<String>)
    let loop = WorkItemLoop<Allowed> { allowed, item in
      allowed.arrivals.count.wrappingAdd(1, ordering: .sequentiallyConsistent)
      // Wait for the other work item, so that each item is done by its own thread.
      while allowed.arrivals.count.load(ordering: .sequentiallyConsistent) < 2 { sched_yield() }
      allowed.lists[item] = Self.allowedProcessors()
    }
    let workers = Workers(threadCount: 2)
    for _ in 0..<3 {
      var lists = ["", ""]
      lists.withUnsafeMutableBufferPointer { workers.run(2, loop, (Arrivals(), $0)) }
      #expect(lists == [Self.allowedProcessors(), Self.allowedProcessors()])
      // Wait until the helper sleeps and has to be woken again.
      usleep(20_000)
    }
  }

  /// No more threads run than there are processors, on which they would only take turns.
  @Test func noMoreThreadsRunThanProcessors() {
    let loop = WorkItemLoop<UnsafeMutableBufferPointer<pthread_t>> { threads, item in
      threads[item] = pthread_self()
      // Wait long enough for other threads to take work items.
      usleep(500)
    }
    var threads = [pthread_t](repeating: 0, count: 512)
    threads.withUnsafeMutableBufferPointer { Workers(threadCount: 256).run(512, loop, $0) }
    #expect(Set(threads).count <= sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }

  /// The list of processors that the calling thread may run on, as the kernel prints it.
  fileprivate static func allowedProcessors() -> String {
    guard let file = fopen("/proc/thread-self/status", "r") else { return "" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix("Cpus_allowed_list:") { return text }
    }
    return ""
  }
}
