import OcellusImaging
import OcellusJSON
import OcellusVision

/// `ocellus label`: classifies pictures.
struct LabelCommand: Command {
  private static let options: [OptionDefinition] =
    PictureOptions.definitionsWithLabels + LabelOptions.definitions
    + [RunRecord.option.definition] + PictureTask.definitions

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
  private let labeling: LabelOptions
  private let recordPath: String?
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    task = try PictureTask(arguments, of: Self.definition)
    labeling = try LabelOptions(arguments, task.options)
    recordPath = try RunRecord.path(arguments, of: task.options)
    self.arguments = arguments
  }

  func run(in context: CommandContext) throws -> ExitCode {
    try PublicModelOffer(.labeler).make(unlessGiven: task.options.givenModelPath, in: context)
    let code = try task.run(
      in: context, model: task.options.modelSource(orElse: .labeler),
      open: { try labeling.labeler($0) },
      look: { labeler, picture in
        let categories = try labeler.labels(in: picture.image, region: task.region)
        return LabelReport(
          path: picture.path, size: picture.size, categories: categories,
          milliseconds: picture.milliseconds, warnings: picture.warnings)
      })
    if let recordPath {
      let modelPath = try task.options.modelPath(orElse: .labeler)
      try RunRecord.write(Self.self, arguments, modelPath: modelPath, to: recordPath)
    }
    return code
  }
}

/// The classes of a whole picture.
struct LabelReport: PictureReport {
  let path: String
  let size: PixelSize
  let categories: [Category]
  let milliseconds: Double
  let warnings: [String]

  static let columns: [TextTable.Column] = [.left("label"), .right("score"), .right("class")]

  var heading: String {
    let result = categories.isEmpty ? "no class above the threshold, " : ""
    return "\(path): \(size), \(result)\(milliseconds.fixed(1)) ms"
  }

  var json: JSONObject {
    PictureDocument(path: path, size: size, milliseconds: milliseconds, warnings: warnings)
      .labels(categories)
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
