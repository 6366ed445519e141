public import OcellusEngine
public import OcellusImaging

/// Finds objects in pictures with a model.
///
/// It finds out by itself what the model's input takes and what its outputs mean; `explanation` says
/// what it decided and why, and the options override every part. A detector can be used from several
/// threads: calls wait for each other.
public final class ObjectDetector: Sendable {
  /// What was found out about the model, and from what.
  public let explanation: Explanation
  /// The names of the classes; without names when the model has none.
  public let labels: Labels
  /// How the model is shown a picture.
  public let input: PictureInput
  /// How its outputs are read.
  public let decoder: any DetectionDecoder
  /// What was asked for.
  public let options: Options

  /// The score below which objects are dropped, if their class has no threshold of its own.
  public var scoreThreshold: Float { filter.threshold }

  let network: PictureNetwork
  private let filter: DetectionFilter
  private let plausibility: Plausibility

  /// A detector for a model file, with the label file beside it if there is one, or for a folder
  /// that AutoML exported.
  ///
  /// - Throws: what is wrong with the file, or what cannot be told about the model without options.
  public convenience init(
    path: String, options: Options = Options()
  ) throws(VisionError) {
    var options = options
    let package = try ModelPackage(path: path)
    if options.labels == nil, let (labels, source) = try package.labels() {
      options.labels = labels
      options.labelsSource = source
    }
    options.package = package
    if options.maximumResults == nil { options.maximumResults = package.maximumDetections }
    try self.init(try package.model(), options: options)
  }

  /// A detector for the model that the package brings along, which is inside of the program, or for the one
  /// that `EmbeddedModel.folder` has in its place.
  ///
  /// - Throws: what is wrong with the model in that folder.
  public convenience init(options: Options = Options()) throws(VisionError) {
    if let path = EmbeddedModel.detector.chosenPath {
      try self.init(path: path, options: options)
    } else {
      try self.init(EmbeddedModel.detector.model(), options: options)
    }
  }

  /// A detector for a model.
  ///
  /// - Throws: what cannot be told about the model without options, naming the candidates.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    try options.check()
    var explanation = Explanation()
    let network = try PictureNetwork(
      model, options: options.input, package: options.package,
      running: .init(
        threads: options.threads, budget: options.budget, numerics: options.numerics),
      explanation: &explanation)
    let found = try LabelFinder(facts: network.facts).find(
      given: options.labels, from: options.labelsSource)
    let finding: DecoderFinder.Finding
    if let given = options.decoder {
      finding = (given, "options")
    } else {
      finding = try DecoderFinder.find(
        DetectorFacts(
          model: network.facts, place: network.place, labels: found?.labels,
          anchors: options.anchors))
    }
    var convention = finding.decoder.inputConvention
    convention.source = "the usual for \(finding.decoder.summary)"
    input = try network.settleInput(convention, &explanation)
    explanation.add("outputs", finding.decoder.summary, from: finding.source)
    if let limit = finding.decoder.maximumResults {
      explanation.add("most objects", "\(limit)", from: "the model")
    }
    labels = LabelFinder.settle(
      found, categoryCount: finding.decoder.categoryCount, &explanation)
    filter = try DetectionFilter(
      options, decoder: finding.decoder, facts: network.facts, labels: labels, &explanation)
    decoder = finding.decoder
    plausibility = Plausibility(decoder: decoder.summary)
    self.network = network
    self.options = options
    self.explanation = explanation
  }

  /// Another detector of the same kind, for another thread: the two share the model's file and its
  /// packed weights.
  public func duplicate() throws(VisionError) -> ObjectDetector {
    try ObjectDetector(network.model, options: options)
  }

  /// The objects in a picture, best first, in pixels of the upright picture.
  ///
  /// `region` is the part to look at, in the same pixels; `nil` is all of it.
  public func detect(
    in image: Image, region: BoundingBox? = nil
  ) throws(VisionError) -> [Detection] {
    try detect(in: image, region: region, findingAll: options.findsMultipleObjects)
  }

  /// The same, all objects or the most prominent one: who follows that one wants to see all.
  func detect(
    in image: Image, region: BoundingBox?, findingAll: Bool
  ) throws(VisionError) -> [Detection] {
    let (candidates, isMerged) = try candidates(inPartsOf: image, region)
    return filter.detections(
      from: candidates, merging: isMerged, in: image.size, findingAll: findingAll)
  }

  /// The same with an account of everything that the network proposed, and why it was kept or dropped.
  public func ledger(
    for image: Image, region: BoundingBox? = nil
  ) throws(VisionError) -> DetectionLedger {
    let recorder = LedgerRecorder(labels: labels)
    let (candidates, isMerged) = try candidates(inPartsOf: image, region, recorder: recorder)
    return recorder.finished(
      filter.detections(
        from: candidates, merging: isMerged, in: image.size,
        findingAll: options.findsMultipleObjects, recorder: recorder))
  }

  /// What the model finds in a region, `nil` being all of the picture, and then in the parts of it that were
  /// asked for; and whether there are such parts.
  private func candidates(
    inPartsOf image: Image, _ region: BoundingBox?, recorder: LedgerRecorder? = nil
  ) throws(VisionError) -> (candidates: [Candidate], isMerged: Bool) {
    let whole = region ?? BoundingBox(image.size)
    let tiles = try options.tiling?.checkedTiles(of: whole) ?? []
    var candidates = try candidates(in: image, region: region, recorder: recorder)
    for (number, tile) in tiles.enumerated() {
      candidates += try self.candidates(in: image, region: tile, recorder: recorder).map {
        var candidate = $0
        candidate.piece = Piece(part: number, tile, of: whole, at: candidate.box)
        return candidate
      }
    }
    return (candidates, !tiles.isEmpty)
  }

  /// The objects in each of several pictures.
  ///
  /// Where the network takes several pictures in one run, and is faster that way, it is shown four at a time. The
  /// results are the same.
  public func detect(in images: [Image]) throws(VisionError) -> [[Detection]] {
    try detect(in: images, batching: .whereFaster)
  }

  /// The same, with or without runs over several pictures.
  package func detect(
    in images: [Image], batching: Batching
  ) throws(VisionError) -> [[Detection]] {
    var results: [[Detection]] = []
    guard options.tiling == nil else {
      for image in images { results.append(try detect(in: image)) }
      return results
    }
    let found = try network.run(onEach: images, batching: batching) {
      outputs, mapping throws(VisionError) in try read(outputs, mapping)
    }
    for (candidates, image) in zip(found, images) {
      results.append(
        filter.detections(
          from: candidates, merging: false, in: image.size,
          findingAll: options.findsMultipleObjects))
    }
    return results
  }

  /// How many pictures a run takes, as far as several at once were asked for.
  package var picturesPerRun: Int { network.picturesPerRun }

  /// The tensor that the model is shown for a picture or a region of it, as `input` describes it.
  ///
  /// Whoever runs the model on it by other means must find the same.
  public func inputTensor(
    for image: Image, region: BoundingBox? = nil
  ) throws(VisionError) -> [UInt8] {
    try network.inputBytes(for: image, region: region)
  }

  /// What the model finds in a part of a picture, in pixels of the upright picture.
  private func candidates(
    in image: Image, region: BoundingBox?, recorder: LedgerRecorder? = nil
  ) throws(VisionError) -> [Candidate] {
    try network.run(on: image, region: region) { outputs, mapping throws(VisionError) in
      guard let recorder else { return try read(outputs, mapping) }
      return try read(outputs, mapping, recorder)
    }
  }

  /// What the outputs say, in pixels of the upright picture.
  private func read(
    _ outputs: [OutputTensor], _ mapping: PictureMapping
  ) throws(VisionError) -> [Candidate] {
    let candidates = try decoder.candidates(in: outputs, threshold: filter.lowestThreshold)
    return try plausibility.possible(candidates).map {
      $0.mapped(from: mapping.destination, by: mapping)
    }
  }

  /// The same, with an account of what is dropped.
  private func read(
    _ outputs: [OutputTensor], _ mapping: PictureMapping, _ recorder: LedgerRecorder
  ) throws(VisionError) -> [Candidate] {
    let size = mapping.destination
    let lowest = filter.lowestThreshold
    // No probability is below 0: that is everything.
    var numbered: [Candidate] = []
    for candidate in try decoder.candidates(in: outputs, threshold: min(lowest, 0)) {
      let entered = recorder.enter(candidate.mapped(from: size, by: mapping))
      guard candidate.score >= lowest else {
        recorder.drop(entered, .belowThreshold(lowest))
        continue
      }
      numbered.append(candidate)
      numbered[numbered.count - 1].number = entered.number
    }
    let possible = try plausibility.possible(numbered)
    let kept = Set(possible.compactMap(\.number))
    for candidate in numbered where !kept.contains(candidate.number ?? -1) {
      recorder.drop(candidate, .implausible)
    }
    return possible.map { $0.mapped(from: size, by: mapping) }
  }
}

extension Candidate {
  /// The candidate in pixels of the picture that the network's input was made from.
  fileprivate func mapped(from size: PixelSize, by mapping: PictureMapping) -> Candidate {
    let (width, height) = (Double(size.width), Double(size.height))
    var mapped = self
    mapped.box = mapping.source(of: box.scaled(x: width, y: height))
    mapped.keypoints = keypoints.map {
      mapping.source(of: PixelPoint(x: $0.x * width, y: $0.y * height))
    }
    return mapped
  }
}
