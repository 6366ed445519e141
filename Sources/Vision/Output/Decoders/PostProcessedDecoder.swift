import OcellusImaging

/// Reads the four outputs of `TFLite_Detection_PostProcess`: the graph has done the rest.
public struct PostProcessedDecoder: DetectionDecoder {
  /// Which output is which.
  public struct Roles: Hashable, Sendable {
    /// The output of shape [1, n, 4].
    public var boxes: Int
    /// The output with the class of every box.
    public var categories: Int
    /// The output with the score of every box.
    public var scores: Int
    /// The output with the number of boxes, if there is one.
    public var count: Int?

    /// The positions of boxes, classes, scores and count among the model's outputs.
    public init(boxes: Int, categories: Int, scores: Int, count: Int?) {
      self.boxes = boxes
      self.categories = categories
      self.scores = scores
      self.count = count
    }
  }

  /// Which output is which.
  public var roles: Roles
  /// What the four numbers of a box are.
  public var layout: BoxLayout
  /// The number of classes, where the graph says so.
  public var categoryCount: Int?
  /// The number of boxes that the graph computes at most.
  public var maximumResults: Int?

  /// A decoder for these outputs.
  public init(
    roles: Roles, layout: BoxLayout = .topLeftBottomRight, categoryCount: Int? = nil,
    maximumResults: Int? = nil
  ) {
    self.roles = roles
    self.layout = layout
    self.categoryCount = categoryCount
    self.maximumResults = maximumResults
  }

  /// The family in words.
  public var summary: String { "boxes, classes and scores from the graph" }
  /// The graph has suppressed overlaps already.
  public var suppression: Suppression { .none }
  /// As TensorFlow's Object Detection API trains.
  public var inputConvention: PictureInput.Convention { .init(normalization: .signedUnit) }

  /// Finds what scores at least `threshold`, in the order of the outputs.
  public func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let positions = [roles.boxes, roles.categories, roles.scores] + [roles.count].compactMap { $0 }
    guard positions.allSatisfy(outputs.indices.contains) else {
      throw .mismatched("the model has \(outputs.count) outputs; \(positions) were asked for")
    }
    let boxes = outputs[roles.boxes]
    let scores = outputs[roles.scores]
    let categories = outputs[roles.categories]
    let room = min(boxes.count / 4, scores.count, categories.count)
    let counted = roles.count.flatMap { outputs[$0].values.first }.flatMap {
      Int(exactly: $0.rounded())
    }
    return (0..<min(max(counted ?? room, 0), room)).compactMap { index in
      guard scores[index] >= threshold, let category = Int(exactly: categories[index].rounded())
      else { return nil }
      return Candidate(
        box: layout.box(boxes.values, at: 4 * index), category: category, score: scores[index],
        origin: .init(index: index))
    }
  }
}
