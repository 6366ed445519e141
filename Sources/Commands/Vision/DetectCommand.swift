import OcellusImaging
import OcellusProof
import OcellusVision

/// `ocellus detect`: finds objects in pictures.
struct DetectCommand: Command {
  private static let prominent = Option.flag(
    "prominent",
    help: "Only the most prominent object, by score, size and distance from the centre.")
  private static let ledger = Option.flag(
    "ledger",
    help: """
      List every candidate of the network: which were kept, which were dropped, and why.
      """)
  private static let occlusion = Option<Int?>.integer(
    "occlusion", "N", in: 1...(.max),
    help: """
      Show what the N-th object depends on: cover one part of the picture after the other, and look \
      again. With --annotate, draw the loss of score over the picture.
      """)

  private static let bounds = Option.flag(
    "bounds",
    help: """
      Tell which objects no correct engine can flip, whatever it rounds: by how much scores and boxes may       differ, and by how much all outputs may before an object is lost or becomes another.
      """)

  static let definition = CommandDefinition(
    name: "detect", summary: "Find objects in pictures.",
    operand: PictureTask.operand,
    options: PictureOptions.definitionsWithLabels + ObjectOptions.definitions + [
      prominent.definition, PictureTask.annotation.definition, ledger.definition,
      occlusion.definition, bounds.definition,
    ] + BoundsOptions.definitions + [RunRecord.option.definition] + PictureTask.definitions,
    discussion: """
      Boxes are in pixels of the upright picture, whatever way the camera was held. Models are \
      taken as they are: which output is what, the order of colours and the scale of values are \
      found out from metadata, names and the graph, and --explain says how.

      With --bounds, each object cannot flip, or may: fall under the threshold, become another class, be \
      suppressed by a box that overlaps it about as much as allowed, or lose its place among the --max \
      best. Floats are bounded through the whole network, as 'ocellus bound --through' does; integers are \
      those of the official reference kernels, which are exact. Where bounds through the network are \
      wider than scores are apart, nothing is decided by them, and what remains is 'holds within': all \
      outputs may be off by so many quantization steps, or by such a share of their largest number, \
      before the object may flip. 'ocellus diff' tells by how much those of another engine are off.

      \(PictureTask.promise)
      """,
    examples: [
      .init(arguments: "photo.jpg -m ssd.tflite", purpose: "A table of what is in the photo."),
      .init(
        arguments: "*.jpg -m ssd.tflite --jsonl --threshold 0.6",
        purpose: "One line of JSON for each picture."),
      .init(
        arguments: "photo.jpg -m ssd.tflite --annotate boxes.png --explain",
        purpose: "See the boxes, and how the model was understood."),
      .init(
        arguments: "photo.jpg -m ssd.tflite --bounds",
        purpose: "Which objects might another engine not find?"),
    ])

  private let task: PictureTask
  private let objects: ObjectOptions
  private let keepsLedger: Bool
  private let occludedObject: Int?
  /// How precise engines are whose results are bounded; `nil`: none are.
  private let arithmetic: BoundsArithmetic?
  private let recordPath: String?
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    task = try PictureTask(arguments, of: Self.definition)
    var objects = try ObjectOptions(arguments, task.options)
    objects.detector.findsMultipleObjects = !(try arguments[Self.prominent])
    self.objects = objects
    keepsLedger = try arguments[Self.ledger]
    occludedObject = try arguments[Self.occlusion]
    let isBounded = try arguments[Self.bounds]
    if !isBounded, try BoundsOptions.areGiven(arguments) {
      throw UsageError("--factors and --function-units say how --bounds are computed")
    }
    arithmetic = isBounded ? try BoundsOptions.read(arguments, for: task.options.numerics) : nil
    recordPath = try RunRecord.path(arguments, of: task.options)
    self.arguments = arguments
  }

  func run(in context: CommandContext) throws -> ExitCode {
    try PublicModelOffer(.detector).make(unlessGiven: task.options.givenModelPath, in: context)
    let code = try task.run(
      in: context, model: task.options.modelSource(orElse: .detector),
      reading: objects.inputPaths,
      wholly: objects.needsWholePictures || arithmetic != nil,
      open: { try objects.recognizer($0, .init(mode: .singleImage)) },
      look: { try report(on: $1, by: $0, context) })
    if let recordPath {
      let modelPath = try task.options.modelPath(orElse: .detector)
      try RunRecord.write(Self.self, arguments, modelPath: modelPath, to: recordPath)
    }
    return code
  }

  private func report(
    on picture: ProcessedPicture, by recognizer: ObjectRecognizer, _ context: CommandContext
  ) throws -> DetectionReport {
    let found = try recognizer.process(picture.image, region: task.region)
    let milliseconds = picture.milliseconds
    let detector = recognizer.detector
    let occlusion = try occludedObject.map {
      try occlusionMap(of: $0, among: found, in: picture.image, detector, context)
    }
    let ledger = keepsLedger ? try detector.ledger(for: picture.image, region: task.region) : nil
    let bounds = try arithmetic.map {
      try DetectionBounds(
        of: found, by: detector, on: picture.image, region: task.region, $0,
        isRenamed: recognizer.classifier != nil)
    }
    return DetectionReport(
      path: picture.path, size: picture.size,
      detections: found.map { $0.placed(in: picture.decoded) },
      milliseconds: milliseconds,
      annotatedPath: try picture.write { image in
        guard let occlusion else { return try image.annotated(with: found) }
        var canvas = try Canvas(image)
        canvas.heatMap(
          occlusion.shares, columns: occlusion.columns, in: BoundingBox(canvas.size))
        return try canvas.image.annotated(with: found)
      },
      ledger: ledger.map { LedgerReport(ledger: $0, picture: picture.decoded) },
      occlusion: occlusion,
      bounds: bounds.map {
        DetectionBoundsReport(bounds: $0, detections: found, picture: picture.decoded)
      }, warnings: picture.warnings)
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
}
