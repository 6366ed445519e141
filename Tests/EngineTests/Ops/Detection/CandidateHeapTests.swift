import OcellusEngine
import OcellusTestSupport
import Testing

@Suite struct CandidateHeapTests {
  @Test func bestScoresComeOutFirst() {
    var random = SeededGenerator(seed: 5)
    let special: [Float] = [0, -0, .infinity, -.infinity, 1, -1, 0x1p-149, -0x1p-149]
    let scores = (0..<200).map { index in
      index % 3 == 0
        ? special[Int.random(in: 0..<special.count, using: &random)]
        : Float.random(in: -2...2, using: &random)
    }
    let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: scores.count)
    defer { memory.deallocate() }
    var heap = CandidateHeap(memory)
    for (box, score) in scores.enumerated() { heap.append(score: score, box: box) }
    heap.order()
    var order: [Int] = []
    while let box = heap.popFirst() { order.append(box) }
    let want = scores.indices.sorted {
      scores[$0] == scores[$1] ? $0 < $1 : scores[$0] > scores[$1]
    }
    #expect(order == want)
  }
}
