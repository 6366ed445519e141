/// A grid of values with bilinear interpolation.
struct HeatMap {
  let values: [Float]
  let columns: Int

  /// Returns the value at a position, given in fractions of the grid, interpolated from four cells.
  func value(x: Double, y: Double) -> Double {
    let rows = values.count / columns
    let (column, right) = Self.locate(x, columns)
    let (row, lower) = Self.locate(y, rows)
    func at(_ row: Int, _ column: Int) -> Double {
      let value = values[min(row, rows - 1) * columns + min(column, columns - 1)]
      return Double(min(max(value.isFinite ? value : 0, 0), 1))
    }
    let above = at(row, column) * (1 - right) + at(row, column + 1) * right
    let below = at(row + 1, column) * (1 - right) + at(row + 1, column + 1) * right
    return above * (1 - lower) + below * lower
  }

  /// Returns the cell whose centre precedes a position, and the fractional distance to the next.
  private static func locate(_ fraction: Double, _ count: Int) -> (cell: Int, share: Double) {
    let position = min(max(fraction * Double(count) - 0.5, 0), Double(count - 1))
    let cell = Int(position)
    return (cell, position - Double(cell))
  }

  /// Returns the colour of a value: blue at 0, then green and yellow, and red at 1.
  static func color(_ value: Double) -> Color {
    Color(hue: 240 * (1 - min(max(value, 0), 1)), saturation: 1, value: 1)
  }
}
