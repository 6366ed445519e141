import OcellusEngine
import Testing

/// Equal elements are ordered as in the output of a program that uses libstdc++.
@Suite struct BinaryHeapTests {
  private static let values: [Float] = [5, 5, 3, 5, 3, 9, 5, 3, 5]

  @Test(arguments: [
    [5], [5, 0], [5, 1, 3], [5, 1, 3, 0], [5, 3, 1, 6, 0], [5, 6, 3, 1, 8, 0],
    [5, 8, 3, 1, 0, 6, 4], [5, 8, 3, 1, 0, 6, 7, 4], [5, 8, 3, 1, 0, 6, 7, 4, 2],
  ])
  func sortsPartiallyAsStandardLibraries(order: [Int]) {
    let first = BinaryHeap.first(order.count, of: Array(Self.values.indices)) {
      Self.values[$0] > Self.values[$1]
    }
    #expect(first == order)
  }

  @Test func queuesAsStandardLibraries() {
    var heap = BinaryHeap<Int> { Self.values[$0] < Self.values[$1] }
    for index in Self.values.indices { heap.push(index) }
    var order: [Int] = []
    while let index = heap.popFirst() { order.append(index) }
    #expect(order == [5, 0, 6, 8, 1, 3, 2, 7, 4])
  }
}
