import OcellusImaging

/// Decodes the four outputs of `TFLite_Detection_PostProcess`, which are final detections.
public struct PostProcessedDecoder: DetectionDecoder {
  /// The indices of the outputs by role.
  public struct Roles: Hashable, Sendable {
    /// The output of shape [1, n, 4].
    public var boxes: Int
    /// The output with the class of every box.
    public var categories: Int
    /// The output with the score of every box.
    public var scores: Int
    /// The output with the number of boxes, if there is one.
    public var count: Int?

    /// Creates roles from the outputs' indices.
    public init(boxes: Int, categories: Int, scores: Int, count: Int?) {
      self.boxes = boxes
      self.categories = categories
      self.scores = scores
      self.count = count
    }
  }

  /// The indices of the outputs by role.
  public var roles: Roles
  /// The layout of a box.
  public var layout: BoxLayout
  /// The number of classes; `nil` when the graph does not show it.
  public var categoryCount: Int?
  /// The maximum number of boxes that the graph outputs.
  public var maximumResults: Int?
  /// The default suppression of overlapping boxes: none, as the graph usually has done it.
  public var suppression = Suppression.none
  /// How to find the layout in the numbers, if nothing else tells it; it then overrides `layout`.
  var reading: BoxReading?

  /// Creates a decoder for these outputs.
  public init(
    roles: Roles, layout: BoxLayout = .topLeftBottomRight, categoryCount: Int? = nil,
    maximumResults: Int? = nil
  ) {
    self.roles = roles
    self.layout = layout
    self.categoryCount = categoryCount
    self.maximumResults = maximumResults
  }

  /// A description of the family.
  public var summary: String { "boxes, classes and scores from the graph" }
  /// The training of TensorFlow's Object Detection API: values from −1 to 1.
  public var inputConvention: PictureInput.Convention { .init(normalization: .signedUnit) }

  /// Returns the candidates that score at least `threshold`, in the order of the outputs.
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
    let rowCount = min(boxes.count / 4, scores.count, categories.count)
    let counted = roles.count.flatMap { outputs[$0].values.first }.flatMap {
      Int(exactly: $0.rounded())
    }
    let layout = try reading?.layout(of: OutputRows(boxes.asRows(of: 4))) ?? self.layout
    return (0..<min(max(counted ?? rowCount, 0), rowCount)).compactMap { index in
      guard scores[index] >= threshold, let category = Int(exactly: categories[index].rounded())
      else { return nil }
      return Candidate(
        box: layout.box(boxes.values, at: 4 * index), category: category, score: scores[index],
        origin: .init(index: index))
    }
  }
}
