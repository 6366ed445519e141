package import OcellusEngine
package import OcellusImaging
import OcellusModelFile

/// Checks which detections another engine cannot flip, whose outputs are in known ranges.
///
/// Everything behind the outputs is as in this program: the decoder, the threshold and suppression.
/// What a decoder finds out from the numbers, the order of a box's four, is as in this run.
package struct FlipCheck {
  /// The tensors of the main subgraph whose ranges it needs, in the order of `verdicts`' outputs.
  package let tensors: [Int]
  /// Whether the graph decodes and selects boxes, in float32, from these tensors.
  package let isInGraph: Bool

  private let detector: ObjectDetector
  private var decoder: any CornerDecoder
  private let limits: (all: Int, ofClass: Int)
  /// The candidates of this run with their identities.
  private var known: [Candidate] = []

  /// The most candidates that are compared with each other.
  private static let maximumCount = 2000

  /// Why the detections of a detector cannot be checked.
  package struct NotCovered: Error, CustomStringConvertible {
    package let description: String
  }

  /// - Throws: `NotCovered` if the decoder or an option is not covered.
  package init(of detector: ObjectDetector) throws(NotCovered) {
    self.detector = detector
    if let reason = detector.filter.reasonAgainstMargins {
      throw NotCovered(description: reason)
    }
    let graph = detector.network.model.file.subgraphs[0]
    let most = detector.options.maximumResults ?? .max
    if let decoder = detector.decoder as? PostProcessedDecoder {
      guard let node = decoder.selection(in: detector.network.model),
        let selection = GraphSelection(node, of: detector.network.model)
      else {
        throw NotCovered(
          description: "the graph selects boxes by operators, or by options, that are not covered")
      }
      guard detector.filter.suppression == .none else {
        throw NotCovered(description: "overlaps are suppressed in the graph and once more")
      }
      (self.decoder, isInGraph, tensors) = (selection, true, Array(node.inputs[0..<2]))
      limits = (min(selection.maximumCount, most), selection.maximumOfClass)
      return
    }
    guard let decoder = detector.decoder as? any CornerDecoder, decoder.isCovered else {
      throw NotCovered(
        description: "what ranges of outputs become is not known for \(detector.decoder.summary)")
    }
    (self.decoder, isInGraph, tensors) = (decoder, false, graph.outputs)
    limits = (most, .max)
  }

  /// Tells the check the outputs of this run, from which it takes what candidates are.
  package mutating func settle(_ outputs: [OutputRange]) throws(VisionError) {
    let roles = outputs.map { [ElementRole](repeating: .other, count: $0.count) }
    let lowest = lowestThreshold
    (decoder, known) = try outputs.withOutputs(in: .best, roles) {
      [decoder] tensors throws(VisionError) in
      let settled = try decoder.settled(in: tensors)
      return (settled, try settled.candidates(in: tensors, threshold: lowest))
    }
  }

  private var lowestThreshold: Float {
    max(detector.filter.lowestThreshold, (decoder as? GraphSelection)?.graphThreshold ?? 0)
  }

  /// Returns what may become of each detection if the outputs are in these ranges.
  package func verdicts(
    on detections: [Detection], outputs: [OutputRange], _ mapping: PictureMapping
  ) throws(VisionError) -> DetectionVerdicts {
    let filter = detector.filter
    var candidates = try decoder.ranges(in: outputs, threshold: lowestThreshold)
    // Before the graph's selection, unwanted classes are rivals of wanted ones; after it, not.
    if !isInGraph {
      candidates = candidates.filter {
        $0.categories.contains { filter.threshold(of: $0) != nil }
      }
    }
    let places = places(of: detections, in: candidates, mapping)
    guard candidates.count <= Self.maximumCount else {
      return DetectionVerdicts(
        verdicts: places.map { place in
          place.map { verdict(candidates[$0], mapping, [.crowd(candidates.count)]) }
        }, newCount: candidates.count)
    }
    let own = candidates.map { ownRisks(of: $0, mapping) }
    let judge = FlipJudge(
      candidates, isPresent: own.map(\.isEmpty), suppression, limits: limits,
      overlapMargin: isInGraph ? 0x1p-20 : 0x1p-40, keepsOrder: keepsOrder)
    var result = DetectionVerdicts(verdicts: [])
    for place in places {
      guard let place else {
        result.verdicts.append(nil)
        continue
      }
      var range = candidates[place]
      range.box = judge.blendedBox(of: place)
      result.verdicts.append(verdict(range, mapping, own[place] + judge.risks(of: place)))
    }
    let reported = Set(places.compactMap { $0 })
    let others = candidates.indices.filter { index in
      !reported.contains(index) && !judge.isDropped[index]
        && candidates[index].categories.contains {
          filter.threshold(of: $0).map { candidates[index].highScore >= $0 } ?? false
        }
    }.sorted { candidates[$0].highScore > candidates[$1].highScore }
    result.newCount = others.count
    result.newcomers = others.prefix(10).map { newcomer(candidates[$0], mapping) }
    return result
  }

  /// Whether candidates of equal scores keep the order of the outputs: selection class by class has
  /// an order of its own.
  private var keepsOrder: Bool { (decoder as? GraphSelection)?.isByClass != true }

  private var suppression: Suppression {
    isInGraph ? decoder.suppression : detector.filter.suppression
  }

  /// Returns which candidate each detection is: of its class and score, the one nearest to its box.
  private func places(
    of detections: [Detection], in candidates: [CandidateRange], _ mapping: PictureMapping
  ) -> [Int?] {
    let index = Dictionary(
      candidates.enumerated().map { ($1.identity, $0) }, uniquingKeysWith: { first, _ in first })
    return detections.map { detection in
      let category = detection.categories.first?.index
      let alike = known.filter {
        $0.category == category && abs($0.score - detection.score) <= 1e-3
      }
      func overlap(_ candidate: Candidate) -> Double {
        mapping.fromInput(candidate.box).intersectionOverUnion(detection.box)
      }
      guard let nearest = alike.max(by: { overlap($0) < overlap($1) }), overlap(nearest) > 0.3
      else { return nil }
      return index[decoder.identity(of: nearest)]
    }
  }

  /// Returns what may happen to a candidate by its own numbers.
  private func ownRisks(
    of range: CandidateRange, _ mapping: PictureMapping
  ) -> [DetectionVerdict.Risk] {
    var risks: [DetectionVerdict.Risk] = []
    let thresholds = range.categories.map { detector.filter.threshold(of: $0) }
    let highest = thresholds.reduce(0) { max($0, $1 ?? 0) }
    if range.lowScore < max(highest, lowestThreshold) {
      risks.append(.threshold(max(highest, lowestThreshold)))
    }
    if range.categories.count > 1 || thresholds.contains(nil) {
      risks.append(
        .category(range.categories.map { detector.labels[$0] ?? "class \($0)" }))
    }
    let shown = mapping.sourceRegion.clipped(to: mapping.source)
    if !range.box.isProper(within: Plausibility.coordinates)
      || !range.box.mapped(mapping.fromInput).certainlyMeets(shown)
    {
      risks.append(.place)
    }
    return risks
  }

  private func verdict(
    _ range: CandidateRange, _ mapping: PictureMapping, _ risks: [DetectionVerdict.Risk]
  ) -> DetectionVerdict {
    DetectionVerdict(
      lowScore: range.lowScore, highScore: range.highScore,
      box: range.box.mapped(mapping.fromInput), risks: risks)
  }

  private func newcomer(
    _ range: CandidateRange, _ mapping: PictureMapping
  ) -> DetectionVerdicts.Newcomer {
    let category = range.categories[0]
    return .init(
      label: detector.labels[category], category: category, highScore: range.highScore,
      box: range.box.mapped(mapping.fromInput))
  }
}

extension PostProcessedDecoder {
  /// Returns the node of the main subgraph that computes the outputs, if it is one operator.
  fileprivate func selection(in model: Model) -> OperatorRecord? {
    let graph = model.file.subgraphs[0]
    guard reading == nil, layout == .topLeftBottomRight, graph.outputs.indices.contains(roles.boxes)
    else { return nil }
    return graph.operators.first { node in
      model.file.operatorCodes[node.codeIndex].name == GraphSelection.operatorName
        && node.outputs.first == graph.outputs[roles.boxes]
    }
  }
}

extension PictureMapping {
  /// Returns a box of the picture that is given in fractions of the network's input.
  fileprivate func fromInput(_ box: BoundingBox) -> BoundingBox {
    source(of: box.scaled(x: Double(destination.width), y: Double(destination.height)))
  }
}

extension ObjectDetector {
  /// Returns an interpreter of the model whose nodes run one by one, with a picture as its input.
  ///
  /// The mapping leads from the input to the picture.
  package func separateInterpreter(
    for image: Image, region: BoundingBox?
  ) throws(VisionError) -> (interpreter: Interpreter, mapping: PictureMapping) {
    try network.separateInterpreter(for: image, region: region)
  }

  /// The model that the detector runs.
  package var model: Model { network.model }
}
