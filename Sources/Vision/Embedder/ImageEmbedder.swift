public import OcellusEngine
public import OcellusImaging

/// Computes embeddings of pictures with an embedding model, to find similar pictures.
///
/// An embedder determines by itself what the model's input takes; `explanation` lists these
/// decisions with their sources. An embedder can be used from several threads: its calls are
/// serialized.
public final class ImageEmbedder: Sendable {
  /// The decisions about how the model is used, each with its source.
  public let explanation: Explanation
  /// The conversion of pictures to the model's input.
  public let input: PictureInput
  /// The number of elements of an embedding.
  public let dimensionCount: Int

  let network: PictureNetwork
  private let output: Int
  private let options: Options

  /// Overrides of what is otherwise inferred from the model.
  public struct Options: Sendable {
    /// The index of the output that holds the embedding; `nil`: inferred.
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
      output: Int? = nil, input: PictureInput.Options = PictureInput.Options(), threads: Int? = nil,
      budget: RunBudget = RunBudget(), numerics: Interpreter.Numerics = .fast
    ) {
      self.output = output
      self.numerics = numerics
      self.input = input
      self.threads = threads ?? ThreadCount.usual
      self.budget = budget
    }
  }

  /// Creates an embedder for a model file.
  ///
  /// - Throws: `VisionError` when the file cannot be read, or when the model needs options to be
  ///   understood.
  public convenience init(path: String, options: Options = Options()) throws(VisionError) {
    let model: Model
    do throws(ModelError) { model = try Model(path: path) } catch { throw .model(error) }
    try self.init(model, options: options)
  }

  /// Creates an embedder for a model.
  ///
  /// - Throws: `VisionError` when the model needs options to be understood.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    var explanation = Explanation()
    let network = try PictureNetwork(
      model, options: options.input, package: nil,
      running: .init(
        threads: options.threads, budget: options.budget, numerics: options.numerics,
        tuning: options.tuning),
      explanation: &explanation)
    let given = try network.facts.checked(options.output)
    output = try VisionError.hinting(network.facts, network.place, besides: .embedding) {
      () throws(VisionError) in
      try Self.output(network.facts, network.place, given: given, &explanation)
    }
    let description = network.facts.outputs[output]
    dimensionCount = description.shape.elementCount
    explanation.add(
      "output", "'\(description.name)', \(dimensionCount) numbers",
      from: options.output == nil ? "the model's outputs" : "options")
    input = try network.settleInput(PictureInput.Convention(), &explanation)
    self.network = network
    self.options = options
    self.explanation = explanation
  }

  /// Creates another embedder with the same model and options, for use on another thread.
  ///
  /// The two share the model's file and its packed weights.
  public func duplicate() throws(VisionError) -> ImageEmbedder {
    try ImageEmbedder(network.model, options: options)
  }

  /// Finds the output: the named one, or the only vector, which must be an embedding.
  static func output(
    _ facts: ModelFacts, _ place: PictureInputFinder.Place, given: Int?,
    _ explanation: inout Explanation
  ) throws(VisionError) -> Int {
    let lists = facts.outputs.indices.filter { index in
      let extents = facts.outputs[index].shape.dimensions
      return extents.dropLast().allSatisfy { $0 == 1 } && (extents.last ?? 0) > 1
        && given ?? index == index
    }
    guard let output = lists.first else {
      throw .mismatched(
        "no output is a list of numbers that could describe a picture: \(facts.outputsInWords)")
    }
    guard lists.count == 1 else {
      throw .ambiguous(
        "several outputs could describe a picture: \(facts.outputsInWords); say which (output in the "
          + "options, --output N)")
    }
    if given == nil { try doubt(output, facts, place, &explanation) }
    return output
  }

  /// Throws if a vector is certainly no embedding, and warns if nothing shows that it is one.
  private static func doubt(
    _ output: Int, _ facts: ModelFacts, _ place: PictureInputFinder.Place,
    _ explanation: inout Explanation
  ) throws(VisionError) {
    let name = facts.outputs[output].name
    let settling = "if these numbers describe the picture, say so (--output \(output))"
    // Unreadable labels do not matter: an embedding needs none.
    let labels = (try? LabelFinder(facts: facts).find(given: nil, from: ""))?.labels
    if facts.graph.outputs[output].isProbability
      || labels?.count == facts.outputs[output].shape.elementCount
    {
      throw .mismatched(
        "the output '\(name)' is of scores; \(settling)")
    }
    if PoseFormat(facts, inputSize: place.size)?.isEvident(facts) == true {
      throw .mismatched("the output '\(name)' is of points; \(settling)")
    }
    let isEvident =
      facts.graph.outputs[output].ending == .summary
      || facts.output(output, isCalled: ["embed", "feature", "vector"])
    if !isEvident {
      explanation.warn(
        "nothing says that the numbers of '\(name)' describe the picture: they could be scores of "
          + "classes" + facts.names(of: [.labeling], place).map { ": \($0)" }.joined())
    }
  }

  /// Computes the embedding of a picture, or of a region of it in pixels of the upright picture.
  public func embedding(
    of image: Image, region: BoundingBox? = nil
  ) throws(VisionError) -> Embedding {
    try network.run(on: image, region: region) { outputs, _ throws(VisionError) in
      let values = Array(outputs[output].values)
      guard values.allSatisfy(\.isFinite) else {
        throw .implausible("the model's embedding contains NaN or infinite values")
      }
      return Embedding(values)
    }
  }
}

extension ImageEmbedder: PictureViewer {
  package func inputTensor(
    for image: Image, region: BoundingBox?
  ) throws(VisionError) -> [UInt8] {
    try network.inputBytes(for: image, region: region)
  }
}
