extension StridedCopy {
  /// Runs of elements at regular distances.
  package struct Runs: Sendable, Hashable {
    /// The elements of each.
    package var length: Int
    /// How often they repeat along each axis, and where.
    package var extents: [Int]
    package var layout: Layout

    package var count: Int { extents.reduce(1, *) }
  }

  /// What the copy leaves out of a destination of so many elements.
  ///
  /// - Returns: `nil` where its box does not lie there axis within axis.
  package func gaps(in elementCount: Int) -> [Runs]? {
    var gaps: [Runs] = []
    // From the first to the last element of what the axes so far cover.
    var covered = 1
    for axis in extents.indices.reversed() {
      let (extent, stride) = (extents[axis], destination.strides[axis])
      guard stride >= covered else { return nil }
      if stride > covered {
        gaps.append(
          Runs(
            length: stride - covered, extents: extents[..<axis] + [extent - 1],
            layout: Layout(
              offset: destination.offset + covered, strides: Array(destination.strides[...axis]))))
      }
      covered += (extent - 1) * stride
    }
    let end = destination.offset + covered
    for ends in [0..<destination.offset, end..<elementCount] where !ends.isEmpty {
      gaps.append(
        Runs(
          length: ends.count, extents: [], layout: Layout(offset: ends.lowerBound, strides: [])))
    }
    return gaps
  }
}
