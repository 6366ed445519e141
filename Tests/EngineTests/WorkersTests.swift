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
        let loop = TileLoop<UnsafeMutableBufferPointer<Int>> { counts, tile in counts[tile] += 1 }
        workers.run(tileCount, loop, counts)
      }
      #expect(counts == [Int](repeating: 1, count: tileCount))
    }
  }

  @Test func sleepingThreadsWakeUp() throws {
    final class Sum: Sendable { let value = Atomic(0) }
    let workers = Workers(threadCount: 2)
    let loop = TileLoop<Sum> { $0.value.wrappingAdd($1, ordering: .relaxed) }
    for _ in 0..<3 {
      let sum = Sum()
      workers.run(100, loop, sum)
      #expect(sum.value.load(ordering: .relaxed) == 4950)
      // Long enough that the helper has stopped spinning.
      let end = ContinuousClock.now + .milliseconds(20)
      while ContinuousClock.now < end {}
    }
  }
}
