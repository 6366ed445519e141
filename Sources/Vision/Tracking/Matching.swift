/// A bipartite matching of rows and columns with the largest sum of profits.
///
/// Rows and columns may stay unmatched; a pair that was not added is impossible. The algorithm is
/// that of shortest augmenting paths with dual prices (Jonker and Volgenant 1987) on a sparse
/// matrix: most rows of a picture have one or two candidates, and take a free one at once. The
/// worst case is cubic.
package struct Matching {
  /// The value for no column or no row.
  package static let none = -1

  /// The column of each row, or `none`.
  package private(set) var columnOfRow: [Int] = []
  /// The row of each column, or `none`.
  package private(set) var rowOfColumn: [Int] = []

  private var firstPair: [Int] = []
  private var columns: [Int] = []
  private var costs: [Double] = []

  private var rowPrice: [Double] = []
  private var columnPrice: [Double] = []
  private var distance: [Double] = []
  private var previousRow: [Int] = []
  private var isSettled: [Bool] = []
  private var touched: [Int] = []

  package init() {}

  /// Starts a new problem with no rows.
  package mutating func begin(columns count: Int) {
    firstPair.removeAll(keepingCapacity: true)
    columns.removeAll(keepingCapacity: true)
    costs.removeAll(keepingCapacity: true)
    columnOfRow.removeAll(keepingCapacity: true)
    rowPrice.removeAll(keepingCapacity: true)
    rowOfColumn.refill(with: Self.none, count: count)
    columnPrice.refill(with: 0, count: count)
    distance.refill(with: .infinity, count: count)
    previousRow.refill(with: Self.none, count: count)
    isSettled.refill(with: false, count: count)
  }

  /// Adds a row; the pairs added next belong to it.
  package mutating func addRow() {
    firstPair.append(columns.count)
    columnOfRow.append(Self.none)
    rowPrice.append(0)
  }

  /// Adds a pair of the last row and a column, with a positive profit.
  package mutating func addPair(column: Int, profit: Double) {
    columns.append(column)
    costs.append(-profit)
  }

  /// Finds the optimal pairs.
  package mutating func solve() {
    firstPair.append(columns.count)
    for row in columnOfRow.indices { augment(from: row) }
  }

  /// Matches `start` with a column, or leaves some row unmatched, along the shortest path.
  private mutating func augment(from start: Int) {
    var row = start
    var rowDistance = 0.0
    // An unmatched row costs nothing, so the path may end at any row that it reaches.
    var bestEnd = (distance: -rowPrice[start], row: start)
    var freeColumn = Self.none
    while true {
      relax(row, at: rowDistance)
      let column = nearestColumn()
      guard column != Self.none, distance[column] < bestEnd.distance else { break }
      rowDistance = distance[column]
      isSettled[column] = true
      guard rowOfColumn[column] != Self.none else {
        freeColumn = column
        break
      }
      row = rowOfColumn[column]
      if rowDistance - rowPrice[row] < bestEnd.distance {
        bestEnd = (rowDistance - rowPrice[row], row)
      }
    }
    updatePrices(start: start, length: freeColumn == Self.none ? bestEnd.distance : rowDistance)
    flip(start: start, freeColumn: freeColumn, loneRow: bestEnd.row)
    for column in touched {
      distance[column] = .infinity
      isSettled[column] = false
    }
    touched.removeAll(keepingCapacity: true)
  }

  private mutating func relax(_ row: Int, at rowDistance: Double) {
    for pair in firstPair[row]..<firstPair[row + 1] {
      let column = columns[pair]
      guard !isSettled[column] else { continue }
      let length = rowDistance + costs[pair] - rowPrice[row] - columnPrice[column]
      guard length < distance[column] else { continue }
      if distance[column] == .infinity { touched.append(column) }
      distance[column] = length
      previousRow[column] = row
    }
  }

  private func nearestColumn() -> Int {
    var nearest = Self.none
    var minimum = Double.infinity
    for column in touched where !isSettled[column] && distance[column] < minimum {
      minimum = distance[column]
      nearest = column
    }
    return nearest
  }

  /// Updates the prices: reduced costs stay at or above zero, and at zero for matched pairs.
  private mutating func updatePrices(start: Int, length: Double) {
    rowPrice[start] += length
    for column in touched where isSettled[column] && distance[column] < length {
      let slack = length - distance[column]
      columnPrice[column] -= slack
      let row = rowOfColumn[column]
      if row != Self.none { rowPrice[row] += slack }
    }
  }

  /// Exchanges matched and unmatched pairs along the path.
  ///
  /// It ends at a free column, or at a row that becomes unmatched.
  private mutating func flip(start: Int, freeColumn: Int, loneRow: Int) {
    var column = freeColumn
    if column == Self.none {
      column = columnOfRow[loneRow]
      columnOfRow[loneRow] = Self.none
    }
    while column != Self.none {
      let row = previousRow[column]
      let next = columnOfRow[row]
      columnOfRow[row] = column
      rowOfColumn[column] = row
      column = row == start ? Self.none : next
    }
  }
}

extension Array {
  /// Replaces the contents by `count` copies of `element` and keeps the capacity.
  mutating func refill(with element: Element, count: Int) {
    removeAll(keepingCapacity: true)
    for _ in 0..<count { append(element) }
  }
}
