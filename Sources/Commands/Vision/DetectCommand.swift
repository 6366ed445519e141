import OcellusImaging
import OcellusVision

/// `ocellus detect`: finds objects in pictures.
struct DetectCommand: Command {
  private static let prominent = Option.flag(
    "prominent", help: "Only the most prominent object: sure, large and near the middle.")

  static let definition = CommandDefinition(
    name: "detect", summary: "Find objects in pictures.",
    operand: PictureTask.operand,
    options: PictureOptions.definitionsWithLabels + ObjectOptions.definitions + [
      prominent.definition, PictureTask.annotation.definition,
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

  init(_ arguments: ParsedArguments) throws(UsageError) {
    task = try PictureTask(arguments)
    var objects = try ObjectOptions(arguments, task.options)
    objects.detector.findsMultipleObjects = !(try arguments[Self.prominent])
    self.objects = objects
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let modelPath = try task.options.modelPath(orElse: .detector)
    return try task.run(
      in: context, model: modelPath, reading: objects.inputPaths,
      wholly: objects.needsWholePictures,
      open: { try objects.recognizer(modelPath, .init(mode: .singleImage)) },
      look: { try report(on: $1, by: $0) })
  }

  private func report(
    on picture: PictureAtWork, by recognizer: ObjectRecognizer
  ) throws -> DetectionReport {
    let found = try recognizer.process(picture.image, region: task.region)
    let milliseconds = picture.milliseconds
    let scale = picture.scale
    return DetectionReport(
      path: picture.path, size: picture.size,
      detections: scale == (1, 1) ? found : found.map { $0.scaled(x: scale.x, y: scale.y) },
      milliseconds: milliseconds,
      annotatedPath: try picture.write { try $0.annotated(with: found) },
      warnings: picture.warnings)
  }
}
