/// The execution plan of one subgraph for one set of input shapes: everything that can be decided
/// before the data is there.
///
/// A plan does not change. Where shapes depend on data, a run continues with another plan that
/// begins with the same segments (`adding`, `restoring`). For other input shapes the planner makes
/// a new plan with its own memory.
struct Plan {
  let memory: TensorMemory
  /// The segments in order; together they cover the nodes up to the first whose shapes are not
  /// known yet.
  let segments: [PlanSegment]
  /// The segments that were replaced, which the data may ask for again.
  let others: CachedSegments
  /// Whether the shapes of the subgraph's outputs are known before a run.
  let hasFixedResults: Bool

  /// Makes an empty plan, which a subgraph has until the shapes of its inputs are set.
  init(_ memory: TensorMemory) { self.init(memory, [], CachedSegments()) }

  private init(_ memory: TensorMemory, _ segments: [PlanSegment], _ others: CachedSegments) {
    self.memory = memory
    self.segments = segments
    self.others = others
    hasFixedResults =
      segments.count == 1 && segments[0].nodes.upperBound == memory.subgraph.nodes.count
      && segments[0].steps.last?.makesOutputs != true
  }

  var isEmpty: Bool { segments.isEmpty }

  /// Whether the subgraph's inputs have these shapes.
  func isMade(for shapes: [Shape]) -> Bool {
    zip(memory.subgraph.inputs, shapes).allSatisfy { memory.slots[$0].shape == $1 }
  }

  /// The memory that the plan's tensors take.
  var byteCount: Int {
    memory.slots.reduce(segments.reduce(0) { $0 + ($1.arena?.byteCount ?? 0) }) {
      $0 + ($1.block?.byteCount ?? 0)
    }
  }

  /// The first node that is not planned.
  var end: Int { segments.last?.nodes.upperBound ?? 0 }

  /// The shapes of the subgraph's outputs; `nil` where only a run can tell.
  var outputShapes: [Shape]? {
    hasFixedResults ? memory.subgraph.outputs.map { memory.shape(of: $0) } : nil
  }

  func adding(_ segment: PlanSegment) -> Plan { Plan(memory, segments + [segment], others) }

  /// Returns the plan's first segments; the later ones go to `others`, and their results are
  /// forgotten.
  func keeping(_ count: Int) -> Plan {
    guard count < segments.count else { return self }
    others.keep(segments[count...], behind: count > 0 ? segments[count - 1] : nil, of: memory)
    memory.forgetResults(of: memory.subgraph.nodes[segments[count].nodes.lowerBound...])
    return Plan(memory, Array(segments[..<count]), others)
  }

  /// Returns the plan with a replaced segment added at its end.
  func restoring(_ entry: CachedSegments.Entry) -> Plan {
    others.remove(entry)
    entry.restore(in: memory)
    return adding(entry.segment)
  }
}
