/// How one subgraph runs for some shapes of its inputs: all that can be decided before the data is
/// there.
///
/// A plan does not change. Where shapes depend on data, a run goes on with another one that has the
/// same beginning (`adding`, `restoring`); for other shapes of the inputs the planner makes a new one, with a
/// memory of its own.
struct Plan {
  let memory: TensorMemory
  /// What follows each other; together they cover the nodes up to the first whose shapes are not
  /// known yet.
  let segments: [PlanSegment]
  /// Those that data may ask for again.
  let others: OtherSegments
  /// Whether the shapes of the subgraph's outputs are known before a run.
  let hasFixedResults: Bool

  /// A plan of nothing: what a subgraph has until its inputs' shapes are settled.
  init(_ memory: TensorMemory) { self.init(memory, [], OtherSegments()) }

  private init(_ memory: TensorMemory, _ segments: [PlanSegment], _ others: OtherSegments) {
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

  /// The memory that its tensors have.
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

  /// The first segments, without what the others have made; these are kept beside the plan.
  func keeping(_ count: Int) -> Plan {
    guard count < segments.count else { return self }
    others.keep(segments[count...], behind: count > 0 ? segments[count - 1] : nil, of: memory)
    memory.forgetResults(of: memory.subgraph.nodes[segments[count].nodes.lowerBound...])
    return Plan(memory, Array(segments[..<count]), others)
  }

  /// The same with one of the others behind.
  func restoring(_ entry: OtherSegments.Entry) -> Plan {
    others.remove(entry)
    entry.restore(in: memory)
    return adding(entry.segment)
  }
}
