import OcellusEngine
import Synchronization
import Testing

@Suite struct WorkersTests {
  @Test(arguments: [1, 2, 3, 8])
  func everyTileIsDoneOnce(threadCount: Int) {
    let workers = Workers(threadCount: threadCount)
    for round in 0..<200 {
      let tileCount = round % 17
      var counts = [Int](repeating: 0, count: tileCount)
      counts.withUnsafeMutableBufferPointer { counts in
        nonisolated(unsafe) let counts = counts
        workers.run(tileCount) { counts[$0] += 1 }
      }
      #expect(counts == [Int](repeating: 1, count: tileCount))
    }
  }

  @Test func sleepingThreadsWakeUp() throws {
    let workers = Workers(threadCount: 2)
    for _ in 0..<3 {
      let sum = Atomic(0)
      workers.run(100) { sum.wrappingAdd($0, ordering: .relaxed) }
      #expect(sum.load(ordering: .relaxed) == 4950)
      // Long enough that the helper has stopped spinning.
      let end = ContinuousClock.now + .milliseconds(20)
      while ContinuousClock.now < end {}
    }
  }
}
