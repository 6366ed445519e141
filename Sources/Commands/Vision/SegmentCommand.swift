import OcellusImaging
import OcellusJSON
import OcellusVision

/// `ocellus segment`: classifies every pixel of pictures.
struct SegmentCommand: Command {
  private static let mask = Option<String?>.text(
    "mask", "OUT", accepts: .newFile,
    help: """
      Write a gray picture of the same size whose pixels are the numbers of their classes, to the file \
      OUT; of several pictures each into the folder OUT.
      """)

  static let definition = CommandDefinition(
    name: "segment", summary: "Say what every pixel of pictures belongs to.",
    operand: PictureTask.operand,
    options: PictureOptions.definitionsWithLabels + [
      PictureTask.output.definition, mask.definition, PictureTask.annotation.definition,
    ] + PictureTask.definitions,
    discussion: """
      The table has the classes and how much of the picture each has. Models that only separate \
      foreground from background have two classes, 0 and 1. There is no model of this kind in the package, so that -m has to \
      name one.

      \(PictureTask.promise)
      """,
    examples: [
      .init(
        arguments: "street.jpg -m deeplab.tflite --annotate tinted.jpg",
        purpose: "See what is where."),
      .init(
        arguments: "*.jpg -m deeplab.tflite --mask masks --json",
        purpose: "Masks for a program, and how large each class is."),
    ])

  private let task: PictureTask
  private let modelPath: String
  private let maskPath: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    task = try PictureTask(arguments, of: Self.definition)
    modelPath = try task.options.requiredModelPath(for: "segmentation")
    maskPath = try arguments[Self.mask]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let options = task.options
    return try task.run(
      in: context, model: ModelSource(modelPath), drawings: [("--mask", maskPath)], wholly: true,
      open: { source in
        let options = ImageSegmenter.Options(
          labels: try options.labels(), output: task.output, input: options.input,
          threads: options.threads, budget: options.budget, numerics: options.numerics)
        return try source.open(
          at: { try ImageSegmenter(path: $0, options: options) },
          or: { try ImageSegmenter($0, options: options) })
      },
      look: { try report(on: $1, by: $0) })
  }

  private func report(
    on picture: ProcessedPicture, by segmenter: ImageSegmenter
  ) throws -> SegmentationReport {
    let segmentation = try segmenter.segmentation(of: picture.image, region: task.region)
    let milliseconds = picture.milliseconds
    return SegmentationReport(
      path: picture.path, size: picture.size, pixelCounts: segmentation.pixelCounts,
      labels: segmenter.labels, milliseconds: milliseconds,
      maskPath: try picture.write(for: "--mask") { _ in try segmentation.mask() },
      annotatedPath: try picture.write {
        try $0.annotated(with: segmentation, background: segmenter.background)
      },
      warnings: picture.warnings)
  }
}

/// The classes of a picture's pixels.
struct SegmentationReport: PictureReport {
  let path: String
  let size: PixelSize
  let pixelCounts: [Int: Int]
  let labels: Labels
  let milliseconds: Double
  let maskPath: String?
  let annotatedPath: String?
  let warnings: [String]

  static let columns: [TextTable.Column] = [
    .left("label"), .right("share"), .right("pixels"), .right("class"),
  ]

  var heading: String {
    let mask = maskPath.map { ", mask in \($0)" } ?? ""
    let picture = annotatedPath.map { ", drawn in \($0)" } ?? ""
    return "\(path): \(size), \(milliseconds.fixed(1)) ms\(mask)\(picture)"
  }

  private var classes: [ClassShare] { ClassShare.all(pixelCounts, in: size) }

  var json: JSONObject {
    PictureDocument(path: path, size: size, milliseconds: milliseconds, warnings: warnings)
      .classes(classes, labels: labels, maskPath: maskPath, annotatedPath: annotatedPath)
  }

  func rows(exactly: Bool) -> [[String]] {
    classes.map { part in
      [
        labels[part.index] ?? (exactly ? "" : "-"),
        exactly ? "\(part.share)" : "\((100 * part.share).fixed(1)) %",
        exactly ? "\(part.pixels)" : part.pixels.grouped,
        "\(part.index)",
      ]
    }
  }
}
