import OcellusPlatform
import Testing

@testable import OcellusCommands

/// Work in forked processes.
///
/// Each test runs in its own process: with threads of other tests, a fork could inherit locks of
/// the runtime that are never released.
@Suite struct IsolatedWorkTests {
  private static func run(
    count: Int, workers: Int, seconds: Double = 5, _ item: (Int) -> [UInt8]
  ) throws -> IsolatedWork.Outcomes {
    let limits = WorkerLimits(secondsPerItem: seconds, memory: nil)
    return try IsolatedWork(count: count, workerCount: workers, answerSize: 4, limits: limits)
      .run(item: item)
  }

  @Test func everyPieceIsDoneOnce() async {
    await #expect(processExitsWith: .success) {
      let outcomes = try Self.run(count: 1000, workers: 3) { [UInt8($0 % 251), 1] }
      #expect(outcomes.failedItems.isEmpty)
      for item in 0..<1000 { #expect(outcomes[item] == .answered([UInt8(item % 251), 1])) }
    }
  }

  @Test func aCrashCostsOnePiece() async {
    await #expect(processExitsWith: .success) {
      let outcomes = try Self.run(count: 20, workers: 2) { item in
        if item == 3 { raise(SIGSEGV) }
        if item == 7 { _exit(9) }
        return [UInt8(item)]
      }
      #expect(outcomes.failedItems == [3, 7])
      #expect(outcomes[3] == .died(reason: "signal 11, Segmentation fault"))
      #expect(outcomes[7] == .died(reason: "exit status 9"))
      for item in 0..<20 where item != 3 && item != 7 {
        #expect(outcomes[item] == .answered([UInt8(item)]))
      }
    }
  }

  @Test func aHangCostsOnePiece() async {
    await #expect(processExitsWith: .success) {
      let outcomes = try Self.run(count: 6, workers: 2, seconds: 0.1) { item in
        if item == 2 { while getppid() >= 0 {} }
        if item == 4 { while getppid() >= 0 { pause() } }
        return []
      }
      #expect(outcomes.failedItems == [2, 4])
      #expect(outcomes[2] == .timedOut)
      #expect(outcomes[4] == .timedOut)
      #expect(outcomes[5] == .answered([]))
    }
  }

  @Test func greedCostsOnePiece() async {
    await #expect(processExitsWith: .success) {
      let limits = WorkerLimits(secondsPerItem: 5, memory: 64 << 20)
      let outcomes = try IsolatedWork(count: 3, workerCount: 1, answerSize: 1, limits: limits)
        .run { item in
          let bytes = [UInt8](repeating: 1, count: item == 1 ? 1 << 30 : 1 << 20)
          return [bytes[item]]
        }
      #expect(outcomes.failedItems == [1])
      #expect(outcomes[2] == .answered([1]))
    }
  }

  @Test func lastWordsAreHeard() async {
    await #expect(processExitsWith: .success) {
      let outcomes = try Self.run(count: 1, workers: 1) { _ in
        let words = "Fatal error: Index out of range\nmore\n"
        write(STDERR_FILENO, words, words.utf8.count)
        abort()
      }
      #expect(outcomes[0] == .died(reason: "signal 6, Aborted: Fatal error: Index out of range"))
    }
  }

  @Test func longAnswersAreCut() async {
    await #expect(processExitsWith: .success) {
      let outcomes = try Self.run(count: 1, workers: 1) { _ in [1, 2, 3, 4, 5] }
      #expect(outcomes[0] == .answered([1, 2, 3, 4]))
    }
  }
}
