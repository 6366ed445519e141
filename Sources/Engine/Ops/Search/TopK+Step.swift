extension TopK {
  /// The greatest count for this step; more elements are sorted by the reference kernel, which can
  /// be stopped.
  private static let maximumCount = 1 << 18

  /// Plans a step that reads each row once and keeps candidates for the best elements.
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    switch context.node.outputs[0].type {
    case .float32: step(context, Float.self)
    case .int32: step(context, Int32.self)
    case .int64: step(context, Int64.self)
    case .int8: step(context, Int8.self)
    case .uint8: step(context, UInt8.self)
    case .int16: step(context, Int16.self)
    default: nil
    }
  }

  private func step<Element: RankedElement & SendableMetatype>(
    _ context: PlanContext, _: Element.Type
  ) -> Step? {
    guard let input = context.inputShapes[0] else { return nil }
    let (length, count) = (input[-1], context.outputShapes[0][-1])
    let rowCount = input.elementCount / length
    // Indices have 32 bits.
    guard length <= Int(Int32.max), count <= Self.maximumCount else { return nil }
    let capacity = BestElements<Element>.capacity(for: count, of: length)
    return Step(
      kernelName: "best \(count)", scratchByteCount: capacity * MemoryLayout<Element.Key>.stride
    ) { step in
      let rows = step.input(0).assumingMemoryBound(to: Element.self)
      let values = step.output(0).assumingMemoryBound(to: Element.self)
      let indices = step.output(1)
      let best = BestElements<Element>(
        keys: step.scratch.assumingMemoryBound(to: Element.Key.self), count: count)
      for chunk in step.workers.chunks(of: rowCount, workOfEach: 8 + 2 * length) {
        for row in chunk {
          best.find(in: rows + row * length, length, step.workers)
          best.sort()
          for rank in 0..<count {
            let (index, position) = (best.index(at: rank), row * count + rank)
            values[position] = rows[row * length + Int(index)]
            store(index, at: position, in: indices)
          }
        }
      }
    }
  }

  @inline(__always)
  private func store(_ index: Int32, at position: Int, in indices: UnsafeMutableRawPointer) {
    if hasInt16Indices {
      indices.storeBytes(
        of: Int16(truncatingIfNeeded: index), toByteOffset: position * 2, as: Int16.self)
    } else {
      indices.storeBytes(of: index, toByteOffset: position * 4, as: Int32.self)
    }
  }
}

/// An element type with a total order.
private protocol RankedElement: Comparable, BitwiseCopyable {
  associatedtype Rank: FixedWidthInteger
  /// An unsigned integer with a rank in the bits above a 32-bit index.
  associatedtype Key: FixedWidthInteger & UnsignedInteger & BitwiseCopyable
  /// An integer that is greater for better elements and equal for equal ones; NaN is worst.
  var rank: Rank { get }
}

extension RankedElement {
  /// Returns a key that is greater for better elements; among equal ones, the first is better.
  @inline(__always)
  fileprivate func key(at index: Int) -> Key {
    typealias Distance = Rank.Magnitude
    let unsignedRank =
      Distance(truncatingIfNeeded: rank) &- Distance(truncatingIfNeeded: Rank.min)
    return Key(truncatingIfNeeded: unsignedRank) << 32 | Key(~UInt32(truncatingIfNeeded: index))
  }
}

extension RankedElement where Self: FixedWidthInteger {
  fileprivate var rank: Self { self }
}

extension Int8: RankedElement { fileprivate typealias Key = UInt64 }
extension UInt8: RankedElement { fileprivate typealias Key = UInt64 }
extension Int16: RankedElement { fileprivate typealias Key = UInt64 }
extension Int32: RankedElement { fileprivate typealias Key = UInt64 }
extension Int64: RankedElement { fileprivate typealias Key = UInt128 }

extension Float: RankedElement {
  fileprivate typealias Key = UInt64

  /// The float's bits as an ordered integer; both zeros are equal.
  fileprivate var rank: Int32 {
    if isNaN { return .min }
    let bits = Int32(bitPattern: (self + 0).bitPattern)
    return bits ^ (bits >> 31 & .max)
  }
}

/// The keys of the best elements of a row so far, followed by other candidates.
private struct BestElements<Element: RankedElement> {
  let keys: UnsafeMutablePointer<Element.Key>
  /// The number of elements to find.
  let count: Int

  /// The greatest count for which a heap is used, since few later elements enter it.
  private static var maximumHeapCount: Int { 32 }

  /// Returns the number of keys to allocate.
  ///
  /// As many candidates as best elements are collected before the best of all are selected, and all
  /// elements of the last block may be candidates.
  static func capacity(for count: Int, of length: Int) -> Int {
    min(length, 2 * count + blockLength)
  }

  /// Returns the index of the element that a key belongs to.
  func index(at position: Int) -> Int32 {
    Int32(truncatingIfNeeded: ~UInt32(truncatingIfNeeded: keys[position]))
  }

  /// Finds the best elements of a row, or of its beginning if the run is stopped.
  func find(in elements: UnsafePointer<Element>, _ length: Int, _ workers: WorkersReference) {
    if count <= Self.maximumHeapCount { return findInHeap(elements, length, workers) }
    let first = min(2 &* count, length)
    for index in 0..<first { keys[index] = elements[index].key(at: index) }
    keepBest(of: first)
    var index = first
    var nextQuestion = Self.elementsAtOnce
    while index < length {
      if index > nextQuestion {
        if workers.isOver { return }
        nextQuestion = index &+ Self.elementsAtOnce
      }
      let (end, found) = appendBetter(elements, index..<min(index &+ Self.elementsAtOnce, length))
      if found > count { keepBest(of: found) }
      index = end
    }
  }

  // MARK: Adding elements

  /// The length of blocks; most blocks have nothing better than the best so far, which a vectorized
  /// comparison finds out.
  private static var blockLength: Int { 64 }
  /// The number of elements between checks whether the run is over; a multiple of the block length.
  private static var elementsAtOnce: Int { 1 << 20 }

  /// Appends the keys of elements that are better than the last of the best, until there are
  /// enough.
  ///
  /// - Returns: the first element that was not visited, and the number of keys.
  private func appendBetter(
    _ elements: UnsafePointer<Element>, _ range: Range<Int>
  ) -> (end: Int, found: Int) {
    let threshold = elements[Int(index(at: count &- 1))]
    var (start, found) = (range.lowerBound, count)
    while start < range.upperBound && found < 2 &* count {
      let end = min(start &+ Self.blockLength, range.upperBound)
      if hasBetter(elements, start..<end, than: threshold) {
        for index in start..<end {
          // The comparison is unpredictable, so there is no branch: a key that is not better is
          // overwritten.
          keys[found] = elements[index].key(at: index)
          found &+= Int((!(elements[index] <= threshold)).byte)
        }
      }
      start = end
    }
    return (start, found)
  }

  /// Whether some elements of a block may be better than `threshold`; NaN counts as better.
  private func hasBetter(
    _ elements: UnsafePointer<Element>, _ block: Range<Int>, than threshold: Element
  ) -> Bool {
    var found = 0 as UInt8
    for index in block { found |= (!(elements[index] <= threshold)).byte }
    return found != 0
  }

  // MARK: Keeping the best

  /// Moves the `count` greatest of `found` keys to the front, the least of them last (quickselect).
  private func keepBest(of found: Int) {
    var (low, high) = (0, found)
    // With good pivots, this many rounds nearly always suffice.
    for _ in 0..<(Int.bitWidth &- found.leadingZeroBitCount) &* 3 / 2 {
      if high &- low <= 1 { return }
      let border = divide(low..<high)
      if border == count &- 1 { return }
      if border < count &- 1 { low = border &+ 1 } else { high = border }
    }
    keepBestInHeap(of: found)
  }

  /// Partitions keys by a pivot: greater keys move before it.
  ///
  /// - Returns: the new index of the pivot.
  private func divide(_ range: Range<Int>) -> Int {
    let last = range.upperBound &- 1
    swap(medianIndex(range.lowerBound, (range.lowerBound &+ last) / 2, last), last)
    let pivot = keys[last]
    var border = range.lowerBound
    for index in range.lowerBound..<last {
      let key = keys[index]
      keys[index] = keys[border]
      keys[border] = key
      border &+= Int((key > pivot).byte)
    }
    swap(border, last)
    return border
  }

  private func medianIndex(_ a: Int, _ b: Int, _ c: Int) -> Int {
    let (less, greater) = keys[a] < keys[b] ? (a, b) : (b, a)
    if keys[c] <= keys[less] { return less }
    return keys[c] < keys[greater] ? c : greater
  }

  private func swap(_ a: Int, _ b: Int) {
    (keys[a], keys[b]) = (keys[b], keys[a])
  }

  /// Does the same as `keepBest` in guaranteed time, for keys that defeat the choice of pivots.
  private func keepBestInHeap(of found: Int) {
    makeHeap()
    for index in count..<found where keys[index] > keys[0] {
      sink(keys[index], from: 0, below: count)
    }
    swap(0, count &- 1)
  }

  // MARK: The heap, with the least key first

  private func findInHeap(
    _ elements: UnsafePointer<Element>, _ length: Int, _ workers: WorkersReference
  ) {
    for index in 0..<count { keys[index] = elements[index].key(at: index) }
    makeHeap()
    var start = count
    var nextQuestion = Self.elementsAtOnce
    while start < length {
      if start > nextQuestion {
        if workers.isOver { return }
        nextQuestion = start &+ Self.elementsAtOnce
      }
      let end = min(start &+ Self.blockLength, length)
      if hasBetter(elements, start..<end, than: elements[Int(index(at: 0))]) {
        var threshold = keys[0]
        for index in start..<end {
          let key = elements[index].key(at: index)
          if key <= threshold { continue }
          sink(key, from: 0, below: count)
          threshold = keys[0]
        }
      }
      start = end
    }
  }

  /// Sorts the best elements in descending order.
  func sort() {
    makeHeap()
    for end in stride(from: count - 1, to: 0, by: -1) {
      let last = keys[end]
      keys[end] = keys[0]
      sink(last, from: 0, below: end)
    }
  }

  private func makeHeap() {
    for parent in stride(from: count / 2 - 1, through: 0, by: -1) {
      sink(keys[parent], from: parent, below: count)
    }
  }

  /// Inserts a key at the gap `start`, or below it after lesser keys.
  ///
  /// The gap moves to the bottom first, near which the key mostly ends, and then up again. The
  /// comparison of two keys is unpredictable, so there is no branch.
  @inline(__always)
  private func sink(_ key: Element.Key, from start: Int, below end: Int) {
    var gap = start
    while 2 &* gap &+ 2 < end {
      let child = 2 &* gap &+ 1
      let lesser = child &+ Int((keys[child] > keys[child &+ 1]).byte)
      keys[gap] = keys[lesser]
      gap = lesser
    }
    if 2 &* gap &+ 1 < end {
      keys[gap] = keys[2 &* gap &+ 1]
      gap = 2 &* gap &+ 1
    }
    while gap > start {
      let parent = (gap &- 1) / 2
      if key > keys[parent] { break }
      keys[gap] = keys[parent]
      gap = parent
    }
    keys[gap] = key
  }
}
