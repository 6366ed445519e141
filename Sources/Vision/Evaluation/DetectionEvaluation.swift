/// The quality of detections by COCO's metrics (Lin and others 2014).
///
/// Definitions and results are those of pycocotools. Pictures are added one by one; each detection
/// takes only a few bytes.
public struct DetectionEvaluation: Sendable {
  /// The overlap thresholds of a match: 0.5, 0.55, …, 0.95.
  public static let overlaps = evenNumbers(from: 0.5, to: 0.95, count: 10)
  /// The recalls at which precision is sampled: 0, 0.01, …, 1.
  public static let recalls = evenNumbers(from: 0, to: 1, count: 101)
  /// The maximum number of detections of a class that are evaluated in a picture.
  static let maximumDetections = 100

  /// The classes of object sizes.
  enum Size: Int, CaseIterable {
    case all, small, medium, large

    var areas: ClosedRange<Double> {
      switch self {
      case .all: 0...1e10
      case .small: 0...1024
      case .medium: 1024...9216
      case .large: 9216...1e10
      }
    }
  }

  /// A detection with its matching result for each size.
  struct Record {
    let score: Double
    /// The number of better detections of the same class and picture.
    let rank: Int
    var matched = SIMD4<UInt16>()
    var ignored = SIMD4<UInt16>()
  }

  /// The records of one class.
  struct ClassRecords {
    /// The number of objects to detect, by size.
    var truthCounts = SIMD4<Int>()
    var found: [Record] = []
  }

  /// The number of pictures that were added.
  public private(set) var pictureCount = 0
  private(set) var classes: [ClassRecords]

  /// Creates an empty evaluation for classes from 0 up to `categoryCount`.
  public init(categoryCount: Int) {
    classes = Array(repeating: ClassRecords(), count: categoryCount)
  }

  /// Adds a picture with its objects and its detections.
  ///
  /// To get pycocotools' order of equal scores, add the pictures in the order of their ids.
  public mutating func add(truth: [AnnotatedObject], found: [ScoredObject]) {
    pictureCount += 1
    let truths = Dictionary(grouping: truth, by: \.category)
    let foundOnes = Dictionary(grouping: found, by: \.category)
    for category in Set(truths.keys).union(foundOnes.keys) {
      classes[category].add(
        ClassMatching(truths: truths[category] ?? [], found: foundOnes[category] ?? []))
    }
  }
}

extension DetectionEvaluation {
  /// Returns evenly spaced numbers, equal to NumPy's to the last bit, to compare recalls with.
  private static func evenNumbers(from first: Double, to last: Double, count: Int) -> [Double] {
    let step = (last - first) / Double(count - 1)
    return (0..<count - 1).map { Double($0) * step + first } + [last]
  }
}

extension DetectionEvaluation.ClassRecords {
  fileprivate mutating func add(_ matching: ClassMatching) {
    var records = matching.found.enumerated().map { rank, object in
      DetectionEvaluation.Record(score: object.score, rank: rank)
    }
    for size in DetectionEvaluation.Size.allCases {
      truthCounts[size.rawValue] += matching.judgedCount(areas: size.areas)
      for (index, outcome) in matching.outcomes(areas: size.areas).enumerated() {
        records[index].matched[size.rawValue] = outcome.matched
        records[index].ignored[size.rawValue] = outcome.ignored
      }
    }
    found += records
  }
}
