import OcellusTestSupport
import OcellusVision
import Testing

@Suite struct MatchingTests {
  /// Returns the largest sum of profits over all assignments of the rows from `row` on.
  private func bestSum(_ profits: [[Double?]], row: Int = 0, taken: Set<Int> = []) -> Double {
    guard row < profits.count else { return 0 }
    var best = bestSum(profits, row: row + 1, taken: taken)
    for (column, profit) in profits[row].enumerated() where !taken.contains(column) {
      guard let profit else { continue }
      best = max(best, profit + bestSum(profits, row: row + 1, taken: taken.union([column])))
    }
    return best
  }

  private func solve(_ profits: [[Double?]], columns: Int, with matching: inout Matching) {
    matching.begin(columns: columns)
    for row in profits {
      matching.addRow()
      for (column, profit) in row.enumerated() {
        if let profit { matching.addPair(column: column, profit: profit) }
      }
    }
    matching.solve()
  }

  /// Matchings of up to 6 × 6 pairs are as good as the best by exhaustive search, and rows and
  /// columns agree on the pairs.
  @Test func noPairingIsBetter() throws {
    var random = SeededGenerator(seed: 7)
    var matching = Matching()
    for _ in 0..<2000 {
      let columns = Int.random(in: 0...6, using: &random)
      let density = Double.random(in: 0.2...1, using: &random)
      // The profits take only eight values, because ties are where augmenting paths go wrong.
      let profits: [[Double?]] = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        (0..<columns).map { _ in
          Double.random(in: 0...1, using: &random) < density
            ? Double(Int.random(in: 1...8, using: &random)) / 8 : nil
        }
      }
      solve(profits, columns: columns, with: &matching)
      var sum = 0.0
      for (row, column) in matching.columnOfRow.enumerated() where column != Matching.none {
        sum += try #require(profits[row][column])
        #expect(matching.rowOfColumn[column] == row)
      }
      #expect(
        matching.rowOfColumn.filter { $0 != Matching.none }.count
          == matching.columnOfRow.filter { $0 != Matching.none }.count)
      #expect(abs(sum - bestSum(profits)) < 1e-12)
    }
  }

  /// A greedy choice for the first row would leave the second one unmatched.
  @Test func twoPairsMayBeWorthMoreThanTheBestOne() {
    var matching = Matching()
    solve([[0.9, 0.8], [0.7, nil]], columns: 2, with: &matching)
    #expect(matching.columnOfRow == [1, 0])
  }

  /// The worst case: every row has the same profit in every column.
  @Test func manyEqualPairsAreAllFound() {
    var matching = Matching()
    var profits: [[Double?]] = []
    for row in 0..<200 {
      profits.append((0..<200).map { column in Double((row * 7 + column * 13) % 50 + 1) })
    }
    solve(profits, columns: 200, with: &matching)
    #expect(Set(matching.columnOfRow).count == 200)
    #expect(!matching.columnOfRow.contains(Matching.none))
  }
}
