package import OcellusImaging
import OcellusPlatform

/// A box of which only the range of each edge is known.
package struct BoxRange: Sendable, Equatable {
  /// The smallest value that each edge can have.
  package private(set) var low: BoundingBox
  /// The largest.
  package private(set) var high: BoundingBox

  package init(_ box: BoundingBox) {
    (low, high) = (box, box)
    include(box)
  }

  package init(low: BoundingBox, high: BoundingBox) { (self.low, self.high) = (low, high) }

  static let edges: [any WritableKeyPath<BoundingBox, Double> & Sendable] = [
    \.left, \.top, \.right, \.bottom,
  ]

  /// Widens the range so that a box is inside; a box that is no box may be anything.
  mutating func include(_ box: BoundingBox) {
    for edge in Self.edges {
      let value = box[keyPath: edge]
      low[keyPath: edge] = value.isFinite ? min(low[keyPath: edge], value) : -.infinity
      high[keyPath: edge] = value.isFinite ? max(high[keyPath: edge], value) : .infinity
    }
  }

  /// Returns the range with a margin for rounding, relative to the larger of the edge and 1.
  func widened(by margin: Double) -> BoxRange {
    var wide = self
    let size = max(high.right - low.left, high.bottom - low.top, 1)
    for edge in Self.edges {
      wide.low[keyPath: edge] -= margin * max(abs(low[keyPath: edge]), size)
      wide.high[keyPath: edge] += margin * max(abs(high[keyPath: edge]), size)
    }
    return wide
  }

  /// Returns the range after a change of coordinates that keeps the order of numbers.
  func mapped(_ change: (BoundingBox) -> BoundingBox) -> BoxRange {
    guard isFinite else { return self }
    return BoxRange(low: change(low), high: change(high))
  }

  var isFinite: Bool {
    Self.edges.allSatisfy { low[keyPath: $0].isFinite && high[keyPath: $0].isFinite }
  }

  /// The most that an edge may be off from the middle of its range.
  package var reach: Double {
    Self.edges.map { (high[keyPath: $0] - low[keyPath: $0]) / 2 }.max() ?? 0
  }

  /// The smallest and the largest box.
  private var smallest: BoundingBox {
    BoundingBox(left: high.left, top: high.top, right: low.right, bottom: low.bottom)
  }
  private var largest: BoundingBox {
    BoundingBox(left: low.left, top: low.top, right: high.right, bottom: high.bottom)
  }

  /// Whether every box has an area, and every edge is in a range.
  func isProper(within range: ClosedRange<Double>) -> Bool {
    smallest.width > 0 && smallest.height > 0
      && Self.edges.allSatisfy {
        range.contains(low[keyPath: $0]) && range.contains(high[keyPath: $0])
      }
  }

  /// Whether every box has something of a region.
  func certainlyMeets(_ region: BoundingBox) -> Bool {
    let common = smallest.intersection(region)
    return common.width > 0 && common.height > 0
  }

  /// Returns the range of the overlap with another box, as intersection over union.
  ///
  /// `margin` is for the rounding of the overlap itself.
  package func overlap(with other: BoxRange, margin: Double = 1e-9) -> ClosedRange<Double> {
    let most = largest.intersection(other.largest).area
    let least = smallest.intersection(other.smallest).area
    let areas = (smallest.area, other.smallest.area)
    let smallestUnion = max(areas.0 + areas.1 - most, areas.0, areas.1)
    let largestUnion = largest.area + other.largest.area - least
    let high = most <= 0 ? 0 : smallestUnion > 0 ? min(most / smallestUnion, 1) : 1
    let low = least > 0 && largestUnion.isFinite ? min(least / largestUnion, high) : 0
    return max(low - margin, 0)...(high > 0 ? high + margin : 0)
  }
}
