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
    /// How the model is shown a picture.
    public var input: PictureInput.Options
    /// The threads that share the work of the network.
    public var threads: Int
    /// What the network may use, for models and pictures from strangers.
    public var budget: RunBudget

    /// Options that leave everything to the model.
    public init(
      input: PictureInput.Options = PictureInput.Options(), threads: Int = 1,
      budget: RunBudget = RunBudget()
    ) {
      self.input = input
      self.threads = threads
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
      running: .init(threads: options.threads, budget: options.budget), explanation: &explanation)
    output = try Self.output(network.facts)
    let description = network.facts.outputs[output]
    dimensionCount = description.shape.elementCount
    explanation.add(
      "output", "'\(description.name)', \(dimensionCount) numbers", from: "the model's outputs")
    input = try network.settleInput(PictureInput.Convention(), &explanation)
    self.network = network
    self.explanation = explanation
  }

  /// The output that is a list of numbers, and of no probabilities.
  private static func output(_ facts: ModelFacts) throws(VisionError) -> Int {
    let lists = facts.outputs.indices.filter { index in
      let extents = facts.outputs[index].shape.dimensions
      return extents.dropLast().allSatisfy { $0 == 1 } && (extents.last ?? 0) > 1
    }
    let shapes = facts.outputs.map { "'\($0.name)' \($0.shape)" }.joined(separator: ", ")
    guard let output = lists.first else {
      throw .mismatched("no output is a list of numbers that could describe a picture: \(shapes)")
    }
    guard lists.count == 1 else {
      throw .ambiguous("several outputs could describe a picture: \(shapes)")
    }
    guard !facts.graph.outputs[output].isProbability else {
      throw .mismatched(
        "the output '\(facts.outputs[output].name)' is of probabilities: the model classifies, try "
          + "`label` (ImageLabeler)")
    }
    return output
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
