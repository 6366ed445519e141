/// How well detections agree with the ground truth, by the measures of COCO (Lin and others 2014).
///
/// Definitions are those of pycocotools, and so are the results. Pictures are added one after the
/// other; what is kept of them is a few bytes for each detection.
public struct DetectionEvaluation: Sendable {
  /// The overlaps from which a detection stands for an object: 0.5, 0.55, …, 0.95.
  public static let overlaps = evenNumbers(from: 0.5, to: 0.95, count: 10)
  /// The recalls at which precision is read off: 0, 0.01, …, 1.
  public static let recalls = evenNumbers(from: 0, to: 1, count: 101)
  /// The detections of a class in a picture that are looked at.
  static let mostDetections = 100

  /// The sizes of objects by which the measures are told apart, in square pixels.
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

  /// A detection, and what became of it for each size.
  struct Record {
    let score: Double
    /// How many of its class and picture are better.
    let rank: Int
    var matched = SIMD4<UInt16>()
    var ignored = SIMD4<UInt16>()
  }

  /// What is known about a class.
  struct ClassRecords {
    /// The objects to be found, by size.
    var truthCounts = SIMD4<Int>()
    var found: [Record] = []
  }

  /// The pictures that were added.
  public private(set) var pictureCount = 0
  private(set) var classes: [ClassRecords]

  /// An evaluation of nothing yet, about classes from 0 up to `categoryCount`.
  public init(categoryCount: Int) {
    classes = Array(repeating: ClassRecords(), count: categoryCount)
  }

  /// Adds a picture: what is in it, and what was found in it.
  ///
  /// Where scores are equal, the order of pictures counts as pycocotools has it, by their numbers.
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
  /// Numbers as NumPy spaces them, to the last bit: a recall may be just one of them.
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
