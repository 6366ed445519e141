/// One answer to the question what something is.
public struct Category: Hashable, Sendable, Codable {
  /// The number of the class in the model's order.
  public var index: Int
  /// The name from the labels of the model; `nil` when it has none for this class.
  public var label: String?
  /// How sure the model is; 0…1 unless the model says otherwise.
  public var score: Float

  /// The class `index`, with the name and the score it was found with.
  public init(index: Int, label: String? = nil, score: Float) {
    self.index = index
    self.label = label
    self.score = score
  }
}
