/// An order in which the axes of a tensor may lie in memory, other than that of its shape.
package struct AxisOrder: Sendable, Equatable {
  /// For every axis in memory, outermost first, its number in the shape.
  private let axes: [Int]

  /// - Returns: `nil` unless every axis is named once.
  package init?(_ axes: [Int]) {
    guard axes.sorted() == Array(axes.indices) else { return nil }
    self.axes = axes
  }

  package var rank: Int { axes.count }

  package var isIdentity: Bool { axes == Array(axes.indices) }

  /// The order that undoes this one.
  package var inverse: Self {
    var inverse = axes
    for (position, axis) in axes.enumerated() { inverse[axis] = position }
    return Self(trusted: inverse)
  }

  private init(trusted axes: [Int]) { self.axes = axes }

  /// Where an axis of the shape lies in memory; `nil` if there is none of this number.
  package func position(of axis: Int) -> Int? { axes.firstIndex(of: axis) }

  /// Something for every axis of the shape, in the order in memory.
  package func stored<Value>(_ values: [Value]) -> [Value] { axes.map { values[$0] } }
}
