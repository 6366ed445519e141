public import OcellusEngine
public import OcellusImaging

/// Classifies whole pictures with a classification model.
///
/// A labeler determines by itself what the model's input takes and what its output means;
/// `explanation` lists these decisions with their sources, and the options override each of them. A
/// labeler can be used from several threads: its calls are serialized.
public final class ImageLabeler: Sendable {
  /// The decisions about how the model is used, each with its source.
  public let explanation: Explanation
  /// The names of the classes; empty when the model has none.
  public let labels: Labels
  /// The conversion of pictures to the model's input.
  public let input: PictureInput
  /// The options that the labeler was created with.
  public let options: Options

  /// The number of classes.
  package var categoryCount: Int { output.categoryCount }

  let network: PictureNetwork
  private let output: ScoreOutput
  private let threshold: Float
  private let calibration: ScoreCalibration?

  /// Creates a labeler for a model file, or for a package that AutoML exported.
  ///
  /// A package is a folder with a `manifest.json`; `path` names the folder or the manifest.
  /// - Throws: `VisionError` when a file cannot be read, or when the model needs options to be
  ///   understood.
  public convenience init(path: String, options: Options = Options()) throws(VisionError) {
    var options = options
    let package = try ModelPackage(path: path)
    if options.labels == nil, let (labels, source) = try package.labels() {
      options.labels = labels
      options.labelsSource = source
    }
    options.package = package
    try self.init(try package.model(), options: options)
  }

  /// Creates a labeler for the default model.
  ///
  /// - Important: Unless another model was chosen, the default is the package's own, which is
  ///   embedded in the program and knows drawn things only. It also names photographs, with high
  ///   scores at times, and is wrong there. `explanation` has a warning in this case.
  ///
  /// The default is chosen as that of `ObjectDetector()` is, with `ocellus models default NAME`,
  /// the environment variable `OCELLUS_LABELER`, and the name `scenes-labeler` in folders.
  ///
  /// - Throws: `VisionError` when the chosen model cannot be found, read or used.
  public convenience init(options: Options = Options()) throws(VisionError) {
    let standard = try DefaultModel(.labeler)
    var options = options
    options.defaultModel = standard
    if let path = standard.path {
      try self.init(path: path, options: options)
    } else {
      try self.init(EmbeddedModel.labeler.model(), options: options)
    }
  }

  /// Creates a labeler for a model.
  ///
  /// - Throws: `VisionError` when the model needs options to be understood; the message lists the
  ///   choices.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    if let threshold = options.scoreThreshold {
      try VisionError.requireShare(threshold, "score threshold")
    }
    var explanation = Explanation()
    options.defaultModel?.explain(in: &explanation)
    let network = try PictureNetwork(
      model, options: options.input, package: options.package,
      running: .init(
        threads: options.threads, budget: options.budget, numerics: options.numerics,
        tuning: options.tuning),
      explanation: &explanation)
    let found = try LabelFinder(facts: network.facts).find(
      given: options.labels, from: options.labelsSource)
    let given = try network.facts.checked(options.output)
    output = try VisionError.hinting(network.facts, network.place, besides: .labeling) {
      () throws(VisionError) in
      try ScoreOutput(
        network.facts, network.place, output: given, labels: found?.labels,
        activation: options.activation, &explanation)
    }
    input = try network.settleInput(PictureInput.Convention(), &explanation)
    labels = LabelFinder.settle(
      found, categoryCount: output.categoryCount, or: .ofLabeler(output.categoryCount),
      &explanation)
    calibration = try ScoreCalibration(network.facts)
    let described = network.facts.scoreThreshold
    threshold = options.scoreThreshold ?? described ?? 0
    explanation.add(
      "score threshold", "\(threshold)",
      from: options.scoreThreshold != nil
        ? "options" : described != nil ? "metadata" : "the usual")
    self.network = network
    self.options = options
    self.explanation = explanation
  }

  /// Creates another labeler with the same model and options, for use on another thread.
  ///
  /// The two share the model's file and its packed weights.
  public func duplicate() throws(VisionError) -> ImageLabeler {
    try ImageLabeler(network.model, options: options)
  }

  /// Classifies a picture or a region of it, given in pixels of the upright picture.
  ///
  /// The classes are sorted by score, the best first; classes of equal score keep the model's
  /// order.
  public func labels(
    in image: Image, region: BoundingBox? = nil
  ) throws(VisionError) -> [Category] {
    try network.run(on: image, region: region) { outputs, _ throws(VisionError) in
      try categories(in: outputs)
    }
  }

  /// Classifies each of several pictures.
  ///
  /// If the network accepts several pictures in one run and is faster that way, it gets four at a
  /// time. The results are the same as those of single calls.
  public func labels(in images: [Image]) throws(VisionError) -> [[Category]] {
    try labels(in: images, batching: .whereFaster)
  }

  /// Classifies several pictures, with or without runs over several of them.
  package func labels(
    in images: [Image], batching: Batching
  ) throws(VisionError) -> [[Category]] {
    try network.run(onEach: images, batching: batching) { outputs, _ throws(VisionError) in
      try categories(in: outputs)
    }
  }

  /// Reads the classes from the outputs, the best first.
  private func categories(in outputs: [OutputTensor]) throws(VisionError) -> [Category] {
    let scores = output.scores(in: outputs)
    guard scores.allSatisfy(\.isFinite) else {
      throw .implausible("the model's scores contain NaN or infinite values")
    }
    let categories = scores.enumerated().compactMap { category($0, score: $1) }
    let best = categories.sorted { ($0.score, $1.index) > ($1.score, $0.index) }
    return Array(best.prefix(max(options.maximumResults ?? .max, 0)))
  }

  /// The number of pictures in one run; 1 until several pictures at once were requested.
  package var picturesPerRun: Int { network.picturesPerRun }

  /// Returns the model's input tensor for a picture or a region of it, as `input` describes it.
  ///
  /// Another engine that runs the model on this tensor should give the same results.
  public func inputTensor(
    for image: Image, region: BoundingBox? = nil
  ) throws(VisionError) -> [UInt8] {
    try network.inputBytes(for: image, region: region)
  }

  private func category(_ index: Int, score: Float) -> Category? {
    let score = calibration?.apply(to: score, category: index) ?? score
    guard score >= threshold else { return nil }
    let label = labels[index]
    if let allowed = options.allowedLabels {
      guard let label, allowed.contains(label) else { return nil }
    }
    if let label, options.deniedLabels.contains(label) { return nil }
    return Category(index: index, label: label, score: score)
  }
}

extension ImageLabeler {
  /// The limits on what is reported, and overrides of what is otherwise inferred from the model.
  public struct Options: Sendable {
    /// The score below which classes are dropped; `nil`: the threshold in the metadata, or 0.
    public var scoreThreshold: Float?
    /// The maximum number of classes reported, the best ones; `nil`: all.
    public var maximumResults: Int?
    /// The only labels that are reported; `nil`: all.
    public var allowedLabels: Set<String>?
    /// The labels that are not reported.
    public var deniedLabels: Set<String>
    /// The names of the classes; `nil`: the labels packed with the model, or in a file beside it.
    public var labels: Labels?
    /// The index of the output that holds the scores; `nil`: inferred.
    public var output: Int?
    /// The activation that turns the model's output into scores; `nil`: inferred from the graph.
    public var activation: ScoreActivation?
    /// Overrides of how a picture is converted to the model's input.
    public var input: PictureInput.Options
    /// The number of threads that run the network; by default one per processor, at most four.
    public var threads: Int
    /// The numerics of floating-point operators.
    public var numerics: Interpreter.Numerics
    /// Whether strategies of kernels are chosen by measurements; results are the same.
    public var tuning = Interpreter.Tuning.off
    /// The limits on the memory and time of the network, for untrusted models and pictures.
    public var budget: RunBudget

    /// The source of `labels`, for the explanation.
    var labelsSource = "options"
    /// The package that the model was read from.
    var package: ModelPackage?
    /// How the default model was chosen, for the explanation; `nil` for a model that was named.
    package var defaultModel: DefaultModel?

    /// Creates options that report every class and infer everything else from the model.
    public init(
      scoreThreshold: Float? = nil, maximumResults: Int? = nil, allowedLabels: Set<String>? = nil,
      deniedLabels: Set<String> = [], labels: Labels? = nil, output: Int? = nil,
      activation: ScoreActivation? = nil,
      input: PictureInput.Options = PictureInput.Options(), threads: Int? = nil,
      budget: RunBudget = RunBudget(), numerics: Interpreter.Numerics = .fast
    ) {
      self.scoreThreshold = scoreThreshold
      self.maximumResults = maximumResults
      self.allowedLabels = allowedLabels
      self.deniedLabels = deniedLabels
      self.labels = labels
      self.output = output
      self.activation = activation
      self.input = input
      self.threads = threads ?? ThreadCount.usual
      self.budget = budget
      self.numerics = numerics
    }
  }
}

extension ImageLabeler: PictureViewer {}
