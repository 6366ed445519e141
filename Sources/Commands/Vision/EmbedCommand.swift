import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// `ocellus embed`: computes embeddings of pictures and their similarities.
struct EmbedCommand: Command {
  private static let normalize = Option.flag(
    "normalize", help: "Bring the numbers of each picture to length 1.")

  static let definition = CommandDefinition(
    name: "embed", summary: "Describe pictures by numbers, and say how alike they are.",
    operand: PictureTask.operand,
    options: PictureOptions.definitions + [normalize.definition, PictureTask.output.definition]
      + PictureTask.definitions,
    discussion: """
      The table gives the similarity of each picture to those before it: the cosine of the angle \
      between their embeddings, 1 if they are the same. The numbers themselves are in --json and --jsonl. There is \
      no model of this kind in the package, so that -m has to name one.

      \(PictureTask.promise)
      """,
    examples: [
      .init(arguments: "*.jpg -m embedder.tflite", purpose: "Which pictures are alike."),
      .init(
        arguments: "cat.jpg -m embedder.tflite --normalize --json", purpose: "The numbers."),
    ])

  private let task: PictureTask
  private let modelPath: String
  private let normalizes: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    task = try PictureTask(arguments, of: Self.definition)
    modelPath = try task.options.requiredModelPath(for: "embedding")
    normalizes = try arguments[Self.normalize]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    var known: [(path: String, embedding: Embedding)] = []
    let options = task.options
    return try task.run(
      in: context, model: ModelSource(modelPath),
      open: { source in
        let options = ImageEmbedder.Options(
          output: task.output, input: options.input, threads: options.threads,
          budget: options.budget, numerics: options.numerics)
        return try source.open(
          at: { try ImageEmbedder(path: $0, options: options) },
          or: { try ImageEmbedder($0, options: options) })
      },
      look: { embedder, picture in
        let raw = try embedder.embedding(of: picture.image, region: task.region)
        let embedding = normalizes ? raw.normalized : raw
        let report = EmbeddingReport(
          path: picture.path, size: picture.size, embedding: embedding,
          likenesses: known.map { ($0.path, $0.embedding.similarity(to: embedding)) },
          milliseconds: picture.milliseconds, warnings: picture.warnings)
        known.append((picture.path, embedding))
        return report
      })
  }
}

/// The embedding of a picture and its similarity to earlier pictures.
struct EmbeddingReport: PictureReport {
  let path: String
  let size: PixelSize
  let embedding: Embedding
  /// The earlier pictures and the cosine similarities.
  let likenesses: [(path: String, cosine: Double?)]
  let milliseconds: Double
  let warnings: [String]

  static let columns: [TextTable.Column] = [.right("cosine"), .left("picture")]

  var heading: String {
    "\(path): \(size), \(embedding.values.count) numbers, \(milliseconds.fixed(1)) ms"
  }

  var json: JSONObject {
    PictureDocument(path: path, size: size, milliseconds: milliseconds, warnings: warnings)
      .embedding(embedding, likenesses: likenesses)
  }

  func rows(exactly: Bool) -> [[String]] {
    likenesses.map { likeness in
      [likeness.cosine.map { exactly ? "\($0)" : $0.fixed(4) } ?? "-", likeness.path]
    }
  }
}
