public import OcellusEngine

extension ObjectDetector {
  /// The limits on what is reported, and overrides of what is otherwise inferred from the model.
  public struct Options: Sendable {
    /// The score below which objects are dropped; `nil`: the metadata's or the family's threshold.
    public var scoreThreshold: Float?
    /// Thresholds of single classes by label, which take precedence over `scoreThreshold`.
    public var categoryThresholds: [String: Float]
    /// The maximum number of objects reported, the best ones; `nil`: all.
    public var maximumResults: Int?
    /// The only labels that are reported; `nil`: all.
    public var allowedLabels: Set<String>?
    /// The labels that are not reported.
    public var deniedLabels: Set<String>
    /// The suppression of overlapping boxes; `nil`: the default of the model's family.
    public var suppression: Suppression?
    /// The overlap above which boxes are suppressed; `nil`: the value in `suppression`.
    public var maximumOverlap: Float?
    /// The tiles that are searched besides the whole picture, to find small objects; `nil`: none.
    public var tiling: Tiling?
    /// Whether all objects are reported; otherwise only the most prominent one.
    public var findsMultipleObjects: Bool
    /// The names of the classes; `nil`: the labels packed with the model, or in a file beside it.
    public var labels: Labels?
    /// Overrides of how a picture is converted to the model's input.
    public var input: PictureInput.Options
    /// The decoder of the model's outputs; `nil`: inferred.
    public var decoder: (any DetectionDecoder)?
    /// The anchors, for a model that does not contain them.
    public var anchors: AnchorSource?
    /// The number of threads that run the network; by default one per processor, at most four.
    public var threads: Int
    /// The numerics of floating-point operators.
    public var numerics: Interpreter.Numerics
    /// Whether strategies of kernels are chosen by measurements; results are the same.
    public var tuning = Interpreter.Tuning.off
    /// The limits on the memory and time of the network, for untrusted models and pictures.
    public var budget: RunBudget

    /// Throws if an option is out of range.
    func check() throws(VisionError) {
      if let scoreThreshold { try VisionError.requireShare(scoreThreshold, "score threshold") }
      for (label, threshold) in categoryThresholds.sorted(by: { $0.key < $1.key }) {
        try VisionError.requireShare(threshold, "score threshold of '\(label)'")
      }
      if let maximumOverlap { try VisionError.requireShare(maximumOverlap, "overlap") }
      switch suppression {
      case .perCategory(let overlap), .agnostic(let overlap), .blend(let overlap):
        try VisionError.requireShare(overlap, "overlap")
      case .soft(let sigma):
        guard sigma > 0 else { throw .mismatched("the sigma is \(sigma), and must be above 0") }
      case .some(.none), nil: break
      }
    }

    /// The source of `labels`, for the explanation.
    var labelsSource = "options"
    /// Whether the detector only tries other input values, and gives no advice itself.
    var isTrial = false
    /// The package that the model was read from.
    var package: ModelPackage?
    /// How the default model was chosen, for the explanation; `nil` for a model that was named.
    package var defaultModel: DefaultModel?

    /// Creates options that report every object and infer everything else from the model.
    public init(
      scoreThreshold: Float? = nil, categoryThresholds: [String: Float] = [:],
      maximumResults: Int? = nil, allowedLabels: Set<String>? = nil,
      deniedLabels: Set<String> = [], suppression: Suppression? = nil, tiling: Tiling? = nil,
      findsMultipleObjects: Bool = true, labels: Labels? = nil,
      input: PictureInput.Options = PictureInput.Options(),
      decoder: (any DetectionDecoder)? = nil, anchors: AnchorSource? = nil, threads: Int? = nil,
      budget: RunBudget = RunBudget(), numerics: Interpreter.Numerics = .fast
    ) {
      self.scoreThreshold = scoreThreshold
      self.categoryThresholds = categoryThresholds
      self.maximumResults = maximumResults
      self.allowedLabels = allowedLabels
      self.deniedLabels = deniedLabels
      self.suppression = suppression
      self.tiling = tiling
      self.findsMultipleObjects = findsMultipleObjects
      self.labels = labels
      self.input = input
      self.decoder = decoder
      self.anchors = anchors
      self.threads = threads ?? ThreadCount.usual
      self.budget = budget
      self.numerics = numerics
    }
  }
}
