public import OcellusEngine
public import OcellusImaging

/// Detects objects in pictures with an object detection model.
///
/// A detector determines by itself what the model's input takes and what its outputs mean;
/// `explanation` lists these decisions with their sources, and the options override each of them. A
/// detector can be used from several threads: its calls are serialized.
public final class ObjectDetector: Sendable {
  /// The decisions about how the model is used, each with its source.
  public let explanation: Explanation
  /// The names of the classes; empty when the model has none.
  public let labels: Labels
  /// The conversion of pictures to the model's input.
  public let input: PictureInput
  /// The decoder of the model's outputs.
  public let decoder: any DetectionDecoder
  /// The options that the detector was created with.
  public let options: Options

  /// The score below which objects are dropped if their class has no threshold of its own.
  public var scoreThreshold: Float { filter.threshold }

  let network: PictureNetwork
  let filter: DetectionFilter
  private let plausibility: Plausibility

  /// Creates a detector for a model file, or for a folder that AutoML exported.
  ///
  /// Labels are read from the label file beside the model, if there is one.
  /// - Throws: `VisionError` when a file cannot be read, or when the model needs options to be
  ///   understood.
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

  /// Creates a detector for the default model.
  ///
  /// - Important: Unless another model was chosen, the default is the package's own, which is
  ///   embedded in the program and knows drawn scenes only. It also finds things in photographs,
  ///   with high scores at times, and is wrong there. `explanation` has a warning in this case.
  ///
  /// `ocellus models default NAME` makes a model of the store the default of all programs, and
  /// fetches public models, such as `coco-ssd-mobilenet-v1` for photographs. The first of these is
  /// used that there is: the model `scenes-detector` in `EmbeddedModel.folder`; the model that the
  /// environment variable `OCELLUS_DETECTOR` names, by its path or by its name in the store; the
  /// model `scenes-detector` in the folder `OCELLUS_MODELS`; the store's default; the package's.
  ///
  /// - Throws: `VisionError` when the chosen model cannot be found, read or used.
  public convenience init(options: Options = Options()) throws(VisionError) {
    let standard = try DefaultModel(.detector)
    var options = options
    options.defaultModel = standard
    if let path = standard.path {
      try self.init(path: path, options: options)
    } else {
      try self.init(EmbeddedModel.detector.model(), options: options)
    }
  }

  /// Creates a detector for a model.
  ///
  /// - Throws: `VisionError` when the model needs options to be understood; the message lists the
  ///   choices.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    try options.check()
    var explanation = Explanation()
    options.defaultModel?.explain(in: &explanation)
    let network = try PictureNetwork(
      model, options: options.input, package: options.package,
      running: .init(
        threads: options.threads, budget: options.budget, numerics: options.numerics,
        tuning: options.tuning),
      explanation: &explanation)
    let found = try LabelFinder(facts: network.facts).find(
      given: options.labels, from: options.labelsSource)
    let facts = DetectorFacts(
      model: network.facts, place: network.place, labels: found?.labels,
      anchors: options.anchors)
    let finding: DecoderFinder.Finding =
      if let given = options.decoder { (given, "options") } else {
        try DecoderFinder.find(facts)
      }
    for finding in ExportPrecision(facts: facts).warnings(about: finding.decoder) {
      explanation.warn(finding)
    }
    var convention = finding.decoder.inputConvention
    convention.source = "the usual for \(finding.decoder.summary)"
    input = try network.settleInput(convention, &explanation)
    explanation.add("outputs", finding.decoder.summary, from: finding.source)
    if let limit = finding.decoder.maximumResults {
      explanation.add("most objects", "\(limit)", from: "the model")
    }
    labels = LabelFinder.settle(
      found, categoryCount: finding.decoder.categoryCount,
      or: .ofDetector(finding.decoder.categoryCount, isYOLO: finding.decoder.isYOLO), &explanation)
    filter = try DetectionFilter(
      options, decoder: finding.decoder, facts: network.facts, labels: labels, &explanation)
    decoder = finding.decoder
    plausibility = Plausibility(decoder: decoder.summary)
    self.network = network
    self.options = options
    self.explanation = explanation
  }

  /// Creates another detector with the same model and options, for use on another thread.
  ///
  /// The two share the model's file and its packed weights.
  public func duplicate() throws(VisionError) -> ObjectDetector {
    try ObjectDetector(network.model, options: options)
  }

  /// Returns the objects in a picture, best first, in pixels of the upright picture.
  ///
  /// `region` limits the search, in the same pixels; `nil` searches the whole picture.
  public func detect(
    in image: Image, region: BoundingBox? = nil
  ) throws(VisionError) -> [Detection] {
    try detect(in: image, region: region, findingAll: options.findsMultipleObjects)
  }

  /// Returns all objects, or the most prominent one; a tracker of that one needs all of them.
  func detect(
    in image: Image, region: BoundingBox?, findingAll: Bool
  ) throws(VisionError) -> [Detection] {
    let (candidates, isMerged) = try candidates(inTilesOf: image, region)
    return filter.detections(
      from: candidates, merging: isMerged, in: image.size, findingAll: findingAll)
  }

  /// Returns the detections with every candidate of the network, and why each was dropped.
  public func ledger(
    for image: Image, region: BoundingBox? = nil
  ) throws(VisionError) -> DetectionLedger {
    let recorder = LedgerRecorder(labels: labels)
    let (candidates, isMerged) = try candidates(inTilesOf: image, region, recorder: recorder)
    return recorder.finished(
      filter.detections(
        from: candidates, merging: isMerged, in: image.size,
        findingAll: options.findsMultipleObjects, recorder: recorder))
  }

  /// Returns the candidates in a region and in its tiles, and whether there are tiles.
  ///
  /// `nil` is the whole picture.
  private func candidates(
    inTilesOf image: Image, _ region: BoundingBox?, recorder: LedgerRecorder? = nil
  ) throws(VisionError) -> (candidates: [Candidate], isMerged: Bool) {
    let whole = region ?? BoundingBox(image.size)
    let tiles = try options.tiling?.checkedTiles(of: whole) ?? []
    var candidates = try candidates(in: image, region: region, recorder: recorder)
    for (number, tile) in tiles.enumerated() {
      candidates += try self.candidates(in: image, region: tile, recorder: recorder).map {
        var candidate = $0
        candidate.tileOrigin = TileOrigin(tile: number, tile, of: whole, at: candidate.box)
        return candidate
      }
    }
    return (candidates, !tiles.isEmpty)
  }

  /// Returns the objects in each of several pictures.
  ///
  /// If the network accepts several pictures in one run and is faster that way, it gets four at a
  /// time. The results are the same as those of single calls.
  public func detect(in images: [Image]) throws(VisionError) -> [[Detection]] {
    try detect(in: images, batching: .whereFaster)
  }

  /// Detects objects in several pictures, with or without runs over several of them.
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

  /// The number of pictures in one run; 1 until several pictures at once were requested.
  package var picturesPerRun: Int { network.picturesPerRun }

  /// Returns the model's input tensor for a picture or a region of it, as `input` describes it.
  ///
  /// Another engine that runs the model on this tensor should give the same results.
  public func inputTensor(
    for image: Image, region: BoundingBox? = nil
  ) throws(VisionError) -> [UInt8] {
    try network.inputBytes(for: image, region: region)
  }

  /// Returns the candidates in one region, in pixels of the upright picture.
  private func candidates(
    in image: Image, region: BoundingBox?, recorder: LedgerRecorder? = nil
  ) throws(VisionError) -> [Candidate] {
    do {
      return try network.run(on: image, region: region) { outputs, mapping throws(VisionError) in
        guard let recorder else { return try read(outputs, mapping) }
        return try read(outputs, mapping, recorder)
      }
    } catch .implausible(let finding) {
      let advice = betterRange(for: image, region: region).map { "; \($0)" } ?? ""
      throw .implausible(finding + advice)
    }
  }

  /// Decodes the outputs, in pixels of the upright picture.
  private func read(
    _ outputs: [OutputTensor], _ mapping: PictureMapping
  ) throws(VisionError) -> [Candidate] {
    let candidates = try decoder.candidates(in: outputs, threshold: filter.lowestThreshold)
    return try plausibility.possible(candidates).map { $0.mapped(by: mapping) }
      .filter { $0.isInside(mapping) }
  }

  /// Decodes the outputs and records every candidate, including the ones that are dropped.
  private func read(
    _ outputs: [OutputTensor], _ mapping: PictureMapping, _ recorder: LedgerRecorder
  ) throws(VisionError) -> [Candidate] {
    let lowest = filter.lowestThreshold
    // A threshold of 0 lets every candidate through, as no probability is below 0.
    var numbered: [Candidate] = []
    for candidate in try decoder.candidates(in: outputs, threshold: min(lowest, 0)) {
      let entered = recorder.enter(candidate.mapped(by: mapping))
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
    return possible.map { $0.mapped(by: mapping) }.filter { candidate in
      let isInside = candidate.isInside(mapping)
      if !isInside { recorder.drop(candidate, .outside) }
      return isInside
    }
  }
}

extension DetectionDecoder {
  /// Whether the family is one of YOLO's.
  fileprivate var isYOLO: Bool {
    self is YOLORowsDecoder || self is DistributionDecoder || self is PairedRowsDecoder
  }
}

extension Candidate {
  /// Returns the candidate in pixels of the source picture.
  fileprivate func mapped(by mapping: PictureMapping) -> Candidate {
    let size = mapping.destination
    let (width, height) = (Double(size.width), Double(size.height))
    var mapped = self
    mapped.box = mapping.source(of: box.scaled(x: width, y: height))
    mapped.keypoints = keypoints.map {
      mapping.source(of: PixelPoint(x: $0.x * width, y: $0.y * height))
    }
    return mapped
  }

  /// Whether the box has something of the part of the picture that the network was shown.
  ///
  /// Networks also see things in the bars around a letterboxed picture.
  fileprivate func isInside(_ mapping: PictureMapping) -> Bool {
    let shown = mapping.sourceRegion.clipped(to: mapping.source)
    let common = box.intersection(shown)
    return common.width > 0 && common.height > 0
  }
}
