import OcellusEngine
import OcellusModelFile

/// Finds the roles of the outputs of a detector with post-processing in its graph, in any order.
struct OutputRoles {
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
    if let roles = fromNumbers() { return (roles, "the outputs' operators and ranges") }
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
    let boxes = shapes.filter { $0.count == 2 && $0.contains(4) }
    guard (3...4).contains(shapes.count), let rows = boxes.first?.first(where: { $0 != 4 }),
      boxes.count == 1
    else { return false }
    return shapes.filter { $0 == [rows] }.count == 2
      && (shapes.count == 3 || shapes.contains([]))
  }

  /// Returns the roles if the operators before the outputs or the ranges of their integers show
  /// which one has classes and which one scores.
  private func fromNumbers() -> Roles? {
    let extents = facts.outputs.map { $0.shape.dimensions.filter { $0 != 1 } }
    let lists = extents.indices.filter { extents[$0].count == 1 }
    let categories = lists.filter(holdsClasses)
    let scores = lists.filter(holdsScores)
    guard let boxes = extents.indices.first(where: { extents[$0].count == 2 }),
      categories.count == 1, scores.count == 1, categories != scores
    else { return nil }
    return Roles(
      boxes: boxes, categories: categories[0], scores: scores[0],
      count: extents.firstIndex(of: []))
  }

  private func holdsClasses(_ output: Int) -> Bool {
    let graph = facts.graph.outputs[output]
    if graph.ending == .place { return true }
    if graph.isProbability || graph.ending == .largest { return false }
    switch facts.outputs[output].type {
    case .int32, .int64, .uint32, .uint64, .uint16: return true
    case .uint8, .int8, .int16: return graph.rounding.map { $0.highest > 1.1 } ?? true
    default: return false
    }
  }

  private func holdsScores(_ output: Int) -> Bool {
    let graph = facts.graph.outputs[output]
    return graph.isProbability || graph.ending == .largest
      || graph.rounding.map { (0.5...1.1).contains($0.highest) } ?? false
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
  /// The most boxes that a graph outputs after suppression.
  private static let mostFinished = 1000

  static func recognize(_ facts: DetectorFacts) throws(VisionError) -> Recognition? {
    guard let (roles, source) = try OutputRoles(facts: facts.model).find(),
      facts.shapes[roles.boxes].last == 4
    else { return nil }
    let result = facts.model.graph.outputs[roles.boxes].detection
    let described = facts.model.describedBoxLayout(
      ofOutput: roles.boxes, inputSize: facts.inputSize)
    var decoder = PostProcessedDecoder(
      roles: roles, layout: described ?? .topLeftBottomRight,
      categoryCount: result?.categoryCount, maximumResults: result?.maximumResults)
    if result == nil {
      if described == nil {
        decoder.reading = BoxReading(
          inputSize: facts.inputSize, isInPixels: facts.isInPixels(roles.boxes), usual: .edges)
      }
      let rows = facts.shapes[roles.boxes].reduce(1, *) / 4
      if rows > Self.mostFinished { decoder.suppression = .perCategory(overlap: 0.45) }
    }
    return .certain(decoder, source: source)
  }
}
