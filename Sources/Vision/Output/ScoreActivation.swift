/// What is done to a score before it is a probability.
public enum ScoreActivation: String, Hashable, Sendable {
  /// Nothing: the graph has done it.
  case none
  /// 1 ÷ (1 + e^−x), class by class.
  case sigmoid
  /// e^x as a share of the sum over the classes.
  case softmax
}
