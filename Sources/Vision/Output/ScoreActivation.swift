/// The function that turns a model's output into probabilities.
public enum ScoreActivation: String, Hashable, Sendable {
  /// No function: the graph contains the activation.
  case none
  /// 1 ÷ (1 + e^−x), class by class.
  case sigmoid
  /// e^x divided by the sum over all classes.
  case softmax
}
