/// Assigns the work items to models and their mutants.
package struct MutantSchedule {
  private static let defaultCount = 10_000

  /// The number of mutants.
  package let count: Int
  private let subjectCount: Int
  /// The end of each model's mutants for single changes; empty if models alternate.
  private let ends: [Int]

  /// Creates a schedule of `count` mutants of models; `nil` requests every mutant that has a single
  /// change, if each model has a finite number of them.
  package init(singleChangeCounts counts: [Int?], count: Int?) {
    subjectCount = counts.count
    var ends: [Int] = []
    for case let count? in counts { ends.append((ends.last ?? 0) + count) }
    self.ends = count == nil && ends.count == counts.count ? ends : []
    self.count = count ?? self.ends.last ?? Self.defaultCount
  }

  /// Returns the model of a work item and the number of the mutant of this model.
  package subscript(item: Int) -> (subject: Int, mutant: Int) {
    guard !ends.isEmpty else { return (item % subjectCount, item / subjectCount) }
    var (low, high) = (0, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if item < ends[middle] { high = middle } else { low = middle + 1 }
    }
    return (low, item - (low == 0 ? 0 : ends[low - 1]))
  }
}
