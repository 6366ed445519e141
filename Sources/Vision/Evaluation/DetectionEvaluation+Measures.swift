extension DetectionEvaluation {
  /// The twelve summary metrics of COCO; `nil` when there are no objects to detect.
  public struct Measures: Hashable, Sendable {
    /// Mean average precision over overlaps from 0.5 to 0.95.
    public var averagePrecision: Double?
    /// Mean average precision at an overlap of 0.5.
    public var averagePrecision50: Double?
    /// Mean average precision at an overlap of 0.75.
    public var averagePrecision75: Double?
    /// Mean average precision for objects up to 32 × 32 pixels.
    public var averagePrecisionSmall: Double?
    /// Mean average precision for objects from 32 × 32 to 96 × 96 pixels.
    public var averagePrecisionMedium: Double?
    /// Mean average precision for larger objects.
    public var averagePrecisionLarge: Double?
    /// Average recall over overlaps from 0.5 to 0.95, with one detection per class and picture.
    public var averageRecall1: Double?
    /// Average recall with ten detections.
    public var averageRecall10: Double?
    /// Average recall with a hundred detections.
    public var averageRecall100: Double?
    /// Average recall for small objects.
    public var averageRecallSmall: Double?
    /// Average recall for medium objects.
    public var averageRecallMedium: Double?
    /// Average recall for large objects.
    public var averageRecallLarge: Double?
  }

  /// A score threshold, with the precision and recall that it gives at an overlap of 0.5.
  public struct OperatingPoint: Hashable, Sendable {
    /// The score threshold.
    public var score: Double
    /// The share of the detections that are right.
    public var precision: Double
    /// The share of the objects that are detected.
    public var recall: Double

    /// The harmonic mean of precision and recall.
    public var f1: Double {
      precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0
    }
  }

  /// The metrics of one class.
  public struct ClassMeasures: Hashable, Sendable {
    /// The number of objects to detect.
    public var truthCount: Int
    /// The number of detections that were evaluated.
    public var foundCount: Int
    /// Average precision over overlaps from 0.5 to 0.95; `nil` when there are no objects to detect.
    public var averagePrecision: Double?
    /// Average precision at an overlap of 0.5.
    public var averagePrecision50: Double?
    /// The precision at each of `recalls`, at an overlap of 0.5; empty when there are no objects.
    public var curve: [Double]
    /// The score threshold with the best F1; `nil` when no detection is right.
    public var bestThreshold: OperatingPoint?
  }

  /// The metrics over all classes that have objects to detect.
  public var measures: Measures {
    let sorted = classes.map(\.sorted)
    let whole = Self.figures(sorted)
    let sizes = [Size.small, .medium, .large].map { Self.figures(sorted, size: $0) }
    return Measures(
      averagePrecision: whole.precision,
      averagePrecision50: Self.figures(sorted, levels: 0..<1).precision,
      averagePrecision75: Self.figures(sorted, levels: 5..<6).precision,
      averagePrecisionSmall: sizes[0].precision, averagePrecisionMedium: sizes[1].precision,
      averagePrecisionLarge: sizes[2].precision,
      averageRecall1: Self.figures(sorted, limit: 1).recall,
      averageRecall10: Self.figures(sorted, limit: 10).recall, averageRecall100: whole.recall,
      averageRecallSmall: sizes[0].recall, averageRecallMedium: sizes[1].recall,
      averageRecallLarge: sizes[2].recall)
  }

  /// Returns the metrics of one class.
  public func measures(of category: Int) -> ClassMeasures {
    let records = classes[category].sorted
    let curve = records.curve(level: 0)
    return ClassMeasures(
      truthCount: records.truthCounts[Size.all.rawValue], foundCount: records.found.count,
      averagePrecision: Self.figures([records]).precision,
      averagePrecision50: Self.figures([records], levels: 0..<1).precision,
      curve: curve?.interpolated ?? [], bestThreshold: curve?.bestThreshold)
  }

  /// Returns mean average precision and mean recall over classes and overlaps.
  private static func figures(
    _ classes: [ClassRecords], levels: Range<Int> = overlaps.indices, size: Size = .all,
    limit: Int = maximumDetections
  ) -> (precision: Double?, recall: Double?) {
    let curves = classes.flatMap { records in
      levels.compactMap { records.curve(level: $0, size: size, limit: limit) }
    }
    let precisions = curves.map { $0.interpolated.reduce(0, +) / Double(recalls.count) }
    return (precisions.mean, curves.map(\.finalRecall).mean)
  }
}

extension DetectionEvaluation.ClassRecords {
  /// The records sorted by score, best first; records of equal score keep their order.
  fileprivate var sorted: Self {
    var sorted = self
    sorted.found = found.indices.sorted { (found[$0].score, $1) > (found[$1].score, $0) }
      .map { found[$0] }
    return sorted
  }

  /// Returns precision and recall of sorted records; `nil` when there are no objects to detect.
  fileprivate func curve(
    level: Int, size: DetectionEvaluation.Size = .all,
    limit: Int = DetectionEvaluation.maximumDetections
  ) -> PrecisionRecall? {
    guard truthCounts[size.rawValue] > 0 else { return nil }
    return PrecisionRecall(
      found.lazy.filter { $0.rank < limit }, bit: 1 << level, size: size,
      truthCount: truthCounts[size.rawValue])
  }
}

extension [Double] {
  fileprivate var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}
