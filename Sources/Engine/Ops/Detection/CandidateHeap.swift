/// A heap of candidates: higher scores come out first, and lower box indices among equal scores.
package struct CandidateHeap {
  private let keys: UnsafeMutablePointer<UInt64>
  private(set) var count = 0

  /// Makes a heap in memory for as many candidates as will be appended.
  package init(_ keys: UnsafeMutablePointer<UInt64>) {
    self.keys = keys
  }

  /// Adds a candidate, whose score must not be NaN; call `order` before the first `popFirst`.
  ///
  /// The upper half of a key has the order of the scores, the lower half is the complement of the
  /// box index.
  package mutating func append(score: Float, box: Int) {
    // Adding zero turns -0 into +0.
    let bits = (score + 0).bitPattern
    let ordered = bits >> 31 == 1 ? ~bits : bits | 1 << 31
    keys[count] = UInt64(ordered) << 32 | UInt64(~UInt32(truncatingIfNeeded: box))
    count += 1
  }

  package mutating func order(_ control: RunControl? = nil) {
    let parentCount = count / 2
    for chunk in StoppableChunks(of: parentCount, workOfEach: 8, control) {
      for index in chunk {
        let parent = parentCount - 1 - index
        sink(keys[parent], from: parent)
      }
    }
  }

  /// Removes the best candidate and returns its box.
  package mutating func popFirst() -> Int? {
    guard count > 0 else { return nil }
    let first = keys[0]
    count -= 1
    if count > 0 { sink(keys[count], from: 0) }
    return Int(~UInt32(truncatingIfNeeded: first))
  }

  private func sink(_ key: UInt64, from start: Int) {
    var gap = start
    while 2 * gap + 1 < count {
      var child = 2 * gap + 1
      if child + 1 < count && keys[child + 1] > keys[child] { child += 1 }
      if keys[child] <= key { break }
      keys[gap] = keys[child]
      gap = child
    }
    keys[gap] = key
  }
}
