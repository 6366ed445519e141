/// The padding of one axis in StableHLO: between its elements and at both ends, where negative
/// padding removes elements.
package struct AxisPadding: Sendable, Hashable {
  package var low: Int
  package var high: Int
  /// The number of elements between two neighbours.
  package var interior: Int

  package init(low: Int = 0, high: Int = 0, interior: Int = 0) {
    self.low = low
    self.high = high
    self.interior = interior
  }

  /// Whether the padding makes sense, and extents can be computed without overflow.
  package var isReasonable: Bool {
    let range = -Int(Int32.max)...Int(Int32.max)
    return range.contains(low) && range.contains(high) && interior >= 0
      && range.contains(interior)
  }

  /// The distance, in the result, between neighbours of the operand.
  package var step: Int { interior + 1 }

  /// Returns the extent of the result; not positive where all elements are removed.
  package func padded(_ extent: Int) -> Int {
    low + high + (extent > 0 ? (extent - 1) * step + 1 : 0)
  }

  /// Returns the elements of the operand that are kept.
  package func kept(of extent: Int) -> Range<Int> {
    let first = low < 0 ? (-low + step - 1) / step : 0
    let lastOffset = padded(extent) - 1 - low
    let end = lastOffset < 0 ? 0 : min(extent, lastOffset / step + 1)
    return first < end ? first..<end : 0..<0
  }

  /// Returns the position in the operand for a position in the result, or `nil` in the padding.
  package func source(of position: Int, extent: Int) -> Int? {
    let distance = position - low
    guard distance >= 0, distance % step == 0, distance / step < extent else { return nil }
    return distance / step
  }
}

extension [AxisPadding] {
  /// Returns the copy of a tensor's kept elements to their positions in the padded tensor.
  package func placing(_ operand: Shape, in result: Shape) -> StridedCopy {
    var source = StridedCopy.Layout(operand)
    var destination = StridedCopy.Layout(result)
    var extents: [Int] = []
    for (axis, padding) in enumerated() {
      let kept = padding.kept(of: operand[axis])
      extents.append(kept.count)
      source.offset += kept.lowerBound * source.strides[axis]
      destination.offset +=
        (padding.low + kept.lowerBound * padding.step) * destination.strides[axis]
      destination.strides[axis] *= padding.step
    }
    return StridedCopy(extents: extents, source: source, destination: destination)
  }
}
