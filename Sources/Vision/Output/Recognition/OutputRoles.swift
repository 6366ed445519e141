import OcellusEngine
import OcellusModelFile

/// Finds the roles of the outputs of a detector with post-processing in its graph, in any order.
private struct OutputRoles {
  typealias Roles = PostProcessedDecoder.Roles

  let facts: ModelFacts

  /// Returns the roles and their source; `nil` when the model is no such detector.
  func find() throws(VisionError) -> (roles: Roles, source: String)? {
    if let roles = fromProducer() { return (roles, "the operator that computes them") }
    guard looksLikeDetections else { return nil }
    let names: [(source: String, names: [String?])] = [
      ("metadata", facts.outputs.indices.map { facts.metadata(ofOutput: $0)?.name }),
      ("signature", facts.signatureNames),
      ("tensor names", facts.outputs.map { $0.name }),
    ]
    for (source, names) in names {
      if let roles = Self.fromNames(names) { return (roles, source) }
    }
    throw ambiguity()
  }

  /// Returns the roles if the graph's own post-processing operator shows them.
  private func fromProducer() -> Roles? {
    var indices: [OutputFacts.DetectionResult.Role: Int] = [:]
    for (index, output) in facts.graph.outputs.enumerated() {
      if let role = output.detection?.role { indices[role] = index }
    }
    guard let boxes = indices[.boxes], let categories = indices[.categories],
      let scores = indices[.scores]
    else { return nil }
    return Roles(boxes: boxes, categories: categories, scores: scores, count: indices[.count])
  }

  /// Whether the shapes are those of boxes, classes, scores and perhaps a count.
  private var looksLikeDetections: Bool {
    let shapes = facts.outputs.map { $0.shape.dimensions.filter { $0 != 1 } }
    let boxes = shapes.filter { $0.count == 2 && $0[1] == 4 }
    guard (3...4).contains(shapes.count), let rows = boxes.first?[0], boxes.count == 1 else {
      return false
    }
    return shapes.filter { $0 == [rows] }.count == 2
      && (shapes.count == 3 || shapes.contains([]))
  }

  private static func fromNames(_ names: [String?]) -> Roles? {
    func index(_ words: String...) -> Int? {
      let matches = names.indices.filter { index in
        guard let name = names[index]?.lowercased() else { return false }
        return words.contains { name.contains($0) }
      }
      return matches.count == 1 ? matches[0] : nil
    }
    guard let boxes = index("box", "location"), let categories = index("class", "categor", "label"),
      let scores = index("score", "confidence", "probabilit")
    else { return nil }
    let count = index("num", "count")
    guard Set([boxes, categories, scores]).count == 3, count == nil || names.count == 4 else {
      return nil
    }
    return Roles(boxes: boxes, categories: categories, scores: scores, count: count)
  }

  private func ambiguity() -> VisionError {
    let list = facts.outputs.enumerated().map { index, output in
      "output \(index) '\(output.name)' \(output.shape)"
    }
    return .ambiguous(
      "neither names nor metadata nor the graph tell classes from scores among "
        + list.joined(separator: ", ")
        + "; give a PostProcessedDecoder with the roles (--outputs on the command line)")
  }
}

extension PostProcessedDecoder: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) throws(VisionError) -> Recognition? {
    guard let (roles, source) = try OutputRoles(facts: facts.model).find() else { return nil }
    let result = facts.model.graph.outputs[roles.boxes].detection
    let decoder = PostProcessedDecoder(
      roles: roles,
      layout: facts.model.boxLayout(ofOutput: roles.boxes, inputSize: facts.inputSize),
      categoryCount: result?.categoryCount, maximumResults: result?.maximumResults)
    return .certain(decoder, source: source)
  }
}
