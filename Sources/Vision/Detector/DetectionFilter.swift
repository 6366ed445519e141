import OcellusImaging

/// Turns decoded candidates into detections: calibration, thresholds, label lists, suppression.
struct DetectionFilter: Sendable {
  private let labels: Labels
  /// The score below which objects are dropped if their class has no threshold of its own.
  let threshold: Float
  private let categoryThresholds: [String: Float]
  let suppression: Suppression
  private let calibration: ScoreCalibration?
  private let options: ObjectDetector.Options

  init(
    _ options: ObjectDetector.Options, decoder: any DetectionDecoder, facts: ModelFacts,
    labels: Labels, _ explanation: inout Explanation
  ) throws(VisionError) {
    self.options = options
    self.labels = labels
    categoryThresholds = options.categoryThresholds
    calibration = try ScoreCalibration(facts)
    let described = facts.scoreThreshold
    threshold = options.scoreThreshold ?? described ?? decoder.scoreThreshold
    explanation.add(
      "score threshold", "\(threshold)",
      from: options.scoreThreshold != nil
        ? "options" : described != nil ? "metadata" : "the usual for \(decoder.summary)")
    let usual = options.suppression ?? decoder.suppression
    suppression = options.maximumOverlap.map { usual.allowing(overlap: Double($0)) } ?? usual
    explanation.add(
      "overlaps", suppression.description,
      from: options.suppression != nil || options.maximumOverlap != nil
        ? "options" : "the usual for \(decoder.summary)")
    if calibration != nil { explanation.add("scores", "calibrated", from: "metadata") }
    for label in options.mentionedLabels where !labels.names.contains(label) {
      explanation.warn("no class is called '\(label)'")
    }
  }

  /// The lowest threshold of any class; decoders may skip candidates below it.
  var lowestThreshold: Float {
    if calibration != nil { return -.infinity }
    return categoryThresholds.values.reduce(threshold, min)
  }

  /// Returns the threshold of a class; `nil` if it is not asked for.
  func threshold(of category: Int) -> Float? {
    let label = labels[category]
    if let allowed = options.allowedLabels {
      guard let label, allowed.contains(label) else { return nil }
    }
    if let label, options.deniedLabels.contains(label) { return nil }
    return label.flatMap { categoryThresholds[$0] } ?? threshold
  }

  /// Why ranges of scores and boxes say nothing about what is reported; `nil` if they do.
  var reasonAgainstMargins: String? {
    if calibration != nil { return "calibrated scores are not covered" }
    if case .soft = suppression { return "soft suppression is not covered" }
    if options.tiling != nil { return "pictures in parts are not covered" }
    return options.findsMultipleObjects ? nil : "the most prominent object is not covered"
  }

  /// Returns the detections to report, best first.
  ///
  /// `merging` is set when candidates come from overlapping tiles.
  func detections(
    from candidates: [Candidate], merging: Bool, in size: PixelSize, findingAll: Bool,
    recorder: LedgerRecorder? = nil
  ) -> [Detection] {
    var wanted = candidates.compactMap(calibrated).filter { candidate in
      guard let fate = reasonToDrop(candidate) else { return true }
      recorder?.drop(candidate, fate)
      return false
    }
    if merging { wanted = TileOrigin.joined(wanted, recorder: recorder) }
    if merging, suppression == .none {
      wanted = Suppression.perCategory(overlap: 0.5).apply(
        to: wanted, threshold: lowestThreshold, limit: nil, recorder: recorder)
    }
    let limit = findingAll ? options.maximumResults : nil
    let kept = suppression.apply(
      to: wanted, threshold: lowestThreshold, limit: limit, recorder: recorder)
    if findingAll { return kept.map { detection($0, in: size) } }
    func prominence(_ index: Int) -> Double {
      kept[index].box.prominence(score: kept[index].score, in: size)
    }
    let subject = kept.indices.max { prominence($0) < prominence($1) }
    for index in kept.indices where index != subject { recorder?.drop(kept[index], .lessProminent) }
    return subject.map { [detection(kept[$0], in: size)] } ?? []
  }

  private func calibrated(_ candidate: Candidate) -> Candidate? {
    guard let calibration else { return candidate }
    var candidate = candidate
    candidate.score = calibration.apply(
      to: candidate.score, category: candidate.category + labels.offset)
    return candidate
  }

  private func reasonToDrop(_ candidate: Candidate) -> DetectionLedger.Fate? {
    let label = labels[candidate.category]
    let threshold = label.flatMap { categoryThresholds[$0] } ?? threshold
    guard candidate.score >= threshold else { return .belowThreshold(threshold) }
    if let allowed = options.allowedLabels {
      guard let label, allowed.contains(label) else { return .unwanted }
    }
    return label.map { options.deniedLabels.contains($0) } ?? false ? .unwanted : nil
  }

  private func detection(_ candidate: Candidate, in size: PixelSize) -> Detection {
    Detection(
      box: candidate.box,
      categories: [
        Category(
          index: candidate.category, label: labels[candidate.category], score: candidate.score)
      ],
      keypoints: candidate.keypoints, imageSize: size)
  }
}

extension ObjectDetector.Options {
  /// The labels named by category thresholds and by the lists of allowed and denied labels.
  fileprivate var mentionedLabels: [String] {
    (Set(categoryThresholds.keys).union(allowedLabels ?? []).union(deniedLabels)).sorted()
  }
}

extension BoundingBox {
  /// Returns the prominence of an object in this box: high for a sure, large and central object.
  ///
  /// It is the product of the score, the square root of the box's share of the area, and a Gaussian
  /// of the distance from the centre. The square root gives small objects a chance. The Gaussian's
  /// deviation is half the picture, so an object at the middle of an edge gets a factor of 0.6.
  func prominence(score: Float, in size: PixelSize) -> Double {
    let (width, height) = (max(Double(size.width), 1), max(Double(size.height), 1))
    let share = min(clipped(to: size).area / (width * height), 1).squareRoot()
    let (x, y) = (2 * center.x / width - 1, 2 * center.y / height - 1)
    return Double(score) * share * exponential(-(x * x + y * y) / 2)
  }
}
