import OcellusImaging

/// One frame for evaluation: objects and tracks with dense identities, and their overlaps.
struct MOTFrame {
  /// An object and a track that overlap.
  struct Pair {
    var truth: Int
    var track: Int
    var overlap: Double
  }

  /// The objects in the frame.
  var truths: [Int] = []
  /// The tracks in the frame that are evaluated.
  var tracks: [Int] = []
  /// The overlapping pairs, by indices into `truths` and `tracks`, sorted by the first.
  var pairs: [Pair] = []

  /// Returns the pairs with the largest total profit; pairs without profit are left out.
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

/// Dense numbers for identities, in the order of their first appearance.
struct DenseNumbering {
  private var numbers: [Int: Int] = [:]

  var count: Int { numbers.count }

  mutating func number(of id: Int) -> Int {
    if let number = numbers[id] { return number }
    numbers[id] = numbers.count
    return numbers.count - 1
  }
}
