/// The accuracy of an image classifier: top-1 and top-5.
public struct LabelingEvaluation: Sendable {
  /// The pictures of one class, and the numbers of right answers.
  public struct Counts: Hashable, Sendable {
    /// The number of pictures.
    public var pictures = 0
    /// The number of pictures whose first answer is right.
    public var first = 0
    /// The number of pictures with the right answer among the first five.
    public var firstFive = 0

    /// The share of pictures whose first answer is right; `nil` without pictures.
    public var top1: Double? { share(first) }
    /// The share of pictures with the right answer among the first five; `nil` without pictures.
    public var top5: Double? { share(firstFive) }

    private func share(_ count: Int) -> Double? {
      pictures > 0 ? Double(count) / Double(pictures) : nil
    }
  }

  /// The counts of each class.
  public private(set) var classes: [Counts]
  /// The number of pictures of one class (row) whose first answer was another (column).
  ///
  /// The last column is for no answer, and for names of unknown classes.
  public private(set) var confusion: [[Int]]

  /// Creates an empty evaluation for classes from 0 up to `categoryCount`.
  public init(categoryCount: Int) {
    classes = Array(repeating: Counts(), count: categoryCount)
    confusion = Array(
      repeating: Array(repeating: 0, count: categoryCount + 1), count: categoryCount)
  }

  /// The counts of all classes.
  public var all: Counts {
    classes.reduce(into: Counts()) { sum, counts in
      sum.pictures += counts.pictures
      sum.first += counts.first
      sum.firstFive += counts.firstFive
    }
  }

  /// Adds a picture with its class and its answers, best first; `nil` is an unknown class.
  public mutating func add(truth: Int, answers: [Int?]) {
    let first = answers.first ?? nil
    classes[truth].pictures += 1
    if first == truth { classes[truth].first += 1 }
    if answers.prefix(5).contains(truth) { classes[truth].firstFive += 1 }
    confusion[truth][first ?? classes.count] += 1
  }
}
