/// A copy of a box of elements between two regularly strided layouts.
///
/// Operators that only copy elements (slices, concatenations, transpositions, reversals,
/// repetitions, diagonals) are one of these, or a few. Copies depend on the size of elements, not
/// on their type.
package struct StridedCopy: Sendable {
  /// The positions of the elements of a box, counted in elements from the start of a tensor.
  package struct Layout: Sendable, Hashable {
    package var offset: Int
    /// The distances between neighbours along each axis; negative ones run backwards, and zero
    /// repeats an element.
    package var strides: [Int]

    package init(offset: Int = 0, strides: [Int]) {
      self.offset = offset
      self.strides = strides
    }

    /// Makes the layout of a whole row-major tensor.
    package init(_ shape: Shape) {
      self.init(strides: shape.strides)
    }
  }

  /// The extents of the box, without axes of one element, and with neighbouring axes merged where
  /// both sides step through them uniformly.
  package private(set) var extents: [Int] = []
  package private(set) var source: Layout
  package private(set) var destination: Layout

  /// - Precondition: extents and both layouts have the same rank.
  package init(extents: [Int], source: Layout, destination: Layout) {
    self.source = Layout(offset: source.offset, strides: [])
    self.destination = Layout(offset: destination.offset, strides: [])
    for (axis, extent) in extents.enumerated() where extent != 1 {
      append(extent, source.strides[axis], destination.strides[axis])
    }
    makeSourceRowsInner()
  }

  /// Makes the axis along which the source is contiguous the last but one, so the two inner loops
  /// read and write whole cache lines.
  private mutating func makeSourceRowsInner() {
    guard let axis = source.strides.firstIndex(where: { abs($0) == 1 }),
      axis < extents.count - 2
    else { return }
    let position = extents.count - 2
    extents.insert(extents.remove(at: axis), at: position)
    source.strides.insert(source.strides.remove(at: axis), at: position)
    destination.strides.insert(destination.strides.remove(at: axis), at: position)
  }

  private mutating func append(_ extent: Int, _ sourceStride: Int, _ destinationStride: Int) {
    if let last = extents.indices.last, source.strides[last] == sourceStride * extent,
      destination.strides[last] == destinationStride * extent
    {
      extents[last] *= extent
      source.strides[last] = sourceStride
      destination.strides[last] = destinationStride
    } else {
      extents.append(extent)
      source.strides.append(sourceStride)
      destination.strides.append(destinationStride)
    }
  }

  /// Whether both sides are contiguous and in the same order.
  package var isFlat: Bool {
    extents.isEmpty || (extents.count == 1 && source.strides == [1] && destination.strides == [1])
  }

  /// The number of elements copied.
  package var elementCount: Int { extents.reduce(1, *) }

  /// The number of elements that are copied between checks whether the run is stopped.
  static var elementsAtOnce: Int { 1 << 21 }

  /// Returns the copy as slices of at most `limit` elements, which may be done at the same time.
  ///
  /// Planes are divided last and along their longer side, so no slice has a slow shape.
  package func slices(ofAtMost limit: Int) -> [StridedCopy] {
    guard elementCount > limit, let last = extents.indices.last else { return [self] }
    let axis = last < 2 && extents[last] > extents[0] ? last : 0
    let half = max(extents[axis] / 2, 1)
    let first = slice(of: axis, 0..<half).slices(ofAtMost: limit)
    if half == extents[axis] { return first }
    return first + slice(of: axis, half..<extents[axis]).slices(ofAtMost: limit)
  }

  /// Returns the copy of a range of indices along an axis.
  private func slice(of axis: Int, _ indices: Range<Int>) -> StridedCopy {
    var extents = extents
    extents[axis] = indices.count
    var (source, destination) = (source, destination)
    source.offset += indices.lowerBound * source.strides[axis]
    destination.offset += indices.lowerBound * destination.strides[axis]
    return StridedCopy(extents: extents, source: source, destination: destination)
  }

  /// Returns the copy as at most `count` slices, which may be done at the same time.
  package func split(into count: Int) -> [StridedCopy] {
    guard let extent = extents.first, count > 1, extent > 1 else { return [self] }
    let sliceCount = min(count, extent)
    return (0..<sliceCount).map { slice in
      let (first, end) = (extent * slice / sliceCount, extent * (slice + 1) / sliceCount)
      var copy = self
      copy.extents[0] = end - first
      copy.source.offset += first * source.strides[0]
      copy.destination.offset += first * destination.strides[0]
      return copy
    }
  }
}

// MARK: Gaps

extension StridedCopy {
  /// Runs of contiguous elements at regular distances.
  package struct Runs: Sendable, Hashable {
    /// The number of elements in each run.
    package var length: Int
    /// The repetitions along each axis, and the position of the runs.
    package var extents: [Int]
    package var layout: Layout

    package var count: Int { extents.reduce(1, *) }
  }

  /// Returns the elements of a destination of `elementCount` elements that the copy does not write.
  ///
  /// - Returns: `nil` where the axes of the box are not nested in the destination.
  package func gaps(in elementCount: Int) -> [Runs]? {
    var gaps: [Runs] = []
    // The distance from the first element that the axes so far cover to the end of the last one.
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
