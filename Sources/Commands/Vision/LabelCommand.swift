import OcellusImaging
import OcellusJSON
import OcellusVision

/// `ocellus label`: says what is in pictures.
struct LabelCommand: Command {
  private static let threshold = Option<Double?>.number(
    "threshold", "SCORE", in: 0...1,
    help: "Classes that score less are dropped. Default: as the model has it, or 0.")
  private static let maximum = Option<Int>.integer(
    "max", "N", in: 1...(.max), default: 5, help: "The most classes for a picture, the best ones.")
  private static let activation = Option<ScoreActivation?>.choice(
    "activation", "NAME", of: [("none", .none), ("sigmoid", .sigmoid), ("softmax", .softmax)],
    help: "What makes scores of the model's numbers: none, sigmoid or softmax. Default: found out.")

  private static let options: [OptionDefinition] =
    PictureOptions.definitionsWithLabels + [threshold.definition, maximum.definition]
    + ClassOptions.definitions
    + [activation.definition, PictureTask.output.definition, RunRecord.option.definition]
    + PictureTask.definitions

  static let definition = CommandDefinition(
    name: "label", summary: "Say what is in pictures, with a classification model.",
    operand: PictureTask.operand,
    options: options,
    discussion: PictureTask.promise,
    examples: [
      .init(arguments: "flower.jpg -m export/", purpose: "With a model as AutoML exports it."),
      .init(
        arguments: "*.jpg -m mobilenet.tflite --labels imagenet.txt --max 1 --csv",
        purpose: "The best class of every picture."),
    ])

  private let task: PictureTask
  private let labelerOptions: ImageLabeler.Options
  private let recordPath: String?
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    task = try PictureTask(arguments)
    let options = task.options
    var labeler = ImageLabeler.Options(
      input: options.input, threads: options.threads, budget: options.budget,
      numerics: options.numerics)
    labeler.scoreThreshold = try arguments[Self.threshold].map { Float($0) }
    labeler.maximumResults = try arguments[Self.maximum]
    let classes = try ClassOptions(arguments)
    labeler.allowedLabels = classes.allowed
    labeler.deniedLabels = classes.denied
    labeler.output = task.output
    labeler.activation = try arguments[Self.activation]
    labelerOptions = labeler
    recordPath = try RunRecord.path(arguments, of: task.options)
    self.arguments = arguments
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let modelPath = try task.options.modelPath(orElse: .labeler)
    let code = try task.run(
      in: context, model: modelPath,
      open: { source in
        var options = labelerOptions
        options.labels = try task.options.labels()
        return try source.open(
          at: { [options] in try ImageLabeler(path: $0, options: options) },
          or: { [options] in try ImageLabeler($0, options: options) })
      },
      look: { labeler, picture in
        let categories = try labeler.labels(in: picture.image, region: task.region)
        return LabelReport(
          path: picture.path, size: picture.size, categories: categories,
          milliseconds: picture.milliseconds, warnings: picture.warnings)
      })
    if let recordPath {
      try RunRecord.write(Self.self, arguments, modelPath: modelPath, to: recordPath)
    }
    return code
  }
}

/// What a picture shows as a whole.
struct LabelReport: PictureReport {
  let path: String
  let size: PixelSize
  let categories: [Category]
  let milliseconds: Double
  let warnings: [String]

  static let columns: [TextTable.Column] = [.left("label"), .right("score"), .right("class")]

  var heading: String { "\(path): \(size), \(milliseconds.fixed(1)) ms" }

  var json: JSONObject {
    [
      "image": .string(path), "width": .integer(size.width), "height": .integer(size.height),
      "labels": .array(categories.map(\.json)), "milliseconds": .number(milliseconds),
      "warnings": .strings(warnings),
    ]
  }

  func rows(exactly: Bool) -> [[String]] {
    categories.map { category in
      [
        category.label ?? (exactly ? "" : "-"),
        exactly ? "\(category.score)" : Double(category.score).fixed(3), "\(category.index)",
      ]
    }
  }
}
