package import OcellusAudit
import OcellusEngine

/// How wide the bounds of a tensor are, and how a result lies in them.
package struct BoundsSummary: Sendable, Equatable {
  package var elementCount = 0
  /// The number of elements that may be anything, infinities and NaN included.
  package var unboundedCount = 0
  /// Half of the widest interval.
  package var widest = 0.0
  /// Half of the median interval, of those that are more than a single number.
  package var median = 0.0
  /// The largest magnitude of the result's finite elements, which relative widths refer to.
  package var largest = 0.0
  /// Half of the median interval, in units in the last place of its elements.
  package var medianUnits = 0.0
  /// The median of how far elements are from the middle of their intervals: 1 is at an end.
  ///
  /// It is `nil` if every interval is a single number.
  package var medianShare: Double?
  package var largestShare: Double?
  /// The number of elements outside of their intervals.
  package var outsideCount = 0
  /// The element that is furthest outside, in units in the last place of the nearest end.
  package var worst: Outside?

  /// An element outside of its interval.
  package struct Outside: Sendable, Equatable {
    package var element: Int
    package var value: Double
    package var low: Double
    package var high: Double
    /// The distance to the interval; infinite for a NaN.
    package var distance: Double
    package var units: Double
  }

  package var widestRelative: Double { largest > 0 ? widest / largest : 0 }
  package var medianRelative: Double { largest > 0 ? median / largest : 0 }

  /// - Returns: `nil` if the result has other extents or another type, or no numbers.
  package init?(of bounds: BoundedTensor, around result: StoredTensor) {
    guard bounds.type == result.type, bounds.shape == result.shape,
      bounds.low.bytes.count == result.bytes.count
    else { return nil }
    guard let format = result.format else {
      // Strings and the like are the same, or not.
      guard bounds.isExact else { return nil }
      elementCount = result.shape.elementCount
      outsideCount = bounds.low.bytes == result.bytes ? 0 : elementCount
      return
    }
    elementCount = result.bytes.count / format.size
    if bounds.isExact, bounds.low.bytes == result.bytes {
      largest = Self.numbers(result, format).filter(\.isFinite).map { abs($0) }.max() ?? 0
      return
    }
    add(
      Self.numbers(bounds.low, format), Self.numbers(bounds.high, format),
      Self.numbers(result, format), isFloating: format.isFloating)
  }

  private static func numbers(_ tensor: StoredTensor, _ format: NumberFormat) -> [Double] {
    tensor.bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: format.size).map { format.number(in: bytes, at: $0) }
    }
  }

  private mutating func add(
    _ lows: [Double], _ highs: [Double], _ results: [Double], isFloating: Bool
  ) {
    var (widths, units, shares) = ([Double](), [Double](), [Double]())
    for (index, value) in results.enumerated() {
      let interval = Interval(low: lows[index], high: highs[index])
      if value.isFinite { largest = max(largest, abs(value)) }
      if interval == .anything {
        unboundedCount += 1
        continue
      }
      let half = (interval.high - interval.low) / 2
      if half.isFinite, half > 0 {
        widths.append(half)
        units.append(half / (isFloating ? Float32Rounding.unit(at: interval.center) : 1))
        if value.isFinite { shares.append(abs(value - interval.center) / half) }
      }
      let isSameOddity = interval.low.isNaN && value.isNaN
      if !interval.contains(value), !isSameOddity {
        addOutside(value, at: index, interval, isFloating: isFloating)
      }
    }
    (widest, median) = (widths.max() ?? 0, widths.median ?? 0)
    medianUnits = units.median ?? 0
    (medianShare, largestShare) = (shares.median, shares.max())
  }

  private mutating func addOutside(
    _ value: Double, at element: Int, _ interval: Interval, isFloating: Bool
  ) {
    outsideCount += 1
    let end = value < interval.low ? interval.low : interval.high
    let distance = value.isFinite && end.isFinite ? abs(value - end) : .infinity
    let units = distance / (isFloating ? Float32Rounding.unit(at: end) : 1)
    guard units > worst?.units ?? -1 else { return }
    worst = Outside(
      element: element, value: value, low: interval.low, high: interval.high, distance: distance,
      units: units)
  }
}

extension [Double] {
  /// The element in the middle; `nil` if there are none.
  fileprivate var median: Double? { isEmpty ? nil : sorted()[count / 2] }
}
