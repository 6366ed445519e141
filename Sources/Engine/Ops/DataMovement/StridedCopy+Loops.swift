extension StridedCopy {
  /// Copies elements of 1, 2, 4, 8 or 16 bytes.
  ///
  /// Input and output may be one tensor if the boxes do not overlap. Without elements to copy,
  /// there need not be any memory. A large copy ends early when the run is stopped.
  package func run(
    from input: UnsafeRawPointer?, to output: UnsafeMutableRawPointer?, elementWidth: Int,
    _ control: RunControl? = nil
  ) {
    guard elementCount > 0, let input, let output else { return }
    if control == nil || elementCount <= Self.elementsAtOnce {
      return run(from: input, to: output, elementWidth)
    }
    for slice in slices(ofAtMost: Self.elementsAtOnce) {
      if control?.isOver == true { return }
      slice.run(from: input, to: output, elementWidth)
    }
  }

  private func run(
    from input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, _ elementWidth: Int
  ) {
    switch elementWidth {
    case 1: run(from: input, to: output, as: UInt8.self)
    case 2: run(from: input, to: output, as: UInt16.self)
    case 4: run(from: input, to: output, as: UInt32.self)
    case 8: run(from: input, to: output, as: UInt64.self)
    default:
      assert(elementWidth == 16)
      run(from: input, to: output, as: SixteenBytes.self)
    }
  }

  /// 16-byte elements with the alignment of 8 that constants have.
  private struct SixteenBytes: BitwiseCopyable {
    var low: UInt64
    var high: UInt64
  }

  private func run<Element: BitwiseCopyable>(
    from input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, as _: Element.Type
  ) {
    copy(
      axis: 0, from: input.assumingMemoryBound(to: Element.self) + source.offset,
      to: output.assumingMemoryBound(to: Element.self) + destination.offset)
  }

  private func copy<Element: BitwiseCopyable>(
    axis: Int, from input: UnsafePointer<Element>, to output: UnsafeMutablePointer<Element>
  ) {
    let rest = extents.count - axis
    if rest == 0 {
      output.pointee = input.pointee
    } else if rest == 1 {
      copyRow(from: input, to: output)
    } else if rest == 2 && !self.axis(axis + 1).isRow {
      copyPlane(from: input, to: output)
    } else {
      let (inputStride, outputStride) = (source.strides[axis], destination.strides[axis])
      for index in 0..<extents[axis] {
        copy(axis: axis + 1, from: input + index * inputStride, to: output + index * outputStride)
      }
    }
  }

  /// Copies along the last axis.
  private func copyRow<Element: BitwiseCopyable>(
    from input: UnsafePointer<Element>, to output: UnsafeMutablePointer<Element>
  ) {
    let row = axis(extents.count - 1)
    if !row.isRow {
      row.copyElements(from: input, to: output, count: row.extent)
    } else if row.inputStep == 1 {
      output.update(from: input, count: row.extent)
    } else {
      row.copyBackwards(from: input, to: output)
    }
  }

  /// Copies along the last two axes, in tiles whose rows on both sides stay in the cache.
  ///
  /// A plane of small extent along one axis is copied row by row along the other.
  private func copyPlane<Element: BitwiseCopyable>(
    from input: UnsafePointer<Element>, to output: UnsafeMutablePointer<Element>
  ) {
    let (rows, columns) = (axis(extents.count - 2), axis(extents.count - 1))
    let smallExtent = 8
    if columns.extent <= smallExtent {
      rows.copyTiles(from: input, to: output, across: columns, tileExtent: rows.extent)
    } else if rows.extent <= smallExtent {
      columns.copyTiles(from: input, to: output, across: rows, tileExtent: columns.extent)
    } else {
      let tileExtent = MemoryLayout<Element>.stride <= 2 ? 32 : 16
      rows.copyTiles(from: input, to: output, across: columns, tileExtent: tileExtent)
    }
  }

  private func axis(_ index: Int) -> Axis {
    Axis(
      extent: extents[index], inputStep: source.strides[index],
      outputStep: destination.strides[index])
  }
}

/// One axis of a box: its extent, and its steps on both sides.
private struct Axis {
  var extent: Int
  var inputStep: Int
  var outputStep: Int

  /// Whether both sides are contiguous; the source may be read backwards.
  var isRow: Bool { (inputStep == 1 || inputStep == -1) && outputStep == 1 }

  /// Copies a row whose first element is the last in memory.
  func copyBackwards<Element: BitwiseCopyable>(
    from input: UnsafePointer<Element>, to output: UnsafeMutablePointer<Element>
  ) {
    let first = input - (extent - 1)
    for index in 0..<extent { output[index] = first[extent &- 1 &- index] }
  }

  /// Copies a plane by square tiles, in rows along this axis.
  ///
  /// Not inlined: three inlined copies of it ran at a third of the speed.
  @inline(never)
  func copyTiles<Element: BitwiseCopyable>(
    from input: UnsafePointer<Element>, to output: UnsafeMutablePointer<Element>,
    across other: Axis, tileExtent: Int
  ) {
    for first in stride(from: 0, to: extent, by: tileExtent) {
      let count = min(tileExtent, extent - first)
      let (from, to) = (input + first * inputStep, output + first * outputStep)
      for firstRow in stride(from: 0, to: other.extent, by: tileExtent) {
        for row in firstRow..<min(firstRow + tileExtent, other.extent) {
          copyElements(
            from: from + row * other.inputStep, to: to + row * other.outputStep, count: count)
        }
      }
    }
  }

  /// Copies some elements along this axis.
  @inline(__always)
  func copyElements<Element: BitwiseCopyable>(
    from input: UnsafePointer<Element>, to output: UnsafeMutablePointer<Element>, count: Int
  ) {
    var (from, to) = (input, output)
    for _ in 0..<count {
      to.pointee = from.pointee
      from += inputStep
      to += outputStep
    }
  }
}
