public import OcellusEngine
public import OcellusImaging

/// Says what every pixel of a picture belongs to, with a segmentation model.
///
/// It finds out by itself what the model's input takes and what its output means; `explanation` says
/// what it decided and why. A segmenter can be used from several threads: calls wait for each other.
public final class ImageSegmenter: Sendable {
  /// What was found out about the model, and from what.
  public let explanation: Explanation
  /// The names of the classes; without names when the model has none.
  public let labels: Labels
  /// How the model is shown a picture.
  public let input: PictureInput
  /// The class that stands for nothing in particular, where there is one.
  public let background: Int?

  private let network: PictureNetwork
  private let output: MapOutput

  /// What is not to be left to the model.
  public struct Options: Sendable {
    /// The names of the classes; `nil`: those packed with the model or lying beside it.
    public var labels: Labels?
    /// Which output is the map, by number; `nil`: found out.
    public var output: Int?
    /// How the model is shown a picture.
    public var input: PictureInput.Options
    /// The threads that share the work of the network: the machine's processors, at most four, unless set.
    public var threads: Int
    /// How the network computes with floats.
    public var numerics: Interpreter.Numerics
    /// What the network may use, for models and pictures from strangers.
    public var budget: RunBudget

    /// Options that leave everything to the model.
    public init(
      labels: Labels? = nil, output: Int? = nil,
      input: PictureInput.Options = PictureInput.Options(),
      threads: Int? = nil, budget: RunBudget = RunBudget(), numerics: Interpreter.Numerics = .fast
    ) {
      self.labels = labels
      self.output = output
      self.input = input
      self.threads = threads ?? ThreadCount.usual
      self.budget = budget
      self.numerics = numerics
    }
  }

  /// A segmenter for a model file, with the label file beside it if there is one.
  ///
  /// - Throws: what is wrong with the file, or what cannot be told about the model without options.
  public convenience init(path: String, options: Options = Options()) throws(VisionError) {
    let model: Model
    do throws(ModelError) { model = try Model(path: path) } catch { throw .model(error) }
    let beside = try options.labels == nil ? Labels.besideModel(at: path) : nil
    try self.init(
      model, options: options, given: options.labels ?? beside?.labels,
      from: beside.map { "the file \($0.path)" } ?? "options")
  }

  /// A segmenter for a model.
  ///
  /// - Throws: what cannot be told about the model without options.
  public convenience init(_ model: Model, options: Options = Options()) throws(VisionError) {
    try self.init(model, options: options, given: options.labels, from: "options")
  }

  private init(
    _ model: Model, options: Options, given: Labels?, from source: String
  ) throws(VisionError) {
    var explanation = Explanation()
    let network = try PictureNetwork(
      model, options: options.input, package: nil,
      running: .init(
        threads: options.threads, budget: options.budget, numerics: options.numerics),
      explanation: &explanation)
    var found = try LabelFinder(facts: network.facts).find(given: given, from: source)
    output = try MapOutput(
      network.facts, input: network.place,
      output: try network.facts.checked(options.output), labels: found?.labels, &explanation)
    input = try network.settleInput(PictureInput.Convention(), &explanation)
    let isForeground = output.form == .foreground
    // Of something and nothing, only the first is called by a name.
    if isForeground, let only = found, only.labels.count == 1 {
      found?.labels = Labels(["background"] + only.labels.names)
    }
    labels = LabelFinder.settle(
      found, categoryCount: found == nil ? nil : output.categoryCount, &explanation)
    background = isForeground || labels.beginsWithBackground ? 0 : nil
    self.network = network
    self.explanation = explanation
  }

  /// What the pixels of a picture belong to, or those of a region of it in upright pixels.
  public func segmentation(
    of image: Image, region: BoundingBox? = nil
  ) throws(VisionError) -> Segmentation {
    try network.run(on: image, region: region) { outputs, mapping throws(VisionError) in
      Segmentation(
        gridSize: output.gridSize, categories: try output.categories(in: outputs), mapping: mapping)
    }
  }
}

extension ImageSegmenter: PictureViewer {
  package func inputTensor(
    for image: Image, region: BoundingBox?
  ) throws(VisionError) -> [UInt8] {
    try network.inputBytes(for: image, region: region)
  }
}
