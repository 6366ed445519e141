import OcellusImaging
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

  static let definition = CommandDefinition(
    name: "detect", summary: "Find objects in pictures.",
    operand: PictureTask.operand,
    options: PictureOptions.definitionsWithLabels + ObjectOptions.definitions + [
      prominent.definition, PictureTask.annotation.definition, ledger.definition,
      occlusion.definition, RunRecord.option.definition,
    ] + PictureTask.definitions,
    discussion: """
      Boxes are in pixels of the upright picture, whatever way the camera was held. Models are \
      taken as they are: which output is what, the order of colours and the scale of values are \
      found out from metadata, names and the graph, and --explain says how.

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
    ])

  private let task: PictureTask
  private let objects: ObjectOptions
  private let keepsLedger: Bool
  private let occludedObject: Int?
  private let recordPath: String?
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    task = try PictureTask(arguments, of: Self.definition)
    var objects = try ObjectOptions(arguments, task.options)
    objects.detector.findsMultipleObjects = !(try arguments[Self.prominent])
    self.objects = objects
    keepsLedger = try arguments[Self.ledger]
    occludedObject = try arguments[Self.occlusion]
    recordPath = try RunRecord.path(arguments, of: task.options)
    self.arguments = arguments
  }

  func run(in context: CommandContext) throws -> ExitCode {
    try PublicModelOffer(.detector).make(unlessGiven: task.options.givenModelPath, in: context)
    let code = try task.run(
      in: context, model: task.options.modelSource(orElse: .detector),
      reading: objects.inputPaths,
      wholly: objects.needsWholePictures,
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
      occlusion: occlusion, warnings: picture.warnings)
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
