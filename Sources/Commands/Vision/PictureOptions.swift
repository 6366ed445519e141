import OcellusEngine
import OcellusImaging
import OcellusPlatform
import OcellusVision

/// The options of all commands that run a model on pictures.
struct PictureOptions {
  private static let model = Option<String?>.text(
    "model", letter: "m", "MODEL", accepts: .model,
    help: """
      A .tflite file, a folder as AutoML exports it, the name of a model that was pulled, or '-' for \
      standard input, except for 'track'. Default: the one that 'ocellus models default' chose, or else \
      the package's own model, which knows drawn scenes only and no photographs.
      """)
  private static let labels = Option<String?>.text(
    "labels", "FILE", accepts: .file,
    help: """
      The names of the classes: one a line, JSON, YAML, CSV or TensorFlow's .pbtxt. Default: those beside \
      or inside the model.
      """)
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")

  private static let running =
    [threads.definition] + BudgetOptions.definitions + NumericsOptions.definitions
    + InputOptions.definitions

  /// The options of commands whose models name classes, in the order of the help page.
  static let definitionsWithLabels = [model.definition, labels.definition] + running

  /// The options of commands whose models name no classes, in the order of the help page.
  static let definitions = [model.definition] + running

  /// The requested model file or directory.
  let givenModelPath: String?
  /// The requested label file.
  let labelsPath: String?
  /// The number of threads that share the work.
  let threads: Int
  /// The rounding and order of float arithmetic.
  let numerics: Interpreter.Numerics
  /// The model's limits on memory and time.
  var budget: RunBudget
  /// The requested properties of the model's input.
  var input: PictureInput.Options
  /// Whether to ignore the EXIF orientation of pictures.
  var ignoresOrientation: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    givenModelPath = try arguments[Self.model]
    labelsPath = try arguments[Self.labels]
    threads = try arguments[Self.threads]
    numerics = try NumericsOptions.read(arguments)
    budget = try BudgetOptions.read(arguments)
    let showing = try InputOptions(arguments)
    input = showing.input
    ignoresOrientation = showing.ignoresOrientation
  }

  /// The paths of files that are read besides the pictures.
  var inputPaths: [String] { [givenModelPath, labelsPath].compactMap(\.self) }

  /// Returns the requested model; it is required if the package has no model of this kind.
  func requiredModelPath(for kind: String) throws(UsageError) -> String {
    guard let givenModelPath else {
      throw UsageError("name a model for \(kind) with -m: there is none in the package")
    }
    return givenModelPath
  }

  /// Returns the requested model file or directory, or the default model for this task.
  func modelPath(orElse model: EmbeddedModel) throws -> String {
    try givenModelPath ?? DefaultModel(model).path ?? model.path
  }

  /// Returns the requested model, or the default model for this task.
  func modelSource(orElse model: EmbeddedModel) throws -> ModelSource {
    if let givenModelPath { return try ModelSource(givenModelPath) }
    let standard = try DefaultModel(model)
    return .path(try standard.path ?? model.path, standard)
  }

  /// Reads the requested labels.
  func labels() throws -> Labels? { try labelsPath.map { try Labels(contentsOf: $0) } }

  /// Reads a picture; with a minimum size, it may be decoded at a smaller scale.
  func picture(_ path: String, minimumSize: PixelSize? = nil) throws -> DecodedImage {
    var options = ImageDecodingOptions()
    options.ignoresOrientation = ignoresOrientation
    options.minimumSize = minimumSize
    return try DecodedImage(ofFileOrStream: path, options: options)
  }
}
