import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// `ocellus label`: says what is in pictures.
struct LabelCommand: Command {
  private static let threshold = Option<Double?>.number(
    "threshold", "SCORE", in: 0...1,
    help: "Classes that score less are dropped. Default: as the model has it, or 0.")
  private static let maximum = Option<Int>.integer(
    "max", "N", in: 1...(.max), default: 5, help: "The most classes for a picture, the best ones.")
  private static let only = Option<[String]>.list(
    "only", "LABEL[,LABEL...]", help: "Only these classes.")
  private static let except = Option<[String]>.list(
    "except", "LABEL[,LABEL...]", help: "Not these classes.")
  private static let region = Option<String?>.text(
    "roi", "X,Y,W,H", help: "The part of the pictures to look at, in upright pixels.")
  private static let activation = Option<ScoreActivation?>.choice(
    "activation", "NAME", of: [("none", .none), ("sigmoid", .sigmoid), ("softmax", .softmax)],
    help: "What makes scores of the model's numbers: none, sigmoid or softmax. Default: found out.")
  private static let explain = Option.flag(
    "explain", help: "Say what was found out about the model, and from what.")

  static let definition = CommandDefinition(
    name: "label", summary: "Say what is in pictures, with a classification model.",
    operand: OperandDefinition(
      "IMAGE", count: 1...Int.max, help: "pictures: PNG, JPEG, PPM, BMP or NPY"),
    options: PictureOptions.definitions + [
      threshold.definition, maximum.definition, only.definition, except.definition,
      region.definition, activation.definition, explain.definition,
      RunRecord.option.definition,
    ] + ReportFormat.definitions,
    discussion: """
      A picture that cannot be read is reported, the others are still looked at, and the exit code \
      is 1.
      """,
    examples: [
      .init(arguments: "flower.jpg -m export/", purpose: "With a model as AutoML exports it."),
      .init(
        arguments: "*.jpg -m mobilenet.tflite --labels imagenet.txt --max 1 --csv",
        purpose: "The best class of every picture."),
    ])

  private let paths: [String]
  private let options: PictureOptions
  private let labelerOptions: ImageLabeler.Options
  private let region: BoundingBox?
  private let explains: Bool
  private let format: ReportFormat
  private let recordPath: String?
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.operands
    options = try PictureOptions(arguments)
    var labeler = ImageLabeler.Options(
      input: options.input, threads: options.threads, budget: options.budget,
      numerics: options.numerics)
    labeler.scoreThreshold = try arguments[Self.threshold].map { Float($0) }
    labeler.maximumResults = try arguments[Self.maximum]
    let only = try arguments[Self.only]
    if !only.isEmpty { labeler.allowedLabels = Set(only) }
    labeler.deniedLabels = Set(try arguments[Self.except])
    labeler.activation = try arguments[Self.activation]
    labelerOptions = labeler
    region = try arguments[Self.region].map { text throws(UsageError) in
      try BoundingBox(option: "roi", text)
    }
    explains = try arguments[Self.explain]
    format = try ReportFormat(arguments)
    recordPath = try arguments[RunRecord.option]
    self.arguments = arguments
  }

  func run(in context: CommandContext) throws -> ExitCode {
    var options = labelerOptions
    options.labels = try self.options.labels()
    let labeler = try ImageLabeler(path: self.options.modelPath(orElse: .labeler), options: options)
    if explains { context.errors.write(labeler.explanation.description.printable + "\n") }
    for warning in labeler.explanation.warnings { context.complain("warning: \(warning)") }
    let code = PictureLoop(paths: paths, format: format).run(in: context) { path in
      try label(path, with: labeler)
    }
    if let recordPath {
      try RunRecord.write(
        Self.self, arguments, modelPath: self.options.modelPath(orElse: .labeler), to: recordPath)
    }
    return code
  }

  private func label(_ path: String, with labeler: ImageLabeler) throws -> LabelReport {
    let start = MonotonicTime.now
    let picture = try options.picture(
      path, minimumSize: region == nil ? labeler.input.tensor.size.doubled : nil)
    let categories = try labeler.labels(in: picture.image, region: region)
    return LabelReport(
      path: path, size: picture.sourceSize, categories: categories,
      milliseconds: start.millisecondsToNow, warnings: picture.warnings)
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

  var json: JSONValue {
    [
      "image": .string(path), "width": .integer(size.width), "height": .integer(size.height),
      "labels": .array(categories.map(\.json)), "milliseconds": .number(milliseconds),
      "warnings": .array(warnings.map { .string($0) }),
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
