/// An order in which the axes of a tensor lie in memory, if it is not that of its shape.
package struct AxisOrder: Sendable, Equatable {
  /// For every axis in memory, outermost first, its index in the shape.
  private let axes: [Int]

  /// Makes an order from the indices of axes.
  ///
  /// - Returns: `nil` unless every axis occurs once.
  package init?(_ axes: [Int]) {
    guard axes.sorted() == Array(axes.indices) else { return nil }
    self.axes = axes
  }

  package var rank: Int { axes.count }

  package var isIdentity: Bool { axes == Array(axes.indices) }

  /// The order that reverses this one.
  package var inverse: Self {
    var inverse = axes
    for (position, axis) in axes.enumerated() { inverse[axis] = position }
    return Self(trusted: inverse)
  }

  private init(trusted axes: [Int]) { self.axes = axes }

  /// Returns the position in memory of an axis of the shape; `nil` if there is no such axis.
  package func position(of axis: Int) -> Int? { axes.firstIndex(of: axis) }

  /// Reorders one value for each axis of the shape into the order in memory.
  package func stored<Value>(_ values: [Value]) -> [Value] { axes.map { values[$0] } }
}
