public import OcellusEngine
public import OcellusImaging

/// Assigns a class to every pixel of a picture, with a segmentation model.
///
/// A segmenter determines by itself what the model's input takes and what its output means;
/// `explanation` lists these decisions with their sources. A segmenter can be used from several
/// threads: its calls are serialized.
public final class ImageSegmenter: Sendable {
  /// The decisions about how the model is used, each with its source.
  public let explanation: Explanation
  /// The names of the classes; empty when the model has none.
  public let labels: Labels
  /// The conversion of pictures to the model's input.
  public let input: PictureInput
  /// The index of the background class; `nil` when the model has none.
  public let background: Int?

  let network: PictureNetwork
  private let output: MapOutput
  private let options: Options

  /// Overrides of what is otherwise inferred from the model.
  public struct Options: Sendable {
    /// The names of the classes; `nil`: the labels packed with the model, or in a file beside it.
    public var labels: Labels?
    /// The index of the output that holds the map; `nil`: inferred.
    public var output: Int?
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

    /// Creates options; by default everything is inferred from the model.
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

  /// Creates a segmenter for a model file, with the label file beside it if there is one.
  ///
  /// - Throws: `VisionError` when a file cannot be read, or when the model needs options to be
  ///   understood.
  public convenience init(path: String, options: Options = Options()) throws(VisionError) {
    let model: Model
    do throws(ModelError) { model = try Model(path: path) } catch { throw .model(error) }
    let beside = try options.labels == nil ? Labels.besideModel(at: path) : nil
    try self.init(
      model, options: options, given: options.labels ?? beside?.labels,
      from: beside.map { "the file \($0.path)" } ?? "options")
  }

  /// Creates a segmenter for a model.
  ///
  /// - Throws: `VisionError` when the model needs options to be understood.
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
        threads: options.threads, budget: options.budget, numerics: options.numerics,
        tuning: options.tuning),
      explanation: &explanation)
    var found = try LabelFinder(facts: network.facts).find(given: given, from: source)
    let chosen = try network.facts.checked(options.output)
    output = try VisionError.hinting(network.facts, network.place, besides: .segmenting) {
      () throws(VisionError) in
      try MapOutput(
        network.facts, input: network.place, output: chosen, labels: found?.labels, &explanation)
    }
    input = try network.settleInput(PictureInput.Convention(), &explanation)
    let isForeground = output.form == .foreground
    // A single label names the foreground, so the background's name is inserted before it.
    if isForeground, let only = found, only.labels.count == 1 {
      found?.labels = Labels(["background"] + only.labels.names)
    }
    // A mask is of use without names, so a map of classes that have none counts as one of one class.
    labels = LabelFinder.settle(
      found, categoryCount: found == nil ? 1 : output.categoryCount,
      or: .ofSegmenter(output.categoryCount), &explanation)
    background = isForeground || labels.beginsWithBackground ? 0 : nil
    self.network = network
    self.options = options
    self.explanation = explanation
  }

  /// Creates another segmenter with the same model and options, for use on another thread.
  ///
  /// The two share the model's file and its packed weights.
  public func duplicate() throws(VisionError) -> ImageSegmenter {
    var options = options
    options.labels = labels.names.isEmpty ? nil : labels
    return try ImageSegmenter(network.model, options: options)
  }

  /// Segments a picture, or a region of it in pixels of the upright picture.
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
