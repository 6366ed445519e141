/// A heap with its greatest element in front.
///
/// It moves elements exactly as the C++ library (libstdc++) under the official kernels does:
/// what decides between equal elements there decides here.
package struct BinaryHeap<Element> {
  private var elements: [Element]
  private let isLess: (Element, Element) -> Bool

  /// The heap is in any order if `control` stops the run meanwhile.
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
        place(self.elements[parent], from: parent)
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
    if !elements.isEmpty { place(last, from: 0) }
    return first
  }

  /// - Precondition: the heap is not empty.
  package mutating func replaceFirst(with element: Element) { place(element, from: 0) }

  /// Lets the gap at `start` sink to the bottom along the greater children, then the element rise
  /// from there.
  private mutating func place(_ element: Element, from start: Int) {
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
  /// The `count` elements that come first in an order, in that order: `std::partial_sort`.
  ///
  /// Any elements in any order if `control` stops the run meanwhile.
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
