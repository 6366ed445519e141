public import OcellusEngine
public import OcellusImaging

/// Says what is in a picture as a whole, with a classification model.
///
/// It finds out by itself what the model's input takes and what its output means; `explanation` says
/// what it decided and why, and the options override every part. A labeler can be used from several
/// threads: calls wait for each other.
public final class ImageLabeler: Sendable {
  /// What was found out about the model, and from what.
  public let explanation: Explanation
  /// The names of the classes; without names when the model has none.
  public let labels: Labels
  /// How the model is shown a picture.
  public let input: PictureInput
  /// What was asked for.
  public let options: Options

  let network: PictureNetwork
  private let output: ScoreOutput
  private let threshold: Float
  private let calibration: ScoreCalibration?

  /// A labeler for a model file, or for a package as AutoML exports it: a folder with a
  /// `manifest.json`, or that file.
  ///
  /// - Throws: what is wrong with the files, or what cannot be told about the model without options.
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

  /// A labeler for the model that the package brings along, which is inside of the program, or for the one
  /// that `EmbeddedModel.folder` has in its place.
  ///
  /// - Throws: what is wrong with the model in that folder.
  public convenience init(options: Options = Options()) throws(VisionError) {
    if let path = EmbeddedModel.labeler.chosenPath {
      try self.init(path: path, options: options)
    } else {
      try self.init(EmbeddedModel.labeler.model(), options: options)
    }
  }

  /// A labeler for a model.
  ///
  /// - Throws: what cannot be told about the model without options, naming the candidates.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    if let threshold = options.scoreThreshold {
      try VisionError.requireShare(threshold, "score threshold")
    }
    var explanation = Explanation()
    let network = try PictureNetwork(
      model, options: options.input, package: options.package,
      running: .init(
        threads: options.threads, budget: options.budget, numerics: options.numerics),
      explanation: &explanation)
    let found = try LabelFinder(facts: network.facts).find(
      given: options.labels, from: options.labelsSource)
    output = try ScoreOutput(
      network.facts, network.place, output: try network.facts.checked(options.output),
      labels: found?.labels, activation: options.activation, &explanation)
    input = try network.settleInput(PictureInput.Convention(), &explanation)
    labels = LabelFinder.settle(found, categoryCount: output.categoryCount, &explanation)
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

  /// Another labeler of the same kind, for another thread: the two share the model's file and its
  /// packed weights.
  public func duplicate() throws(VisionError) -> ImageLabeler {
    try ImageLabeler(network.model, options: options)
  }

  /// What is in a picture, or in a region of it in upright pixels: the best first, those of equal
  /// score in the model's order.
  public func labels(
    in image: Image, region: BoundingBox? = nil
  ) throws(VisionError) -> [Category] {
    try network.run(on: image, region: region) { outputs, _ throws(VisionError) in
      try categories(in: outputs)
    }
  }

  /// What is in each of several pictures.
  ///
  /// Where the network takes several pictures in one run, and is faster that way, it is shown four at a time. The
  /// results are the same.
  public func labels(in images: [Image]) throws(VisionError) -> [[Category]] {
    try labels(in: images, batching: .whereFaster)
  }

  /// The same, with or without runs over several pictures.
  package func labels(
    in images: [Image], batching: Batching
  ) throws(VisionError) -> [[Category]] {
    try network.run(onEach: images, batching: batching) { outputs, _ throws(VisionError) in
      try categories(in: outputs)
    }
  }

  /// What the outputs say, the best first.
  private func categories(in outputs: [OutputTensor]) throws(VisionError) -> [Category] {
    let scores = output.scores(in: outputs)
    guard scores.allSatisfy(\.isFinite) else {
      throw .implausible("the model gives scores that are no numbers")
    }
    let categories = scores.enumerated().compactMap { category($0, score: $1) }
    let best = categories.sorted { ($0.score, $1.index) > ($1.score, $0.index) }
    return Array(best.prefix(max(options.maximumResults ?? .max, 0)))
  }

  /// How many pictures a run takes, as far as several at once were asked for.
  package var picturesPerRun: Int { network.picturesPerRun }

  /// The tensor that the model is shown for a picture or a region of it, as `input` describes it.
  ///
  /// Whoever runs the model on it by other means must find the same.
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
  /// What to report, and everything about the model that is not to be left to itself.
  public struct Options: Sendable {
    /// The score below which classes are dropped; `nil`: the metadata's, or 0.
    public var scoreThreshold: Float?
    /// The number of classes, the best ones, that are reported; `nil`: all.
    public var maximumResults: Int?
    /// The labels that are reported; `nil`: all.
    public var allowedLabels: Set<String>?
    /// The labels that are not reported.
    public var deniedLabels: Set<String>
    /// The names of the classes; `nil`: those packed with the model or lying beside it.
    public var labels: Labels?
    /// Which output has the scores, by number; `nil`: found out.
    public var output: Int?
    /// What is done to the model's numbers before they are scores; `nil`: seen from the graph.
    public var activation: ScoreActivation?
    /// How the model is shown a picture, where the model is not to decide.
    public var input: PictureInput.Options
    /// The threads that share the work of the network: the machine's processors, at most four, unless set.
    public var threads: Int
    /// How the network computes with floats.
    public var numerics: Interpreter.Numerics
    /// What the network may use, for models and pictures from strangers.
    public var budget: RunBudget

    /// Where `labels` come from, for the explanation.
    var labelsSource = "options"
    /// The files that the model came with.
    var package: ModelPackage?

    /// Options that leave everything to the model, and report everything.
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
