import OcellusModelFile

/// Finds the names of a model's classes: given, or packed with the model.
struct LabelFinder {
  typealias Finding = (labels: Labels, source: String)

  let facts: ModelFacts

  func find(given: Labels?, from source: String) throws(VisionError) -> Finding? {
    if let given { return (given, source) }
    if let labels = facts.author?.labels { return (labels, "the file of its author") }
    for tensor in facts.metadata?.outputs ?? [] {
      let file = tensor.associatedFiles.first {
        $0.kind == .tensorValueLabels || $0.kind == .tensorAxisLabels
      }
      if let name = file?.name, let text = try facts.packedText(name) {
        return (Labels(parsing: text), "\(name), packed with the model")
      }
    }
    return nil
  }

  /// The labels as the classes of a model have them, with warnings where the numbers do not fit.
  static func settle(
    _ found: Finding?, categoryCount: Int?, _ explanation: inout Explanation
  ) -> Labels {
    guard let found else {
      explanation.add("labels", "none: classes have numbers only", from: "the model")
      return Labels([])
    }
    var labels = found.labels
    if let categoryCount, labels.count + labels.offset == categoryCount + 1, labels.offset == 0,
      labels.beginsWithBackground
    {
      labels.offset = 1
    }
    let background = labels.offset == 0 ? "" : ", the first is not counted by the model"
    explanation.add("labels", "\(labels.count)\(background)", from: found.source)
    if let categoryCount, labels.count != categoryCount + labels.offset {
      explanation.warn(
        "the model has \(categoryCount) classes, but there are \(labels.count) labels")
    }
    return labels
  }
}
