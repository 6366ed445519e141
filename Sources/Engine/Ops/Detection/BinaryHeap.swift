/// A heap with its greatest element first.
///
/// It moves elements exactly as libstdc++ does under the official kernels, so equal elements come
/// out in the same order.
package struct BinaryHeap<Element> {
  private var elements: [Element]
  private let isLess: (Element, Element) -> Bool

  /// Makes a heap; its order is arbitrary if `control` stops the run meanwhile.
  package init(
    _ elements: [Element] = [], _ control: RunControl? = nil,
    by isLess: @escaping (Element, Element) -> Bool
  ) {
    self.elements = elements
    self.isLess = isLess
    let parentCount = elements.count / 2
    for chunk in StoppableChunks(of: parentCount, workOfEach: 16, control) {
      for index in chunk {
        let parent = parentCount - 1 - index
        sift(self.elements[parent], from: parent)
      }
    }
  }

  package var count: Int { elements.count }
  package var first: Element? { elements.first }

  package mutating func push(_ element: Element) {
    elements.append(element)
    raise(element, from: elements.count - 1, notAbove: 0)
  }

  package mutating func popFirst() -> Element? {
    guard let first = elements.first, let last = elements.popLast() else { return nil }
    if !elements.isEmpty { sift(last, from: 0) }
    return first
  }

  /// - Precondition: the heap is not empty.
  package mutating func replaceFirst(with element: Element) { sift(element, from: 0) }

  /// Inserts an element at a gap: moves the gap to the bottom along the greater children, then the
  /// element up from there.
  private mutating func sift(_ element: Element, from start: Int) {
    var gap = start
    while 2 * gap + 2 < elements.count {
      let (left, right) = (2 * gap + 1, 2 * gap + 2)
      let greater = isLess(elements[right], elements[left]) ? left : right
      elements[gap] = elements[greater]
      gap = greater
    }
    if 2 * gap + 2 == elements.count {
      elements[gap] = elements[2 * gap + 1]
      gap = 2 * gap + 1
    }
    raise(element, from: gap, notAbove: start)
  }

  private mutating func raise(_ element: Element, from start: Int, notAbove top: Int) {
    var gap = start
    while gap > top, isLess(elements[(gap - 1) / 2], element) {
      elements[gap] = elements[(gap - 1) / 2]
      gap = (gap - 1) / 2
    }
    elements[gap] = element
  }
}

extension BinaryHeap {
  /// Returns the first `count` elements in an order, sorted, as by `std::partial_sort`.
  ///
  /// The result is arbitrary if `control` stops the run meanwhile.
  package static func first(
    _ count: Int, of elements: some RandomAccessCollection<Element>, _ control: RunControl? = nil,
    by precedes: @escaping (Element, Element) -> Bool
  ) -> [Element] {
    var heap = BinaryHeap(Array(elements.prefix(count)), control, by: precedes)
    var work = StoppableWork(control)
    for element in elements.dropFirst(count) {
      if work.isOver(after: 8) { break }
      if let last = heap.first, precedes(element, last) { heap.replaceFirst(with: element) }
    }
    var sorted: [Element] = []
    while !work.isOver(after: 32), let last = heap.popFirst() { sorted.append(last) }
    return sorted.reversed()
  }
}
