public import OcellusEngine
public import OcellusImaging

/// Finds keypoints of bodies, hands and faces in pictures, with a pose or landmark model.
///
/// A finder determines by itself what the model's input takes and what its outputs mean;
/// `explanation` lists these decisions with their sources. A finder can be used from several
/// threads: its calls are serialized.
public final class PoseFinder: Sendable {
  /// The decisions about how the model is used, each with its source.
  public let explanation: Explanation
  /// The conversion of pictures to the model's input.
  public let input: PictureInput
  /// The number of keypoints in a pose.
  public let pointCount: Int
  /// The options that the finder was created with.
  public let options: Options

  let network: PictureNetwork
  private let form: PoseFormat

  /// The score threshold, and overrides of what is otherwise inferred from the model.
  public struct Options: Sendable {
    /// The score below which poses are dropped; it does not apply to poses without a score.
    public var scoreThreshold: Float
    /// The number of elements of a keypoint in a list, x and y first; `nil`: inferred.
    public var numbersPerPoint: Int?
    /// The index of the output that holds the keypoints; `nil`: inferred.
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
      scoreThreshold: Float = 0.25, numbersPerPoint: Int? = nil, output: Int? = nil,
      input: PictureInput.Options = PictureInput.Options(), threads: Int? = nil,
      budget: RunBudget = RunBudget(), numerics: Interpreter.Numerics = .fast
    ) {
      self.scoreThreshold = scoreThreshold
      self.numbersPerPoint = numbersPerPoint
      self.output = output
      self.input = input
      self.threads = threads ?? ThreadCount.usual
      self.budget = budget
      self.numerics = numerics
    }
  }

  /// Creates a finder for a model file.
  ///
  /// - Throws: `VisionError` when the file cannot be read, or when the model needs options to be
  ///   understood.
  public convenience init(path: String, options: Options = Options()) throws(VisionError) {
    let model: Model
    do throws(ModelError) { model = try Model(path: path) } catch { throw .model(error) }
    try self.init(model, options: options)
  }

  /// Creates a finder for a model.
  ///
  /// - Throws: `VisionError` when the model needs options to be understood.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    if let numbers = options.numbersPerPoint, !(2...100).contains(numbers) {
      throw .mismatched("a point has 2 numbers or more, not \(numbers)")
    }
    var explanation = Explanation()
    let network = try PictureNetwork(
      model, options: options.input, package: nil,
      running: .init(
        threads: options.threads, budget: options.budget, numerics: options.numerics,
        tuning: options.tuning),
      explanation: &explanation)
    let facts = network.facts
    let given = try facts.checked(options.output)
    let form = try VisionError.hinting(facts, network.place, besides: .posing) {
      () throws(VisionError) in
      try PoseFormat(facts, network.place, numbers: options.numbersPerPoint, output: given)
    }
    self.form = form
    pointCount = form.pointCount(facts)
    explanation.add("outputs", form.words(facts), from: "the model's outputs")
    if options.output == nil, !form.isEvident(facts) {
      explanation.warn(
        "nothing says that the model's maps are of points: they could be classes of pixels"
          + facts.names(of: [.segmenting], network.place).map { ": \($0)" }.joined())
    }
    explanation.add("score threshold", "\(options.scoreThreshold)", from: "the usual, or options")
    input = try network.settleInput(form.inputConvention(facts), &explanation)
    self.network = network
    self.options = options
    self.explanation = explanation
  }

  /// Creates another finder with the same model and options, for use on another thread.
  ///
  /// The two share the model's file and its packed weights.
  public func duplicate() throws(VisionError) -> PoseFinder {
    try PoseFinder(network.model, options: options)
  }

  /// Returns the poses in a picture, or in a region of it in upright pixels, the best score first.
  public func poses(in image: Image, region: BoundingBox? = nil) throws(VisionError) -> [Pose] {
    try network.run(on: image, region: region) { outputs, mapping throws(VisionError) in
      let facts = network.facts.graph.outputs
      let (presence, maps) =
        switch form {
        case .lists(_, _, let presence?): (facts[presence].isProbability, false)
        case .heatMaps(let output, _): (false, facts[output].isProbability)
        default: (false, false)
        }
      let findings = try form.findings(
        in: outputs, inputSize: mapping.destination, presenceIsProbability: presence,
        mapsAreProbabilities: maps)
      let sure = findings.filter { $0.score.map { $0 >= options.scoreThreshold } ?? true }
      if case .lists = form { try Self.requireInside(sure) }
      return
        sure
        .map { pose($0, mapping) }
        .sorted { ($0.score ?? 0) > ($1.score ?? 0) }
    }
  }

  /// Throws if most keypoints of a list are outside the model's input, like 3D points.
  private static func requireInside(_ findings: [PoseFormat.Finding]) throws(VisionError) {
    for finding in findings {
      let strays = finding.points.count { point in
        !(0...1).contains(point.position.x) || !(0...1).contains(point.position.y)
      }
      guard 2 * strays <= finding.points.count else {
        throw .implausible(
          "\(strays) of \(finding.points.count) points are outside of what the model was shown; if it has "
            + "points in another output, say which (--output N), and show it only the thing that it is for "
            + "(a region in the options, --roi X,Y,W,H)")
      }
    }
  }

  private func pose(_ finding: PoseFormat.Finding, _ mapping: PictureMapping) -> Pose {
    let names = KeypointNames.usual(count: finding.points.count)?.names
    let (width, height) = (
      Double(mapping.destination.width), Double(mapping.destination.height)
    )
    return Pose(
      points: finding.points.enumerated().map { index, point in
        Pose.Point(
          name: names?[index],
          position: mapping.source(
            of: PixelPoint(x: point.position.x * width, y: point.position.y * height)),
          score: point.score)
      },
      score: finding.score)
  }
}

extension PoseFinder: PictureViewer {
  package func inputTensor(
    for image: Image, region: BoundingBox?
  ) throws(VisionError) -> [UInt8] {
    try network.inputBytes(for: image, region: region)
  }
}
