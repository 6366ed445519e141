import OcellusImaging

/// One frame as the measures see it: identities as dense numbers, and who overlaps whom.
struct MOTFrame {
  /// An object and a track that overlap.
  struct Pair {
    var truth: Int
    var track: Int
    var overlap: Double
  }

  /// The objects in the frame.
  var truths: [Int] = []
  /// The judged tracks in the frame.
  var tracks: [Int] = []
  /// Overlapping ones, by their positions in `truths` and `tracks`, sorted by the first.
  var pairs: [Pair] = []

  /// The best pairs by a profit; those without profit are left out.
  func matches(by matching: inout Matching, profit: (Pair) -> Double) -> [Pair] {
    matching.begin(columns: tracks.count)
    var chosen: [Pair] = []
    var next = 0
    for truth in truths.indices {
      matching.addRow()
      while next < pairs.count, pairs[next].truth == truth {
        let value = profit(pairs[next])
        if value > 0 { matching.addPair(column: pairs[next].track, profit: value) }
        next += 1
      }
    }
    matching.solve()
    for pair in pairs where matching.columnOfRow[pair.truth] == pair.track { chosen.append(pair) }
    return chosen
  }
}

/// Identities as dense numbers, in the order of their first appearance.
struct DenseNumbering {
  private var numbers: [Int: Int] = [:]

  var count: Int { numbers.count }

  mutating func number(of id: Int) -> Int {
    if let number = numbers[id] { return number }
    numbers[id] = numbers.count
    return numbers.count - 1
  }
}
