/// The extents of a tensor, outermost first; a scalar has none.
public struct Shape: Sendable, Hashable {
  /// The extents, outermost first.
  public var dimensions: [Int]

  /// Makes a shape of the given extents.
  public init(_ dimensions: [Int]) {
    self.dimensions = dimensions
  }

  /// The number of extents.
  public var rank: Int { dimensions.count }

  /// The number of elements; a scalar has one.
  public var elementCount: Int { product(of: 0..<rank) }

  /// Returns the product of some of the extents, such as of all extents before an axis.
  package func product(of axes: Range<Int>) -> Int {
    var product = 1
    for axis in axes { product *= dimensions[axis] }
    return product
  }

  /// The extent at `axis`, which may count from the end (-1 is the last).
  public subscript(axis: Int) -> Int {
    get { dimensions[axis < 0 ? axis + rank : axis] }
    set { dimensions[axis < 0 ? axis + rank : axis] = newValue }
  }

  /// The row-major distances, in elements, between neighbours along each axis.
  package var strides: [Int] {
    var strides = [Int](repeating: 1, count: rank)
    for axis in stride(from: rank - 2, through: 0, by: -1) {
      strides[axis] = strides[axis + 1] * dimensions[axis + 1]
    }
    return strides
  }

  /// The limit on the product of all extents, counting an extent of 0 as 1.
  ///
  /// Below it no product of extents, in elements or bytes, can overflow, so code after the
  /// planner's check can multiply without checking for overflow.
  package static let largestElementCount = 1 << 40

  /// The limit on the number of extents; the official runtime's kernels stop at 8.
  package static let largestRank = 32

  /// Whether every extent is non-negative and all products of extents stay below the limit.
  package var isReasonable: Bool {
    guard rank <= Self.largestRank else { return false }
    var product = 1
    for extent in dimensions {
      guard extent >= 0, extent <= Int(Int32.max) else { return false }
      guard product <= Self.largestElementCount / max(extent, 1) else { return false }
      product *= max(extent, 1)
    }
    return true
  }
}

extension Shape: ExpressibleByArrayLiteral {
  /// Makes a shape from a list of extents.
  public init(arrayLiteral elements: Int...) {
    self.init(elements)
  }
}

extension Shape: CustomStringConvertible {
  /// The extents between brackets, such as `[1, 224, 224, 3]`.
  public var description: String { "\(dimensions)" }
}
