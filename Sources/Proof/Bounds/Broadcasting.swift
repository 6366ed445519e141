/// Where the elements of a result come from in an operand that is repeated along some axes.
struct Broadcasting {
  private let extents: [Int]
  private let strides: [Int]
  private let isWhole: Bool

  /// - Returns: `nil` if the operand does not fit the result.
  init?(_ operand: [Int], to result: [Int]) {
    guard operand.count <= result.count else { return nil }
    let padded = Array(repeating: 1, count: result.count - operand.count) + operand
    var (strides, step) = ([Int](repeating: 0, count: result.count), 1)
    for axis in result.indices.reversed() {
      guard padded[axis] == result[axis] || padded[axis] == 1 else { return nil }
      strides[axis] = padded[axis] == 1 ? 0 : step
      step *= padded[axis]
    }
    (extents, self.strides) = (result, strides)
    isWhole = padded == result
  }

  /// Returns the operand's element that belongs to one of the result.
  func source(of index: Int) -> Int {
    if isWhole { return index }
    var (rest, source) = (index, 0)
    for axis in extents.indices.reversed() {
      source += rest % extents[axis] * strides[axis]
      rest /= extents[axis]
    }
    return source
  }
}
