import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// `ocellus evaluate`: measures the quality of detections or labels.
struct EvaluateCommand: Command {
  static let annotations = Option<String?>.text(
    "annotations", "TRUTH", accepts: .file,
    help: """
      What is in the pictures. Of detectors: a JSON file as COCO has it, or a folder as PASCAL VOC or YOLO \
      have it. Of labelers: a folder with a folder of pictures for each class, or a table (.csv, .tsv) of \
      files and classes.
      """)
  static let images = Option<String?>.text(
    "images", "DIR", accepts: .file,
    help: "The folder of the pictures. Default: looked for beside the annotations.")
  static let score = Option<Double?>.number(
    "score", "SCORE", in: 0...1,
    help: """
      The score from which detections count in the confusion matrix and for the worst pictures. Default: \
      0.25.
      """)
  /// The default score from which objects count in the confusion matrix.
  static let usualScore = 0.25
  private static let worst = Option<Int>.integer(
    "worst", "N", in: 0...1_000_000, default: 10, help: "The worst pictures to be named.")
  private static let curves = Option<String?>.text(
    "curves", "OUT.svg", accepts: .newFile,
    help: "Draw precision over recall for each class; '-' is standard output.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of tables.")

  private static let modelOptions =
    PictureOptions.definitionsWithLabels.filter { $0.name != "model" } + ObjectOptions.definitions
    + LabelOptions.definitions.filter { option in
      !ObjectOptions.definitions.contains { $0.name == option.name }
    }

  static let definition = CommandDefinition(
    name: "evaluate", summary: "Measure how good detections or labels are.",
    operand: OperandDefinition(
      "RESULTS|MODEL", accepts: .model,
      help: """
        what 'detect', 'label' or 'worker' printed as JSON, a list of results as COCO has it, or a model, \
        which is shown the pictures; '-' is results on standard input
        """),
    options: [
      annotations.definition, images.definition, score.definition, worst.definition,
      curves.definition, OutputClaims.force.definition, json.definition,
    ] + modelOptions,
    discussion: """
      Detections are measured as COCO does: mean average precision at overlaps from 0.5 to 0.95, at 0.5, at \
      0.75 and by size, and recall; the numbers are those of pycocotools. Labels are measured by how often \
      the first answer is right, and one of the first five.

      Classes are matched by name, whatever its case, spaces, hyphens and underscores. A model or \
      results without names need --labels: a name on each line, the first for class 0. Numbers are \
      matched only where the annotations have nothing but numbers, where both have a single class, \
      and in lists as COCO has them. Answers of other classes are ignored. Pictures without results count as having no detections. A model is asked for everything from a \
      score of 0.001 on, unless --threshold says otherwise.
      """,
    examples: [
      .init(
        arguments: "ssd.tflite --annotations coco/instances_val.json --images coco/val",
        purpose: "How good a detector is."),
      .init(
        arguments: "found.jsonl --annotations labels/ --curves curves.svg --json",
        purpose: "The same for existing results, with curves."),
      .init(
        arguments: "flowers.tflite --annotations flowers/",
        purpose: "How good a labeler is, on a folder for each class."),
    ])

  private let operand: String
  private let annotationsPath: String
  private let imagesPath: String?
  private let scoreThreshold: Double
  private let worstCount: Int
  private let curvesPath: String?
  private let isForced: Bool
  private let isJSON: Bool
  private let model: EvaluatedModel

  init(_ arguments: ParsedArguments) throws(UsageError) {
    operand = arguments.operands[0]
    guard let path = try arguments[Self.annotations] else {
      throw UsageError("evaluate needs annotations: --annotations TRUTH")
    }
    annotationsPath = path
    imagesPath = try arguments[Self.images]
    scoreThreshold = try arguments[Self.score] ?? Self.usualScore
    worstCount = try arguments[Self.worst]
    curvesPath = try arguments[Self.curves]
    isForced = try arguments[OutputClaims.force]
    isJSON = try arguments[Self.json]
    let pictures = try PictureOptions(arguments)
    model = EvaluatedModel(
      path: operand, pictures: pictures, objects: try ObjectOptions(arguments, pictures),
      labeling: try LabelOptions(arguments, pictures))
  }

  func run(in context: CommandContext) throws -> ExitCode {
    var claims = OutputClaims(
      reading: [operand, annotationsPath] + model.pictures.inputPaths + model.objects.inputPaths,
      isForced: isForced)
    if let curvesPath { try claims.claim(curvesPath, for: "--curves") }
    try claims.claimStandardOutput(for: isJSON ? "--json" : nil)
    let context = context.reporting(beside: claims)
    let annotations = try Annotations(contentsOf: annotationsPath, images: imagesPath)
    guard annotations.subject == .objects || curvesPath == nil else {
      throw UsageError("--curves is about objects, and these annotations are about whole pictures")
    }
    let results = try results()
    var sheet = Predictions(annotations, labels: results == nil ? nil : try model.pictures.labels())
    var failures = 0
    var source: JSONObject = ["results": .string(operand)]
    if let results {
      try sheet.add(results: results, named: FileOrStream.name(operand))
      if sheet.unansweredCount > 0 {
        sheet.warn("\(sheet.unansweredCount.grouped) pictures have no results")
      }
    } else {
      source = JSONObject(modelAt: operand)
      failures = try model.answer(on: &sheet, in: context)
    }
    try sheet.finish()
    for warning in sheet.warnings { context.complain("warning: \(warning)") }
    let header =
      source + [
        "annotations": .string(annotationsPath), "failures": .integer(failures),
        "classes_matched_by": .string(sheet.isMatchedByNumber ? "number" : "name"),
      ]
    try report(on: sheet, header, context)
    return failures == 0 ? .success : .failure
  }

  private func report(
    on sheet: Predictions, _ header: JSONObject, _ context: CommandContext
  ) throws {
    guard sheet.annotations.subject == .objects else {
      let report = LabelingReport(sheet, worstCount: worstCount)
      return isJSON
        ? try context.print(.object(header + report.json)) : try context.write(report.text)
    }
    let report = DetectingReport(sheet, scoreThreshold: scoreThreshold, worstCount: worstCount)
    if let curvesPath {
      let chart = PrecisionRecallChart(names: sheet.annotations.categories, classes: report.classes)
      try context.write(Array(chart.svg.utf8), to: curvesPath)
    }
    if isJSON {
      try context.print(.object(header + report.json))
    } else {
      try context.write(report.text)
    }
  }

  /// Returns the bytes of the operand if it is a file of results, or `nil` if it is a model.
  private func results() throws -> [UInt8]? {
    if operand.hasSuffix(".tflite") || FileSystem.isDirectory(operand) { return nil }
    let bytes = try FileOrStream.bytes(operand)
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return bytes }
    guard operand != "-" else {
      throw UsageError("standard input has no results; a model is named by its file")
    }
    return nil
  }
}
