public import OcellusEngine
public import OcellusImaging

/// Describes pictures by numbers, with an embedding model, to find those that are alike.
///
/// It finds out by itself what the model's input takes; `explanation` says what it decided and why. An
/// embedder can be used from several threads: calls wait for each other.
public final class ImageEmbedder: Sendable {
  /// What was found out about the model, and from what.
  public let explanation: Explanation
  /// How the model is shown a picture.
  public let input: PictureInput
  /// How many numbers describe a picture.
  public let dimensionCount: Int

  private let network: PictureNetwork
  private let output: Int

  /// What is not to be left to the model.
  public struct Options: Sendable {
    /// Which output describes the picture, by number; `nil`: found out.
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

  /// An embedder for a model file.
  ///
  /// - Throws: what is wrong with the file, or what cannot be told about the model without options.
  public convenience init(path: String, options: Options = Options()) throws(VisionError) {
    let model: Model
    do throws(ModelError) { model = try Model(path: path) } catch { throw .model(error) }
    try self.init(model, options: options)
  }

  /// An embedder for a model.
  ///
  /// - Throws: what cannot be told about the model without options.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    var explanation = Explanation()
    let network = try PictureNetwork(
      model, options: options.input, package: nil,
      running: .init(
        threads: options.threads, budget: options.budget, numerics: options.numerics),
      explanation: &explanation)
    output = try Self.output(
      network.facts, network.place, given: network.facts.checked(options.output), &explanation)
    let description = network.facts.outputs[output]
    dimensionCount = description.shape.elementCount
    explanation.add(
      "output", "'\(description.name)', \(dimensionCount) numbers",
      from: options.output == nil ? "the model's outputs" : "options")
    input = try network.settleInput(PictureInput.Convention(), &explanation)
    self.network = network
    self.explanation = explanation
  }

  /// The output that the caller says, or the only list of numbers, which must be nothing else.
  private static func output(
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
        "no output is a list of numbers that could describe a picture: \(facts.outputsInWords)"
          + facts.hint(place))
    }
    guard lists.count == 1 else {
      throw .ambiguous(
        "several outputs could describe a picture: \(facts.outputsInWords); say which (output in the "
          + "options, --output N)" + facts.hint(place))
    }
    if given == nil { try doubt(output, facts, place, &explanation) }
    return output
  }

  /// Throws if a list is something else than a description, and warns if nothing says that it is one.
  private static func doubt(
    _ output: Int, _ facts: ModelFacts, _ place: PictureInputFinder.Place,
    _ explanation: inout Explanation
  ) throws(VisionError) {
    let name = facts.outputs[output].name
    let settling = "if these numbers describe the picture, say so (--output \(output))"
    // Names that cannot be read are nothing that a description would need.
    let labels = (try? LabelFinder(facts: facts).find(given: nil, from: ""))?.labels
    if facts.graph.outputs[output].isProbability
      || labels?.count == facts.outputs[output].shape.elementCount
    {
      throw .mismatched(
        "the output '\(name)' is of scores: the model classifies, try `label` (ImageLabeler); "
          + settling)
    }
    if PoseForm(facts, inputSize: place.size)?.isEvident(facts) == true {
      throw .mismatched("of the output '\(name)': \(OtherTask.points); \(settling)")
    }
    let isEvident =
      facts.graph.outputs[output].ending == .summary
      || facts.output(output, isCalled: ["embed", "feature", "vector"])
    if !isEvident {
      explanation.warn(
        "nothing says that the numbers of '\(name)' describe the picture: they could be scores of "
          + "classes (`label`)")
    }
  }

  /// What describes a picture, or a region of it in upright pixels.
  public func embedding(
    of image: Image, region: BoundingBox? = nil
  ) throws(VisionError) -> Embedding {
    try network.run(on: image, region: region) { outputs, _ throws(VisionError) in
      let values = Array(outputs[output].values)
      guard values.allSatisfy(\.isFinite) else {
        throw .implausible("the model describes the picture by what are no numbers")
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
