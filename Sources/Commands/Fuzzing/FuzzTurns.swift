/// Which mutant of which model each piece of the work is.
struct FuzzTurns {
  private static let defaultCount = 10_000

  /// How many mutants there are.
  let count: Int
  private let subjectCount: Int
  /// Where the mutants of each model end, if there are so many of each that are wanted; empty where models take
  /// turns.
  private let ends: [Int]

  /// `count` is that of mutants in all; `nil` stands for every single change, where that is known.
  init(_ subjects: [FuzzSubject], count: Int?) {
    self.init(singleChangeCounts: subjects.map(\.singleChangeCount), count: count)
  }

  init(singleChangeCounts counts: [Int?], count: Int?) {
    subjectCount = counts.count
    var ends: [Int] = []
    for case let count? in counts { ends.append((ends.last ?? 0) + count) }
    self.ends = count == nil && ends.count == counts.count ? ends : []
    self.count = count ?? self.ends.last ?? Self.defaultCount
  }

  /// The model and the number of the mutant among those of the model.
  subscript(piece: Int) -> (subject: Int, mutant: Int) {
    guard !ends.isEmpty else { return (piece % subjectCount, piece / subjectCount) }
    var (low, high) = (0, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if piece < ends[middle] { high = middle } else { low = middle + 1 }
    }
    return (low, piece - (low == 0 ? 0 : ends[low - 1]))
  }
}
