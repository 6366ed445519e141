import OcellusVision

/// The options of all commands that classify pictures: the classes, and how scores are computed.
struct LabelOptions {
  private static let threshold = Option<Double?>.number(
    "threshold", "SCORE", in: 0...1,
    help: "Classes that score less are dropped. Default: as the model has it, or 0.")
  private static let maximum = Option<Int?>.integer(
    "max", "N", in: 1...(.max),
    help: "The most classes for a picture, the best ones. Default: 5.")
  private static let activation = Option<ScoreActivation?>.choice(
    "activation", "NAME", of: [("none", .none), ("sigmoid", .sigmoid), ("softmax", .softmax)],
    help:
      "The function that turns the model's outputs into scores: none, sigmoid or softmax. Default: determined from the model."
  )

  /// The options in the order of the help page.
  static let definitions =
    [threshold.definition, maximum.definition] + ClassOptions.definitions
    + [activation.definition, PictureTask.output.definition]

  /// The requested options of the labeler.
  var labeler: ImageLabeler.Options
  private let pictures: PictureOptions

  init(_ arguments: ParsedArguments, _ pictures: PictureOptions) throws(UsageError) {
    var labeler = ImageLabeler.Options(
      input: pictures.input, threads: pictures.threads, budget: pictures.budget,
      numerics: pictures.numerics)
    labeler.scoreThreshold = try arguments[Self.threshold].map { Float($0) }
    labeler.maximumResults = try arguments[Self.maximum] ?? 5
    let classes = try ClassOptions(arguments)
    labeler.allowedLabels = classes.allowed
    labeler.deniedLabels = classes.denied
    labeler.activation = try arguments[Self.activation]
    labeler.output = try arguments[PictureTask.output]
    self.labeler = labeler
    self.pictures = pictures
  }

  /// Makes the labeler of a model.
  func labeler(_ model: ModelSource) throws -> ImageLabeler {
    var options = labeler
    options.labels = try pictures.labels()
    options.defaultModel = model.defaultModel
    return try model.open(
      at: { [options] in try ImageLabeler(path: $0, options: options) },
      or: { [options] in try ImageLabeler($0, options: options) })
  }
}
