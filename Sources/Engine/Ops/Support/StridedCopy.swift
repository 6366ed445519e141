/// A copy of a box of elements between two places that both follow regular strides.
///
/// What only moves elements (slices, joins, transposes, reversals, repetitions, diagonals) is one
/// of these, or a few. It never looks into the elements, so their width is all it must know.
package struct StridedCopy: Sendable {
  /// Where the elements of a box lie, counted in elements from the start of a tensor.
  package struct Layout: Sendable, Hashable {
    package var offset: Int
    /// The distances between neighbours along each axis; negative ones run backwards, zero
    /// repeats an element.
    package var strides: [Int]

    package init(offset: Int = 0, strides: [Int]) {
      self.offset = offset
      self.strides = strides
    }

    /// All of a row-major tensor.
    package init(_ shape: Shape) {
      self.init(strides: shape.strides)
    }
  }

  /// The box, without axes of one element, and with axes joined that both sides step through
  /// alike.
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

  /// The number of elements copied.
  package var elementCount: Int { extents.reduce(1, *) }

  /// Copies elements of 1, 2, 4, 8 or 16 bytes.
  ///
  /// The places may belong to one tensor if the boxes do not overlap. Without elements to copy
  /// there need not be any memory.
  package func run(
    from input: UnsafeRawPointer?, to output: UnsafeMutableRawPointer?, elementWidth: Int
  ) {
    guard elementCount > 0, let input, let output else { return }
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

  /// Wide elements as memory has them: aligned to 8, which is all that constants promise.
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
    guard axis < extents.count else {
      output.pointee = input.pointee
      return
    }
    let (extent, inputStride) = (extents[axis], source.strides[axis])
    let outputStride = destination.strides[axis]
    if axis < extents.count - 1 {
      for index in 0..<extent {
        copy(axis: axis + 1, from: input + index * inputStride, to: output + index * outputStride)
      }
    } else if inputStride == 1 && outputStride == 1 {
      output.update(from: input, count: extent)
    } else {
      for index in 0..<extent { output[index * outputStride] = input[index * inputStride] }
    }
  }
}
