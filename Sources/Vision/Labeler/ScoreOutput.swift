import OcellusEngine

/// The output of a classifier that holds one score for each class.
struct ScoreOutput: Sendable {
  let index: Int
  let categoryCount: Int
  let activation: ScoreActivation
  /// Whether the output is one number: the score of the second of two classes.
  private let isBinary: Bool

  /// Finds the output: the named one, the only vector, or the one with an element per label.
  init(
    _ facts: ModelFacts, _ place: PictureInputFinder.Place, output given: Int?, labels: Labels?,
    activation: ScoreActivation?, _ explanation: inout Explanation
  ) throws(VisionError) {
    let lists = facts.outputs.indices.filter { index in
      let extents = facts.outputs[index].shape.dimensions
      return extents.dropLast().allSatisfy { $0 == 1 } && (extents.last ?? 0) >= 1
        && given ?? index == index
        && (index == given || labels?.count == extents.last
          || !MapOutput.isFlattenedMap(facts.outputs[index], place))
    }
    let fitting =
      lists.count > 1
      ? lists.filter { facts.outputs[$0].shape.elementCount == labels?.count } : lists
    guard let index = fitting.first, fitting.count == 1 else {
      guard lists.isEmpty else {
        throw .ambiguous(
          "several outputs could hold the scores of the classes: \(facts.outputsInWords); say which "
            + "(output in the options, --output N)")
      }
      throw .mismatched(
        "no output is a list of scores [1, classes]: the outputs are \(facts.outputsInWords)")
    }
    self.index = index
    let output = facts.outputs[index]
    let count = output.shape.elementCount
    isBinary = count == 1 && labels?.count == 2
    categoryCount = isBinary ? 2 : count
    explanation.add(
      "output", "'\(output.name)', \(categoryCount == 1 ? "1 class" : "\(categoryCount) classes")",
      from: given == nil ? "the model's outputs" : "options")
    if isBinary {
      explanation.warn(
        "'\(output.name)' is one number for two labels: it is taken for the share of the second, as Keras "
          + "has it, and the first has the rest")
    }
    if let activation {
      self.activation = activation
      explanation.add("scores", activation.text, from: "options")
    } else if facts.graph.outputs[index].isProbability || output.holdsFractions {
      self.activation = .none
      explanation.add("scores", ScoreActivation.none.text, from: "the model's graph")
    } else {
      guard count > 1 else {
        throw .mismatched(
          "the output '\(output.name)' is one number, and no score: an age, a distance? If it tells "
            + "yes from no, say how (activation in the options, --activation sigmoid)")
      }
      let isNamed = given != nil || labels?.count == categoryCount
      let other = SuggestedTask.first(facts, place, besides: .labeling)
      guard isNamed || other != .points && other != .description else {
        throw .mismatched(
          "the output '\(output.name)' does not seem to hold scores; if it does, say so "
            + "(--activation softmax)")
      }
      if labels == nil {
        explanation.warn(
          "nothing says that the \(categoryCount) numbers of '\(output.name)' are scores of classes: "
            + "the graph ends without an activation, and there are no labels")
      }
      self.activation = .softmax
      explanation.add(
        "scores", ScoreActivation.softmax.text,
        from: "the model's graph, which ends before an activation")
    }
  }

  /// Returns the scores of all classes.
  func scores(in outputs: [OutputTensor]) -> [Float] {
    let scores = activated(outputs[index].values)
    return isBinary ? scores.flatMap { [1 - $0, $0] } : scores
  }

  private func activated(_ values: UnsafeBufferPointer<Float>) -> [Float] {
    switch activation {
    case .none: return Array(values)
    case .sigmoid: return values.map(sigmoid)
    case .softmax:
      let largest = values.max() ?? 0
      let powers = values.map { exponential($0 - largest) }
      let total = powers.reduce(0, +)
      return powers.map { $0 / total }
    }
  }
}

extension TensorDescription {
  /// Whether the quantized values range over exactly 0…1, a range that only probabilities have.
  fileprivate var holdsFractions: Bool {
    guard let quantization, !quantization.isPerChannel else { return false }
    let isLowest = type == .uint8 ? quantization.zeroPoint == 0 : quantization.zeroPoint == -128
    return [.uint8, .int8].contains(type) && isLowest && abs(quantization.scale - 1 / 256) < 1e-4
  }
}

extension ScoreActivation {
  fileprivate var text: String {
    switch self {
    case .none: "as they are"
    case .sigmoid: "sigmoid"
    case .softmax: "softmax"
    }
  }
}
