import OcellusEngine
import OcellusTestSupport
import Testing

@Suite struct ArenaPlannerTests {
  @Test func chainOfLayersTakesTheTwoLargestNeighbours() {
    var arena = ArenaPlanner()
    for step in 0..<6 {
      _ = arena.add(.init(byteCount: 1024, firstStep: step, lastStep: step + 1))
    }
    arena.place()
    #expect(arena.byteCount == 2048)
  }

  /// Runs with few steps, and with so many that lifetimes are compared by sections of the run.
  @Test(arguments: [50, 3000]) func tensorsAliveTogetherNeverOverlap(stepCount: Int) {
    // Sizes and lifetimes are random, and are checked pair by pair.
    var random = SeededGenerator(seed: UInt64(stepCount))
    var arena = ArenaPlanner()
    for _ in 0..<400 {
      let first = Int.random(in: 0..<stepCount, using: &random)
      _ = arena.add(
        .init(
          byteCount: Int.random(in: 0..<5000, using: &random), firstStep: first,
          lastStep: first + Int.random(in: 0..<(stepCount / 5), using: &random)))
    }
    arena.place()
    for (index, a) in arena.requests.enumerated() where a.byteCount > 0 {
      #expect(a.offset % 64 == 0)
      #expect(a.offset + a.byteCount <= arena.byteCount)
      for b in arena.requests[(index + 1)...] where b.byteCount > 0 {
        let isTogether = a.firstStep <= b.lastStep && b.firstStep <= a.lastStep
        let isApart = a.offset + a.byteCount <= b.offset || b.offset + b.byteCount <= a.offset
        #expect(!isTogether || isApart, "\(a) and \(b)")
      }
    }
  }

  @Test func emptyTensorsTakeNothing() {
    var arena = ArenaPlanner()
    _ = arena.add(.init(byteCount: 0, firstStep: 0, lastStep: .max))
    arena.place()
    #expect(arena.byteCount == 0)
  }
}
