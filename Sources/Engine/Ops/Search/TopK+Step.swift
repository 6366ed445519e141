extension TopK {
  /// Looks through each row once, with the best so far in a heap.
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
    guard length <= Int(Int32.max) else { return nil }
    return Step(
      kernelName: "heap of \(count)", scratchByteCount: count * MemoryLayout<Element.Key>.stride
    ) { step in
      let rows = step.input(0).assumingMemoryBound(to: Element.self)
      let values = step.output(0).assumingMemoryBound(to: Element.self)
      let indices = step.output(1)
      for row in 0..<rowCount {
        let heap = LeastOfBest<Element>(
          keys: step.scratch.assumingMemoryBound(to: Element.Key.self), count: count)
        heap.findBest(of: rows + row * length, length)
        heap.sort()
        for rank in 0..<count {
          let (index, place) = (heap.index(at: rank), row * count + rank)
          values[place] = rows[row * length + Int(index)]
          if hasShortIndices {
            indices.storeBytes(
              of: Int16(truncatingIfNeeded: index), toByteOffset: place * 2, as: Int16.self)
          } else {
            indices.storeBytes(of: index, toByteOffset: place * 4, as: Int32.self)
          }
        }
      }
    }
  }
}

/// An element that has a place in an order of all of its type.
private protocol RankedElement: Comparable, BitwiseCopyable {
  associatedtype Rank: FixedWidthInteger
  /// A number with a rank above 32 bits for an index.
  associatedtype Key: FixedWidthInteger & UnsignedInteger & BitwiseCopyable
  /// A number that is greater for what is better, and the same for what is as good; NaN is worst.
  var rank: Rank { get }
}

extension RankedElement {
  /// What is greater for a better element; of equal ones that in front is better.
  @inline(__always)
  fileprivate func key(at index: Int) -> Key {
    typealias Distance = Rank.Magnitude
    let fromLeast =
      Distance(truncatingIfNeeded: rank) &- Distance(truncatingIfNeeded: Rank.min)
    return Key(truncatingIfNeeded: fromLeast) << 32 | Key(~UInt32(truncatingIfNeeded: index))
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

  /// The bits of negative numbers count down; zeros are equal.
  fileprivate var rank: Int32 {
    if isNaN { return .min }
    let bits = Int32(bitPattern: (self + 0).bitPattern)
    return bits ^ (bits >> 31 & .max)
  }
}

/// The keys of the best elements of a row, in a heap with the least of them in front.
private struct LeastOfBest<Element: RankedElement> {
  let keys: UnsafeMutablePointer<Element.Key>
  let count: Int

  /// Which element a key of the heap belongs to.
  func index(at place: Int) -> Int32 {
    Int32(truncatingIfNeeded: ~UInt32(truncatingIfNeeded: keys[place]))
  }

  /// Fills the heap with the best of the first `length` elements.
  func findBest(of elements: UnsafePointer<Element>, _ length: Int) {
    for index in 0..<count { keys[index] = elements[index].key(at: index) }
    for parent in stride(from: count / 2 - 1, through: 0, by: -1) {
      sink(keys[parent], from: parent, below: count)
    }
    var index = count
    while index < length {
      let end = min(index &+ Self.blockLength, length)
      if hasBetter(elements, index..<end) { takeBetter(elements, index..<end) }
      index = end
    }
  }

  /// Most blocks hold nothing better once the best have been found, which vectors see at once.
  private static var blockLength: Int { 64 }

  /// Whether some elements may be better than the last in the heap; what is no number may.
  private func hasBetter(_ elements: UnsafePointer<Element>, _ block: Range<Int>) -> Bool {
    let least = elements[Int(index(at: 0))]
    var found = 0 as UInt8
    for index in block { found |= (!(elements[index] <= least)).byte }
    return found != 0
  }

  /// Puts what is better among some elements into the heap.
  private func takeBetter(_ elements: UnsafePointer<Element>, _ block: Range<Int>) {
    var least = keys[0]
    for index in block {
      let key = elements[index].key(at: index)
      if key <= least { continue }
      sink(key, from: 0, below: count)
      least = keys[0]
    }
  }

  /// Turns the heap into a list that begins with the best.
  func sort() {
    for end in stride(from: count - 1, to: 0, by: -1) {
      let last = keys[end]
      keys[end] = keys[0]
      sink(last, from: 0, below: end)
    }
  }

  /// Puts a key into the gap at `start`, or below it among lesser ones.
  ///
  /// The gap goes down to the end first, which it mostly comes close to, and then up again. Which of two
  /// keys is less nobody can guess, so that there is no branch.
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
