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
      kernelName: "heap of \(count)",
      scratchByteCount: count * MemoryLayout<Candidate<Element>>.stride
    ) { step in
      let rows = step.input(0).assumingMemoryBound(to: Element.self)
      let values = step.output(0).assumingMemoryBound(to: Element.self)
      let indices = step.output(1)
      for row in 0..<rowCount {
        let heap = LeastOfBest(
          candidates: step.scratch.assumingMemoryBound(to: Candidate<Element>.self), count: count)
        heap.findBest(of: rows + row * length, length)
        heap.sort()
        for rank in 0..<count {
          let (index, place) = (heap.candidates[rank].index, row * count + rank)
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
  associatedtype Rank: FixedWidthInteger & BitwiseCopyable
  /// A number that is greater for what is better, and the same for what is as good; NaN is worst.
  var rank: Rank { get }
}

extension RankedElement where Self: FixedWidthInteger {
  fileprivate var rank: Self { self }
}

extension Int8: RankedElement {}
extension UInt8: RankedElement {}
extension Int16: RankedElement {}
extension Int32: RankedElement {}
extension Int64: RankedElement {}

extension Float: RankedElement {
  /// The bits of negative numbers count down; zeros are equal.
  fileprivate var rank: Int32 {
    if isNaN { return .min }
    let bits = Int32(bitPattern: (self + 0).bitPattern)
    return bits ^ (bits >> 31 & .max)
  }
}

/// An element by its rank, and where it is; of equal ones that in front is better.
private struct Candidate<Element: RankedElement>: BitwiseCopyable {
  var rank: Element.Rank
  var index: Int32

  /// 1 where it is better than another one, else 0: nobody can guess which, so that there is no branch.
  @inline(__always)
  func advantage(over other: Self) -> Int {
    let (isGreater, isEqual) = ((rank > other.rank).byte, (rank == other.rank).byte)
    return Int(isGreater | (isEqual & (index < other.index).byte))
  }
}

/// The best elements of a row, in a heap with the last of them in front.
private struct LeastOfBest<Element: RankedElement> {
  let candidates: UnsafeMutablePointer<Candidate<Element>>
  let count: Int

  /// Fills the heap with the best of the first `length` elements.
  func findBest(of elements: UnsafePointer<Element>, _ length: Int) {
    for index in 0..<count {
      candidates[index] = Candidate(
        rank: elements[index].rank, index: Int32(truncatingIfNeeded: index))
    }
    for parent in stride(from: count / 2 - 1, through: 0, by: -1) {
      sink(candidates[parent], from: parent, below: count)
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
    let least = elements[Int(candidates[0].index)]
    var found = 0 as UInt8
    for index in block { found |= (!(elements[index] <= least)).byte }
    return found != 0
  }

  /// Puts what is better among some elements into the heap.
  private func takeBetter(_ elements: UnsafePointer<Element>, _ block: Range<Int>) {
    var least = candidates[0].rank
    for index in block {
      let rank = elements[index].rank
      // Of equal elements those in front are better, and they have been here before.
      if rank <= least { continue }
      sink(Candidate(rank: rank, index: Int32(truncatingIfNeeded: index)), from: 0, below: count)
      least = candidates[0].rank
    }
  }

  /// Turns the heap into a list that begins with the best.
  func sort() {
    for end in stride(from: count - 1, to: 0, by: -1) {
      let last = candidates[end]
      candidates[end] = candidates[0]
      sink(last, from: 0, below: end)
    }
  }

  /// Puts a candidate into the gap at `start`, or below it among what is worse.
  ///
  /// The gap goes down to the end first, which it mostly comes close to, and then up again.
  @inline(__always)
  private func sink(_ candidate: Candidate<Element>, from start: Int, below end: Int) {
    var gap = start
    while 2 &* gap &+ 2 < end {
      let child = 2 &* gap &+ 1
      let worse = child &+ candidates[child].advantage(over: candidates[child &+ 1])
      candidates[gap] = candidates[worse]
      gap = worse
    }
    if 2 &* gap &+ 1 < end {
      candidates[gap] = candidates[2 &* gap &+ 1]
      gap = 2 &* gap &+ 1
    }
    while gap > start {
      let parent = (gap &- 1) / 2
      if candidate.advantage(over: candidates[parent]) == 1 { break }
      candidates[gap] = candidates[parent]
      gap = parent
    }
    candidates[gap] = candidate
  }
}
