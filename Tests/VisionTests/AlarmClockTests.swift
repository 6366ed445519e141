import OcellusVision
import Testing

@Suite struct AlarmClockTests {
  private let clock = AlarmClock()

  @Test func sleepersWakeWhenTheirTimeHasCome() async throws {
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for time in [90, 30, 60, 0, -5] {
        group.addTask { [clock] in
          try await clock.sleep(for: .milliseconds(time))
          #expect(start.duration(to: .now) >= .milliseconds(time))
        }
      }
      try await group.waitForAll()
    }
    #expect(clock.sleeperCount == 0)
  }

  /// `Task.sleep` would keep each of these for a century.
  @Test func cancelledSleepersAreForgottenAtOnce() async {
    let tasks = (0..<1000).map { _ in
      Task { [clock] in try await clock.sleep(for: .seconds(Int64.max)) }
    }
    while clock.sleeperCount < tasks.count { await Task.yield() }
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test func cancelledTasksDoNotSleep() async {
    let task = Task { [clock] in
      while !Task.isCancelled { await Task.yield() }
      try await clock.sleep(for: .seconds(Int64.max))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  /// One who sleeps for less than all others is not forgotten until they wake.
  @Test func anEarlierSleeperIsNoticed() async throws {
    let late = Task { [clock] in try await clock.sleep(for: .seconds(3600)) }
    while clock.sleeperCount < 1 { await Task.yield() }
    try await clock.sleep(for: .milliseconds(1))
    #expect(clock.sleeperCount == 1)
    late.cancel()
    _ = await late.result
  }
}
