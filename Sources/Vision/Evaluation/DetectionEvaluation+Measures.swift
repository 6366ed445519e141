extension DetectionEvaluation {
  /// The twelve figures of COCO; `nil` where there is nothing to be found.
  public struct Measures: Hashable, Sendable {
    /// Mean average precision at overlaps from 0.5 to 0.95.
    public var averagePrecision: Double?
    /// Mean average precision at an overlap of 0.5.
    public var averagePrecision50: Double?
    /// Mean average precision at an overlap of 0.75.
    public var averagePrecision75: Double?
    /// That of objects up to 32 × 32 pixels.
    public var averagePrecisionSmall: Double?
    /// That of objects between 32 × 32 and 96 × 96 pixels.
    public var averagePrecisionMedium: Double?
    /// That of larger objects.
    public var averagePrecisionLarge: Double?
    /// Recall at overlaps from 0.5 to 0.95, of one detection for each class and picture.
    public var averageRecall1: Double?
    /// Recall of ten detections.
    public var averageRecall10: Double?
    /// Recall of a hundred detections.
    public var averageRecall100: Double?
    /// Recall of small objects.
    public var averageRecallSmall: Double?
    /// Recall of objects of a medium size.
    public var averageRecallMedium: Double?
    /// Recall of large objects.
    public var averageRecallLarge: Double?
  }

  /// A score from which detections count, and what that gives at an overlap of 0.5.
  public struct OperatingPoint: Hashable, Sendable {
    /// The score.
    public var score: Double
    /// The part of the detections that is right.
    public var precision: Double
    /// The part of the objects that is found.
    public var recall: Double

    /// The harmonic mean of precision and recall.
    public var f1: Double {
      precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0
    }
  }

  /// The figures of one class.
  public struct ClassMeasures: Hashable, Sendable {
    /// The objects to be found.
    public var truthCount: Int
    /// The detections that were looked at.
    public var foundCount: Int
    /// Average precision at overlaps from 0.5 to 0.95; `nil` where there is nothing to be found.
    public var averagePrecision: Double?
    /// Average precision at an overlap of 0.5.
    public var averagePrecision50: Double?
    /// The precision at each of `recalls`, at an overlap of 0.5; empty where there is nothing to be found.
    public var curve: [Double]
    /// The score with the best F1; `nil` where nothing right was found.
    public var bestThreshold: OperatingPoint?
  }

  /// The figures over all classes that have something to be found.
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

  /// The figures of one class.
  public func measures(of category: Int) -> ClassMeasures {
    let records = classes[category].sorted
    let curve = records.curve(level: 0)
    return ClassMeasures(
      truthCount: records.truthCounts[Size.all.rawValue], foundCount: records.found.count,
      averagePrecision: Self.figures([records]).precision,
      averagePrecision50: Self.figures([records], levels: 0..<1).precision,
      curve: curve?.interpolated ?? [], bestThreshold: curve?.bestThreshold)
  }

  /// Mean average precision and recall over classes and overlaps.
  private static func figures(
    _ classes: [ClassRecords], levels: Range<Int> = overlaps.indices, size: Size = .all,
    limit: Int = mostDetections
  ) -> (precision: Double?, recall: Double?) {
    let curves = classes.flatMap { records in
      levels.compactMap { records.curve(level: $0, size: size, limit: limit) }
    }
    let precisions = curves.map { $0.interpolated.reduce(0, +) / Double(recalls.count) }
    return (precisions.mean, curves.map(\.finalRecall).mean)
  }
}

extension DetectionEvaluation.ClassRecords {
  /// With the best detections first, equal ones in the order of the pictures.
  fileprivate var sorted: Self {
    var sorted = self
    sorted.found = found.indices.sorted { (found[$0].score, $1) > (found[$1].score, $0) }
      .map { found[$0] }
    return sorted
  }

  /// Precision and recall of sorted records; `nil` where there is nothing to be found.
  fileprivate func curve(
    level: Int, size: DetectionEvaluation.Size = .all,
    limit: Int = DetectionEvaluation.mostDetections
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
