/// Boxes that wait to be selected, the one with the highest score in front.
///
/// A binary heap that moves elements exactly as the C++ library under the official kernel does,
/// because that is what decides between equal scores.
package struct CandidateQueue {
  package struct Candidate {
    package var box: Int
    package var score: Float
    /// The number of selected boxes that it has been compared with.
    package var comparedCount = 0
  }

  private var heap: [Candidate] = []

  package var isEmpty: Bool { heap.isEmpty }
  package var count: Int { heap.count }

  package mutating func push(_ candidate: Candidate) {
    heap.append(candidate)
    rise(candidate, from: heap.count - 1)
  }

  package mutating func pop() -> Candidate? {
    guard let top = heap.first, let last = heap.popLast() else { return nil }
    if heap.isEmpty { return top }
    // The gap sinks to the bottom along the larger children, and the last element rises from
    // there.
    var gap = 0
    while 2 * gap + 2 < heap.count {
      let (left, right) = (2 * gap + 1, 2 * gap + 2)
      let larger = heap[right].score < heap[left].score ? left : right
      heap[gap] = heap[larger]
      gap = larger
    }
    if 2 * gap + 2 == heap.count {
      heap[gap] = heap[2 * gap + 1]
      gap = 2 * gap + 1
    }
    rise(last, from: gap)
    return top
  }

  private mutating func rise(_ candidate: Candidate, from start: Int) {
    var gap = start
    while gap > 0, heap[(gap - 1) / 2].score < candidate.score {
      heap[gap] = heap[(gap - 1) / 2]
      gap = (gap - 1) / 2
    }
    heap[gap] = candidate
  }
}
