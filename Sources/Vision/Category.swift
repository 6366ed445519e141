/// A class that a model assigned, with its score.
public struct Category: Hashable, Sendable {
  /// The index of the class in the model's order.
  public var index: Int
  /// The name from the labels of the model; `nil` when it has none for this class.
  public var label: String?
  /// The model's confidence; 0…1 unless the model's scores have another range.
  public var score: Float

  /// Creates a category with the index, the name and the score of a class.
  public init(index: Int, label: String? = nil, score: Float) {
    self.index = index
    self.label = label
    self.score = score
  }
}
