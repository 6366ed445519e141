import OcellusImaging
import OcellusVision

/// The options of all commands that detect objects: which objects, and how outputs are decoded.
struct ObjectOptions {
  private static let classifier = Option<String?>.text(
    "classifier", "MODEL", accepts: .model,
    help: "A model that names each object from its part of the picture.")
  private static let threshold = Option<Double?>.number(
    "threshold", "SCORE", in: 0...1,
    help: "Objects that score less are dropped. Default: as the model has it, or 0.25.")
  private static let overlap = Option<Double?>.number(
    "iou", "SHARE", in: 0...1,
    help: """
      How much two boxes may overlap, as intersection over union, before the lesser one is dropped. \
      Default: as the model's family has it.
      """)
  private static let maximum = Option<Int?>.integer(
    "max", "N", in: 1...(.max), help: "The most objects for a picture, the best ones.")
  private static let tiling = Option<String?>.text(
    "tile", "SIDE|COLUMNSxROWS",
    help: """
      Look at overlapping parts besides the whole, squares of SIDE pixels or a grid: finds what is small in \
      large pictures.
      """)
  private static let tileOverlap = Option<Double?>.number(
    "overlap", "SHARE", in: 0...0.9,
    help: "With --tile: how much of a part the next one shows as well. Default: 0.2.")
  private static let anchors = Option<String?>.text(
    "anchors", "FILE|NAME", accepts: .file,
    help: """
      The anchors of a model that needs them and does not carry them: a file, or those that a version of \
      YOLO is published with: \(YOLOAnchors.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  private static let outputs = Option<String?>.text(
    "outputs", "B,C,S[,N]",
    help: """
      Which outputs are boxes, classes, scores and their count, by number, for models that do not \
      tell.
      """)

  /// The options in the order of the help page.
  static let definitions =
    [classifier.definition, threshold.definition, overlap.definition, maximum.definition]
    + ClassOptions.definitions
    + [tiling.definition, tileOverlap.definition, anchors.definition, outputs.definition]

  /// The requested options of the detector.
  var detector: ObjectDetector.Options
  private let pictures: PictureOptions
  private let classifierPath: String?
  private let standardAnchors: YOLOAnchors?
  private let anchorsPath: String?

  init(_ arguments: ParsedArguments, _ pictures: PictureOptions) throws(UsageError) {
    self.pictures = pictures
    var detector = ObjectDetector.Options(
      input: pictures.input, threads: pictures.threads, budget: pictures.budget,
      numerics: pictures.numerics)
    detector.scoreThreshold = try arguments[Self.threshold].map { Float($0) }
    detector.maximumOverlap = try arguments[Self.overlap].map { Float($0) }
    detector.maximumResults = try arguments[Self.maximum]
    let classes = try ClassOptions(arguments)
    detector.allowedLabels = classes.allowed
    detector.deniedLabels = classes.denied
    let overlap = try arguments[Self.tileOverlap]
    if let text = try arguments[Self.tiling] {
      detector.tiling = try Tiling(option: "tile", text, overlap: overlap ?? 0.2)
    } else if overlap != nil {
      throw UsageError("--overlap is that of the parts that --tile asks for")
    }
    if let text = try arguments[Self.outputs] {
      detector.decoder = PostProcessedDecoder(roles: try .init(option: "outputs", text))
    }
    self.detector = detector
    classifierPath = try arguments[Self.classifier]
    let anchors = try arguments[Self.anchors]
    standardAnchors = anchors.flatMap { YOLOAnchors(rawValue: $0) }
    anchorsPath = standardAnchors == nil ? anchors : nil
  }

  /// The paths of files that are read besides pictures, model and labels.
  var inputPaths: [String] { [classifierPath, anchorsPath].compactMap(\.self) }

  /// Whether the picture is needed at a higher resolution than the detector's input.
  var needsWholePictures: Bool { classifierPath != nil || detector.tiling != nil }

  /// Makes the detector with, if requested, a classifier of its objects.
  func recognizer(
    _ model: ModelSource, _ options: ObjectRecognizer.Options
  ) throws -> ObjectRecognizer {
    var detectorOptions = detector
    detectorOptions.labels = try pictures.labels()
    detectorOptions.defaultModel = model.defaultModel
    detectorOptions.anchors =
      try anchorsPath.map { try AnchorSource(contentsOf: $0) }
      ?? standardAnchors.map { .standard($0) }
    let detector = try model.open(
      at: { [detectorOptions] in try ObjectDetector(path: $0, options: detectorOptions) },
      or: { [detectorOptions] in try ObjectDetector($0, options: detectorOptions) })
    let classifier = try classifierPath.map {
      try ImageLabeler(
        path: $0,
        options: .init(
          threads: pictures.threads, budget: pictures.budget, numerics: pictures.numerics))
    }
    return ObjectRecognizer(detector, classifier: classifier, options: options)
  }
}

extension Tiling {
  /// Parses a tiling such as `640` or `3x2`.
  fileprivate init(option name: String, _ text: String, overlap: Double) throws(UsageError) {
    if let side = Int(text), side > 0 {
      self.init(side: side, overlap: overlap)
      return
    }
    let grid = try PixelSize(option: name, text)
    guard grid.width * grid.height <= Tiling.maximumTiles else {
      throw UsageError(
        "--\(name) wants at most \(Tiling.maximumTiles) parts, not \(grid.width * grid.height)")
    }
    self.init(columns: grid.width, rows: grid.height, overlap: overlap)
  }
}

extension PostProcessedDecoder.Roles {
  /// Parses positions of outputs such as `1,3,0,2`.
  fileprivate init(option name: String, _ text: String) throws(UsageError) {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { Int($0) }.filter { (0..<1000).contains($0) }
    guard (3...4).contains(numbers.count), fields.count == numbers.count,
      Set(numbers).count == numbers.count
    else {
      throw UsageError(
        "--\(name) wants the numbers of boxes, classes, scores and perhaps their count, not '\(text)'"
      )
    }
    self.init(
      boxes: numbers[0], categories: numbers[1], scores: numbers[2],
      count: numbers.count == 4 ? numbers[3] : nil)
  }
}
