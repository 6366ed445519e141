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

  private func step<Element: Comparable & BitwiseCopyable & SendableMetatype>(
    _ context: PlanContext, _: Element.Type
  ) -> Step? {
    guard let input = context.inputShapes[0] else { return nil }
    let (length, count) = (input[-1], context.outputShapes[0][-1])
    let rowCount = input.elementCount / length
    return Step(kernelName: "heap of \(count)", scratchByteCount: count * 4) { step in
      let rows = step.input(0).assumingMemoryBound(to: Element.self)
      let values = step.output(0).assumingMemoryBound(to: Element.self)
      let indices = step.output(1)
      for row in 0..<rowCount {
        let heap = LeastOfBest(
          elements: rows + row * length,
          indices: step.scratch.assumingMemoryBound(to: Int32.self), count: count)
        heap.search(length)
        heap.sort()
        for rank in 0..<count {
          let (index, place) = (heap.indices[rank], row * count + rank)
          values[place] = heap.elements[Int(index)]
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

/// The best elements of a row, in a heap with the last of them in front.
private struct LeastOfBest<Element: Comparable & BitwiseCopyable> {
  let elements: UnsafePointer<Element>
  let indices: UnsafeMutablePointer<Int32>
  let count: Int

  /// Fills the heap with the best of the first `length` elements.
  func search(_ length: Int) {
    for index in 0..<count { indices[index] = Int32(truncatingIfNeeded: index) }
    for parent in stride(from: count / 2 - 1, through: 0, by: -1) {
      sink(indices[parent], from: parent, below: count)
    }
    var least = elements[Int(indices[0])]
    for index in count..<max(length, count) {
      // Of equal elements those in front are better, and they have been here before. What is
      // not a number cannot be compared.
      if elements[index] <= least { continue }
      let candidate = Int32(truncatingIfNeeded: index)
      if TopK.precedes(candidate, indices[0], in: elements) {
        sink(candidate, from: 0, below: count)
        least = elements[Int(indices[0])]
      }
    }
  }

  /// Turns the heap into a list that begins with the best.
  func sort() {
    for end in stride(from: count - 1, to: 0, by: -1) {
      let last = indices[end]
      indices[end] = indices[0]
      sink(last, from: 0, below: end)
    }
  }

  /// Puts an index into the gap at `start`, or below it among what is worse.
  private func sink(_ index: Int32, from start: Int, below end: Int) {
    var gap = start
    while 2 * gap + 1 < end {
      var child = 2 * gap + 1
      if child + 1 < end && TopK.precedes(indices[child], indices[child + 1], in: elements) {
        child += 1
      }
      if TopK.precedes(indices[child], index, in: elements) { break }
      indices[gap] = indices[child]
      gap = child
    }
    indices[gap] = index
  }
}
