import OcellusEngine
import OcellusImaging
import OcellusPlatform
import OcellusVision

/// The options of all commands that show pictures to a model.
struct PictureOptions {
  private static let model = Option<String?>.text(
    "model", letter: "m", "MODEL", accepts: .model,
    help: """
      A .tflite file, a folder as AutoML exports it, the name of a model that was pulled, or '-' for \
      standard input, which is not for 'track'. Default: the model that the package brings along, which \
      was trained on drawn pictures.
      """)
  private static let labels = Option<String?>.text(
    "labels", "FILE", accepts: .file,
    help: """
      The names of the classes: one a line, JSON, YAML, CSV or TensorFlow's .pbtxt. Default: those beside \
      or inside the model.
      """)
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")
  private static let exact = Option.exact

  private static let running =
    [threads.definition] + BudgetOptions.definitions + [exact.definition]
    + InputOptions.definitions

  /// Of commands whose models name classes, in the order of the help page.
  static let definitionsWithLabels = [model.definition, labels.definition] + running

  /// Of commands whose models name nothing.
  static let definitions = [model.definition] + running

  /// The model file or folder that was given.
  let givenModelPath: String?
  /// The label file, if one was given.
  let labelsPath: String?
  /// The threads that share the work.
  let threads: Int
  /// How floats are computed.
  let numerics: Interpreter.Numerics
  /// What the model may use.
  var budget: RunBudget
  /// What was said about the model's input.
  let input: PictureInput.Options
  /// Whether pictures are taken as they are stored.
  let ignoresOrientation: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    givenModelPath = try arguments[Self.model]
    labelsPath = try arguments[Self.labels]
    threads = try arguments[Self.threads]
    numerics = try arguments[Self.exact] ? .exact : .fast
    budget = try BudgetOptions.read(arguments)
    let showing = try InputOptions(arguments)
    input = showing.input
    ignoresOrientation = showing.ignoresOrientation
  }

  /// The files that are read besides the pictures.
  var inputPaths: [String] { [givenModelPath, labelsPath].compactMap(\.self) }

  /// The model that was given, where the package has none of this kind.
  func requiredModelPath(for kind: String) throws(UsageError) -> String {
    guard let givenModelPath else {
      throw UsageError("name a model for \(kind) with -m: there is none in the package")
    }
    return givenModelPath
  }

  /// The model file or folder that was given, or the embedded model for this sort of work.
  func modelPath(orElse model: EmbeddedModel) throws -> String {
    try givenModelPath ?? model.path
  }

  /// The labels of the file that was given.
  func labels() throws -> Labels? { try labelsPath.map { try Labels(contentsOf: $0) } }

  /// Reads a picture, only as large as it has to be when that is known.
  func picture(_ path: String, minimumSize: PixelSize? = nil) throws -> DecodedImage {
    var options = ImageDecodingOptions()
    options.ignoresOrientation = ignoresOrientation
    options.minimumSize = minimumSize
    return try DecodedImage(ofFileOrStream: path, options: options)
  }
}
