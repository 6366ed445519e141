import OcellusPlatform

/// NON_MAX_SUPPRESSION_V4 and V5: the boxes with the highest scores that do not overlap much.
///
/// With a sixth operand (sigma), overlapping boxes are not dropped, but their scores are lowered:
/// Soft-NMS with Gaussian weights, Bodla et al., https://arxiv.org/abs/1704.04503.
package struct NonMaxSuppression: Operator {
  package static let v4 = definition("NON_MAX_SUPPRESSION_V4")
  package static let v5 = definition("NON_MAX_SUPPRESSION_V5")

  private static func definition(_ name: String) -> OperatorDefinition {
    OperatorDefinition(name, types: [.float32]) { node throws(ModelError) in try Self(node) }
  }

  package let shapeInputs = [2]
  private let isSoft: Bool

  init(_ node: NodeSpec) throws(ModelError) {
    isSoft = node.inputs.count == 6
    try node.requireOperands(5...6, outputs: isSoft ? 3...3 : 2...2)
    for position in node.inputs.indices {
      try node.require(try node.input(position), position == 2 ? .int32 : .float32)
    }
    for position in node.outputs.indices {
      try node.require(
        try node.output(position), isSoft && position == 1 ? .float32 : .int32)
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let boxes = context.shape(0)
    try context.require(boxes.rank == 2 && boxes[1] == 4, "boxes must have four coordinates")
    try context.require(context.shape(1) == [boxes[0]], "there must be one score for each box")
    for position in 2..<context.inputCount {
      try context.require(context.shape(position).rank == 0, "input \(position) is not a scalar")
    }
    let limit = try context.integers(2)[0]
    try context.require(limit >= 0, "a negative number of boxes is wanted")
    return isSoft ? [[limit], [limit], []] : [[limit], []]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    // Every candidate may be compared with every selected box, at about ten operations each.
    let (count, limit) = (context.shape(0)[0], context.value(2)?.integers.first ?? 0)
    return saturatingProduct(10, count, min(count, max(limit, 0)))
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let sigma = isSoft ? context.input(5).values(Float.self)[0] : 0
    try context.require(!(sigma < 0), "sigma is \(sigma) but must not be negative")
    var selection = Selection(
      boxes: context.input(0).values(), overlapThreshold: context.input(3).values()[0],
      scoreThreshold: context.input(4).values()[0],
      decay: sigma > 0 ? Float(-0.5 / Double(sigma)) : nil)
    let indices = context.output(0).values(Int32.self)
    let scores = context.input(1).values(Float.self)
    // A box may be both in the queue and among the selected; both lists grow by doubling.
    let byteCount = 4 * scores.count * MemoryLayout<Candidate>.stride
    let selected = try context.charging(byteCount: byteCount) { () throws(ModelError) in
      try selection.run(scores: scores, limit: indices.count, context)
    }
    context.output(0).fill(withInteger: 0)
    for chunk in context.chunks(of: selected.count) {
      for index in chunk { indices[index] = Int32(truncatingIfNeeded: selected[index].box) }
    }
    if isSoft {
      let scores = context.output(1).values(Float.self)
      context.output(1).fill(withInteger: 0)
      for chunk in context.chunks(of: selected.count) {
        for index in chunk { scores[index] = selected[index].score }
      }
    }
    context.output(isSoft ? 2 : 1).values(Int32.self)[0] = Int32(truncatingIfNeeded: selected.count)
  }
}

/// A box that may still be selected.
private struct Candidate {
  var box: Int
  var score: Float
  /// The number of selected boxes with which it has been compared.
  var comparedCount = 0
}

/// One run of the suppression.
private struct Selection {
  let boxes: UnsafeMutableBufferPointer<CornerBox>
  let overlapThreshold: Float
  let scoreThreshold: Float
  /// The factor in the exponent of the Gaussian weight; `nil` means to drop overlapping boxes.
  let decay: Float?
  private var selected: [Candidate] = []

  init(
    boxes: UnsafeMutableBufferPointer<CornerBox>, overlapThreshold: Float, scoreThreshold: Float,
    decay: Float?
  ) {
    self.boxes = boxes
    self.overlapThreshold = overlapThreshold
    self.scoreThreshold = scoreThreshold
    self.decay = decay
  }

  mutating func run(
    scores: UnsafeMutableBufferPointer<Float>, limit: Int, _ context: RunContext
  ) throws(ModelError) -> [Candidate] {
    var queue = BinaryHeap<Candidate> { $0.score < $1.score }
    for chunk in context.chunks(of: scores.count, workOfEach: 8) {
      for box in chunk where scores[box] > scoreThreshold {
        queue.push(Candidate(box: box, score: scores[box]))
      }
    }
    let limit = min(limit, queue.count)
    var question = StoppableWork(context.control)
    while selected.count < limit, var candidate = queue.popFirst() {
      try context.checkpoint(after: 32 + 8 * selected.count, &question)
      let score = candidate.score
      let isSuppressed = suppress(&candidate, context)
      candidate.comparedCount = selected.count
      if isSuppressed { continue }
      if candidate.score == score { selected.append(candidate) }
      // As in the official kernel, a selected box is queued again: it overlaps itself and is
      // dropped the next time, unless it is empty.
      if candidate.score > scoreThreshold { queue.push(candidate) }
    }
    return selected
  }

  /// Compares a candidate with the boxes that were selected since its last comparison.
  ///
  /// - Returns: whether the candidate overlaps one of them too much.
  private func suppress(_ candidate: inout Candidate, _ context: RunContext) -> Bool {
    let box = boxes[candidate.box].sorted
    for index in stride(from: selected.count - 1, through: candidate.comparedCount, by: -1) {
      if index % (1 << 14) == 0 && context.control.isOver { break }
      let overlap = box.intersectionOverUnion(with: boxes[selected[index].box].sorted)
      if overlap >= overlapThreshold { return true }
      if let decay { candidate.score *= expf(decay * overlap * overlap) }
      if candidate.score <= scoreThreshold { break }
    }
    return false
  }
}
