import OcellusPlatform
import Synchronization

/// Lets tasks sleep, and at once forgets those that are cancelled.
///
/// `Task.sleep` keeps the memory of a cancelled sleep until its time has come. Calls that may take
/// half a minute, and are answered or refused within a millisecond, would leave the memory of all
/// calls of the last half minute behind.
package final class AlarmClock: Sendable {
  /// The clock of all pools.
  package static let shared = AlarmClock()

  private struct Sleeper {
    /// The time to wake the task, in nanoseconds.
    var time: Int
    var task: CheckedContinuation<Void, Never>
  }

  private struct State {
    var sleepers: [Int: Sleeper] = [:]
    /// The number of the last sleeper.
    var lastNumber = 0
    /// The time when the thread looks again; `nil`: when it is told to.
    var nextLook: Int?
    var hasThread = false
  }

  private let state = Mutex(State())
  /// Whether somebody sleeps for whom the thread must look earlier than it knows.
  private let isCalled = Monitor(false)

  package init() {}

  /// The number of tasks that sleep.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Sleeps for a time.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  package func sleep(for duration: Duration) async throws {
    guard startThread() else { return try await Task.sleep(for: duration) }
    let time = Self.time(after: duration)
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { add(Sleeper(time: time, task: $0), number) }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.task.resume()
    }
    try Task.checkCancellation()
  }

  private func add(_ sleeper: Sleeper, _ number: Int) {
    let (isAdded, isEarlier) = state.withLock { state in
      // Whoever cancels the task after this look finds the sleeper.
      if Task.isCancelled { return (false, false) }
      state.sleepers[number] = sleeper
      return (true, state.nextLook.map { sleeper.time < $0 } ?? true)
    }
    if !isAdded { sleeper.task.resume() }
    if isEarlier { isCalled.change { $0 = true } }
  }

  // MARK: The thread

  /// Starts the thread that wakes the tasks, unless it runs; returns whether it runs.
  private func startThread() -> Bool {
    state.withLock { state in
      if state.hasThread { return true }
      let thread = SystemThread { [self] in
        // The thread is never joined.
        pthread_detach(pthread_self())
        wakeSleepers()
      }
      state.hasThread = thread != nil
      return state.hasThread
    }
  }

  /// The longest wait between two looks: the system's waits follow the time of day, which may be set.
  private static let longestWait = Duration.seconds(1)

  private func wakeSleepers() -> Never {
    while true {
      let now = MonotonicTime.now.nanoseconds
      let (due, next) = state.withLock { Self.takeDue(&$0, at: now) }
      for sleeper in due { sleeper.task.resume() }
      if let next {
        let wait = min(.nanoseconds(next - now), Self.longestWait)
        _ = isCalled.wait(upTo: wait, until: Self.takeCall)
      } else {
        isCalled.wait(until: Self.takeCall)
      }
    }
  }

  /// Removes those whose time has come; returns them, and the time of the next one.
  private static func takeDue(_ state: inout State, at now: Int) -> ([Sleeper], next: Int?) {
    let due = state.sleepers.filter { $0.value.time <= now }
    for number in due.keys { state.sleepers[number] = nil }
    state.nextLook = state.sleepers.values.map(\.time).min()
    return (Array(due.values), state.nextLook)
  }

  private static func takeCall(_ isCalled: inout Bool) -> Void? {
    guard isCalled else { return nil }
    isCalled = false
    return ()
  }

  /// The time after a duration, of which a century is enough.
  private static func time(after duration: Duration) -> Int {
    let (seconds, attoseconds) = min(max(duration, .zero), .seconds(3_155_760_000)).components
    return MonotonicTime.now.nanoseconds + Int(seconds) * 1_000_000_000
      + Int(attoseconds / 1_000_000_000)
  }
}
