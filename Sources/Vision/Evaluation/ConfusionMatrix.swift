/// A confusion matrix of detections: how often objects of one class are detected as another.
public struct ConfusionMatrix: Sendable {
  /// The errors in the detections of one picture.
  public struct Mistakes: Hashable, Sendable {
    /// The objects without a detection.
    public var missed = 0
    /// The detections without an object, including duplicates.
    public var surplus = 0
    /// The objects that were detected as another class.
    public var confused = 0

    /// The number of all errors.
    public var count: Int { missed + surplus + confused }
  }

  /// The score threshold of the detections.
  public let scoreThreshold: Double
  /// The smallest overlap of a detection with its object.
  public let overlap: Double
  /// The number of objects of one class (row) that were detected as another (column).
  ///
  /// The last row counts detections without an object, the last column objects that were not
  /// detected.
  public private(set) var counts: [[Int]]

  private var nothing: Int { counts.count - 1 }

  /// Creates an empty matrix for classes from 0 up to `categoryCount`.
  public init(categoryCount: Int, scoreThreshold: Double = 0.25, overlap: Double = 0.5) {
    self.scoreThreshold = scoreThreshold
    self.overlap = overlap
    let row = [Int](repeating: 0, count: categoryCount + 1)
    counts = Array(repeating: row, count: categoryCount + 1)
  }

  /// Adds a picture; pairs are chosen by their overlap, independently of the classes.
  @discardableResult
  public mutating func add(truth: [AnnotatedObject], found: [ScoredObject]) -> Mistakes {
    let objects = truth.filter { $0.kind == .object }
    let found = found.filter { $0.score >= scoreThreshold }
    let pairs = pairs(of: objects, and: found)
    let unjudged = truth.filter { $0.kind != .object }
    var mistakes = Mistakes()
    for (object, index) in zip(objects, pairs) {
      let column = index.map { found[$0].category }
      counts[object.category][column ?? nothing] += 1
      if column == nil { mistakes.missed += 1 }
      if let column, column != object.category { mistakes.confused += 1 }
    }
    let paired = Set(pairs.compactMap(\.self))
    for index in found.indices where !paired.contains(index) && !isOn(unjudged, found[index]) {
      counts[nothing][found[index].category] += 1
      mistakes.surplus += 1
    }
    return mistakes
  }

  /// Returns the index of each object's detection, if there is one.
  private func pairs(of objects: [AnnotatedObject], and found: [ScoredObject]) -> [Int?] {
    var candidates: [(overlap: Double, isRight: Bool, object: Int, found: Int)] = []
    for (objectIndex, object) in objects.enumerated() {
      for (index, detection) in found.enumerated() {
        let share = detection.box.overlap(with: object.box)
        guard share >= overlap else { continue }
        candidates.append((share, detection.category == object.category, objectIndex, index))
      }
    }
    candidates.sort {
      ($0.overlap, $0.isRight ? 1 : 0, $1.object, $1.found)
        > ($1.overlap, $1.isRight ? 1 : 0, $0.object, $0.found)
    }
    var pairs = [Int?](repeating: nil, count: objects.count)
    var isTaken = [Bool](repeating: false, count: found.count)
    for candidate in candidates where pairs[candidate.object] == nil && !isTaken[candidate.found] {
      pairs[candidate.object] = candidate.found
      isTaken[candidate.found] = true
    }
    return pairs
  }

  /// Whether a detection lies on a crowd or a difficult object.
  private func isOn(_ unjudged: [AnnotatedObject], _ detection: ScoredObject) -> Bool {
    unjudged.contains {
      detection.box.overlap(with: $0.box, asPartOf: $0.kind == .crowd) >= overlap
    }
  }
}
