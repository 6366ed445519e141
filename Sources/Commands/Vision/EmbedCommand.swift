import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// `ocellus embed`: describes pictures by numbers, and says how alike they are.
struct EmbedCommand: Command {
  private static let region = Option<String?>.text(
    "roi", "X,Y,W,H", help: "The part of the pictures to look at, in upright pixels.")
  private static let normalize = Option.flag(
    "normalize", help: "Bring the numbers of each picture to length 1.")
  private static let explain = Option.flag(
    "explain", help: "Say what was found out about the model, and from what.")

  static let definition = CommandDefinition(
    name: "embed", summary: "Describe pictures by numbers, and say how alike they are.",
    operand: OperandDefinition(
      "IMAGE", count: 1...Int.max, help: "pictures: PNG, JPEG, PPM, BMP or NPY"),
    options: PictureOptions.definitions + [
      region.definition, normalize.definition, explain.definition,
    ] + ReportFormat.definitions,
    discussion: """
      The table says for each picture how like it is to those before it: the cosine of the angle \
      between their numbers, 1 for the same. The numbers themselves are in --json and --jsonl. There is \
      no model of this kind in the package, so that -m has to name one.
      """,
    examples: [
      .init(arguments: "*.jpg -m embedder.tflite", purpose: "Which pictures are alike."),
      .init(
        arguments: "cat.jpg -m embedder.tflite --normalize --json", purpose: "The numbers."),
    ])

  private let paths: [String]
  private let options: PictureOptions
  private let region: BoundingBox?
  private let normalizes: Bool
  private let explains: Bool
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.operands
    options = try PictureOptions(arguments)
    region = try arguments[Self.region].map { text throws(UsageError) in
      try BoundingBox(option: "roi", text)
    }
    normalizes = try arguments[Self.normalize]
    explains = try arguments[Self.explain]
    format = try ReportFormat(arguments)
  }

  func run(in context: CommandContext) throws -> ExitCode {
    guard let modelPath = options.givenModelPath else {
      throw UsageError("name an embedding model with -m: there is none in the package")
    }
    let embedder = try ImageEmbedder(
      path: modelPath, options: .init(input: options.input, threads: options.threads))
    if explains { context.errors.write(embedder.explanation.description.printable + "\n") }
    var known: [(path: String, embedding: Embedding)] = []
    return PictureLoop(paths: paths, format: format).run(in: context) { path in
      let report = try embed(path, with: embedder, known)
      known.append((path, report.embedding))
      return report
    }
  }

  private func embed(
    _ path: String, with embedder: ImageEmbedder, _ known: [(path: String, embedding: Embedding)]
  ) throws -> EmbeddingReport {
    let start = MonotonicTime.now
    let picture = try options.picture(
      path, minimumSize: region == nil ? embedder.input.tensor.size.doubled : nil)
    let raw = try embedder.embedding(of: picture.image, region: region)
    let embedding = normalizes ? raw.normalized : raw
    return EmbeddingReport(
      path: path, size: picture.sourceSize, embedding: embedding,
      likenesses: known.map { ($0.path, $0.embedding.similarity(to: embedding)) },
      milliseconds: start.millisecondsToNow, warnings: picture.warnings)
  }
}

/// What describes a picture, and how like it is to those before it.
struct EmbeddingReport: PictureReport {
  let path: String
  let size: PixelSize
  let embedding: Embedding
  /// The pictures before it, and the cosines.
  let likenesses: [(path: String, cosine: Double?)]
  let milliseconds: Double
  let warnings: [String]

  static let columns: [TextTable.Column] = [.right("cosine"), .left("picture")]

  var heading: String {
    "\(path): \(size), \(embedding.values.count) numbers, \(milliseconds.fixed(1)) ms"
  }

  var json: JSONValue {
    [
      "image": .string(path), "width": .integer(size.width), "height": .integer(size.height),
      "embedding": .array(embedding.values.map { .number(Double($0)) }),
      "similarities": .array(
        likenesses.map { likeness in
          [
            "image": .string(likeness.path),
            "cosine": likeness.cosine.map { .number($0) } ?? .null,
          ]
        }),
      "milliseconds": .number(milliseconds), "warnings": .array(warnings.map { .string($0) }),
    ]
  }

  func rows(exactly: Bool) -> [[String]] {
    likenesses.map { likeness in
      [likeness.cosine.map { exactly ? "\($0)" : $0.fixed(4) } ?? "-", likeness.path]
    }
  }
}
