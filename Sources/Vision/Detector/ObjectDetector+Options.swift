public import OcellusEngine

extension ObjectDetector {
  /// What to look for, and everything about the model that is not to be left to itself.
  public struct Options: Sendable {
    /// The score below which objects are dropped; `nil`: the metadata's, or the usual for the model.
    public var scoreThreshold: Float?
    /// Thresholds of single classes, by label, in place of the one for all.
    public var categoryThresholds: [String: Float]
    /// The number of objects, the best ones, that are reported; `nil`: all.
    public var maximumResults: Int?
    /// The labels that are reported; `nil`: all.
    public var allowedLabels: Set<String>?
    /// The labels that are not reported.
    public var deniedLabels: Set<String>
    /// What is done about boxes that overlap; `nil`: the usual for the model.
    public var suppression: Suppression?
    /// How much boxes may overlap, in place of what the rule about them says; `nil`: as the rule has it.
    public var maximumOverlap: Float?
    /// Looking at parts of the picture too, for objects that are small in it; `nil`: not.
    public var tiling: Tiling?
    /// Whether every object is reported; otherwise only the most prominent one.
    public var findsMultipleObjects: Bool
    /// The names of the classes; `nil`: those packed with the model or lying beside it.
    public var labels: Labels?
    /// How the model is shown a picture, where the model is not to decide.
    public var input: PictureInput.Options
    /// How the outputs are read; `nil`: found out.
    public var decoder: (any DetectionDecoder)?
    /// The anchors of models that do not carry theirs.
    public var anchors: AnchorSource?
    /// The threads that share the work of the network: the machine's processors, at most four, unless set.
    public var threads: Int
    /// How the network computes with floats.
    public var numerics: Interpreter.Numerics
    /// What the network may use, for models and pictures from strangers.
    public var budget: RunBudget

    /// Throws what no detector can do.
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

    /// Where `labels` come from, for the explanation.
    var labelsSource = "options"
    /// The files that the model came with.
    var package: ModelPackage?

    /// Options that leave everything to the model, and report everything.
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
