import OcellusImaging
import OcellusPlatform
import OcellusVision

/// `ocellus detect`: finds objects in pictures.
struct DetectCommand: Command {
  private static let classifier = Option<String?>.text(
    "classifier", "MODEL", accepts: .file,
    help: "A model that names each object from its part of the picture.")
  private static let threshold = Option<Double?>.number(
    "threshold", "SCORE", in: 0...1,
    help: "Objects that score less are dropped. Default: as the model has it.")
  private static let maximum = Option<Int?>.integer(
    "max", "N", in: 1...(.max), help: "The most objects for a picture, the best ones.")
  private static let only = Option<[String]>.list(
    "only", "LABEL[,LABEL...]", help: "Only objects of these classes.")
  private static let except = Option<[String]>.list(
    "except", "LABEL[,LABEL...]", help: "No objects of these classes.")
  private static let region = Option<String?>.text(
    "roi", "X,Y,W,H", help: "The part of the pictures to look at, in upright pixels.")
  private static let tiling = Option<String?>.text(
    "tile", "COLUMNSxROWS",
    help: "Look at overlapping parts besides the whole: finds what is small in large pictures.")
  private static let anchors = Option<String?>.text(
    "anchors", "FILE", accepts: .file,
    help: "The anchors of a model that needs them and does not carry them.")
  private static let outputs = Option<String?>.text(
    "outputs", "B,C,S[,N]",
    help: """
      Which outputs are boxes, classes, scores and their count, by number, for models that do not \
      tell.
      """)
  private static let prominent = Option.flag(
    "prominent", help: "Only the most prominent object: sure, large and near the middle.")
  private static let annotation = Option<String?>.text(
    "annotate", "OUT", accepts: .file,
    help: "Write the picture with boxes and names; of several pictures each into the folder OUT.")
  private static let explain = Option.flag(
    "explain", help: "Say what was found out about the model, and from what.")

  private static let ledger = Option.flag(
    "ledger",
    help: """
      Account for everything that the network proposed: what was kept, what was dropped, and why.
      """)
  private static let occlusion = Option<Int?>.integer(
    "occlusion", "N", in: 1...(.max),
    help: """
      Show what the N-th object depends on: cover one part of the picture after the other, and look \
      again. With --annotate the loss of score lies over the picture.
      """)
  private static let inputDump = Option<String?>.text(
    "dump-input", "OUT.npy", accepts: .file,
    help: "Write the tensor that the model is shown, for the first picture, to run it elsewhere.")

  static let definition = CommandDefinition(
    name: "detect", summary: "Find objects in pictures.",
    operand: OperandDefinition(
      "IMAGE", count: 1...Int.max, help: "pictures: PNG, JPEG, PPM, BMP or NPY"),
    options: PictureOptions.definitions + [
      classifier.definition, threshold.definition, maximum.definition, only.definition,
      except.definition, region.definition, tiling.definition, anchors.definition,
      outputs.definition, prominent.definition, annotation.definition, explain.definition,
      ledger.definition, occlusion.definition, inputDump.definition,
      RunRecord.option.definition,
    ] + ReportFormat.definitions,
    discussion: """
      Boxes are in pixels of the upright picture, whatever way the camera was held. Models are \
      taken as they are: which output is what, the order of colours and the scale of values are \
      found out from metadata, names and the graph, and --explain says how.

      A picture that cannot be read is reported, the others are still looked at, and the exit code \
      is 1.
      """,
    examples: [
      .init(arguments: "photo.jpg -m ssd.tflite", purpose: "A table of what is in the photo."),
      .init(
        arguments: "*.jpg -m ssd.tflite --jsonl --threshold 0.6",
        purpose: "One line of JSON for each picture."),
      .init(
        arguments: "photo.jpg -m ssd.tflite --annotate boxes.png --explain",
        purpose: "See the boxes, and how the model was understood."),
    ])

  private let paths: [String]
  private let options: PictureOptions
  private let detectorOptions: ObjectDetector.Options
  private let classifierPath: String?
  private let region: BoundingBox?
  private let anchorsPath: String?
  private let annotationPath: String?
  private let inputDumpPath: String?
  private let explains: Bool
  private let keepsLedger: Bool
  private let occludedObject: Int?
  private let format: ReportFormat
  private let recordPath: String?
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.operands
    options = try PictureOptions(arguments)
    var detector = ObjectDetector.Options(
      input: options.input, threads: options.threads, budget: options.budget,
      numerics: options.numerics)
    detector.scoreThreshold = try arguments[Self.threshold].map { Float($0) }
    detector.maximumResults = try arguments[Self.maximum]
    let only = try arguments[Self.only]
    if !only.isEmpty { detector.allowedLabels = Set(only) }
    detector.deniedLabels = Set(try arguments[Self.except])
    detector.findsMultipleObjects = !(try arguments[Self.prominent])
    if let text = try arguments[Self.tiling] {
      let grid = try PixelSize(option: "tile", text)
      guard grid.width * grid.height <= 4096 else {
        throw UsageError("--tile wants at most 4096 parts, not \(grid.width * grid.height)")
      }
      detector.tiling = Tiling(columns: grid.width, rows: grid.height)
    }
    if let text = try arguments[Self.outputs] {
      detector.decoder = PostProcessedDecoder(roles: try .init(option: "outputs", text))
    }
    detectorOptions = detector
    classifierPath = try arguments[Self.classifier]
    region = try arguments[Self.region].map { text throws(UsageError) in
      try BoundingBox(option: "roi", text)
    }
    anchorsPath = try arguments[Self.anchors]
    annotationPath = try arguments[Self.annotation]
    inputDumpPath = try arguments[Self.inputDump]
    explains = try arguments[Self.explain]
    keepsLedger = try arguments[Self.ledger]
    occludedObject = try arguments[Self.occlusion]
    format = try ReportFormat(arguments)
    recordPath = try arguments[RunRecord.option]
    self.arguments = arguments
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let recognizer = try recognizer()
    let detector = recognizer.detector
    if explains { context.errors.write(detector.explanation.description.printable + "\n") }
    for warning in detector.explanation.warnings { context.complain("warning: \(warning)") }
    let code = PictureLoop(paths: paths, format: format).run(in: context) { path in
      try detect(path, with: recognizer, in: context)
    }
    if let recordPath {
      try RunRecord.write(
        Self.self, arguments, modelPath: self.options.modelPath(orElse: .detector), to: recordPath)
    }
    return code
  }

  private func recognizer() throws -> ObjectRecognizer {
    var options = detectorOptions
    options.labels = try self.options.labels()
    options.anchors = try anchorsPath.map { try AnchorSource(contentsOf: $0) }
    let detector = try ObjectDetector(
      path: self.options.modelPath(orElse: .detector), options: options)
    let classifier = try classifierPath.map {
      try ImageLabeler(
        path: $0,
        options: .init(threads: self.options.threads, numerics: self.options.numerics))
    }
    return ObjectRecognizer(
      detector, classifier: classifier, options: .init(mode: .singleImage))
  }

  private func detect(
    _ path: String, with recognizer: ObjectRecognizer, in context: CommandContext
  ) throws -> DetectionReport {
    let start = MonotonicTime.now
    let detector = recognizer.detector
    let needsAll =
      classifierPath != nil || region != nil || annotationPath != nil
      || detector.options.tiling != nil
    let picture = try options.picture(
      path, minimumSize: needsAll ? nil : detector.input.tensor.size.doubled)
    if let inputDumpPath, path == paths.first {
      try detector.dumpInput(for: picture.image, region: region, to: inputDumpPath)
    }
    let found = try recognizer.process(picture.image, region: region)
    let scale = (
      x: Double(picture.sourceSize.width) / Double(picture.image.size.width),
      y: Double(picture.sourceSize.height) / Double(picture.image.size.height)
    )
    let occlusion = try occludedObject.map {
      try occlusionMap(of: $0, among: found, in: picture.image, detector, context)
    }
    let annotated = try annotationPath.map {
      try annotate(picture.image, with: found, occlusion, from: path, to: $0)
    }
    let ledger = keepsLedger ? try detector.ledger(for: picture.image, region: region) : nil
    return DetectionReport(
      path: path, size: picture.sourceSize,
      detections: scale == (1, 1) ? found : found.map { $0.scaled(x: scale.x, y: scale.y) },
      milliseconds: start.millisecondsToNow, annotatedPath: annotated,
      ledger: ledger.map { LedgerReport(ledger: $0, scale: scale) }, occlusion: occlusion,
      warnings: picture.warnings)
  }

  private func occlusionMap(
    of number: Int, among found: [Detection], in image: Image, _ detector: ObjectDetector,
    _ context: CommandContext
  ) throws -> OcclusionMap {
    guard found.indices.contains(number - 1) else {
      throw RunError("there is no object \(number): \(found.count) were found")
    }
    let progress = ProgressLine(in: context)
    defer { progress.clear() }
    return try detector.occlusionMap(of: found[number - 1], in: image) {
      progress.show("part \($0) of the picture")
    }
  }

  /// Writes the annotated picture, and says where.
  private func annotate(
    _ image: Image, with detections: [Detection], _ occlusion: OcclusionMap?, from path: String,
    to target: String
  ) throws -> String {
    var canvas = try Canvas(image)
    if let occlusion {
      canvas.heatMap(
        occlusion.shares, columns: occlusion.columns, in: BoundingBox(canvas.size))
    }
    let annotated = try canvas.image.annotated(with: detections)
    var file = target
    if paths.count > 1 {
      try FileSystem.createDirectory(target)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      file = "\(target)/\(name).png"
    }
    try annotated.write(to: file)
    return file
  }
}

extension PostProcessedDecoder.Roles {
  /// The positions in a text like `1,3,0,2`.
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

extension ObjectDetector {
  /// Writes the tensor that the model is shown as a NumPy array.
  fileprivate func dumpInput(for image: Image, region: BoundingBox?, to path: String) throws {
    let tensor = input.tensor
    let sides = [tensor.size.height, tensor.size.width]
    let shape =
      tensor.layout == .nhwc
      ? [1] + sides + [tensor.channels.count] : [1, tensor.channels.count] + sides
    let element: NPYElement =
      switch tensor.element {
      case .uint8: .uint8
      case .int8: .int8
      case .int16: .int16
      case .float32: .float32
      }
    let bytes = try inputTensor(for: image, region: region)
    try FileSystem.write(NPYArray(element: element, shape: shape, bytes: bytes).file, to: path)
  }
}
