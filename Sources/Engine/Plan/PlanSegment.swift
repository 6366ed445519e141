/// A range of the plan's nodes whose shapes are all known when it begins.
///
/// Most models have one segment. A shape that depends on data ends a segment; the nodes after it
/// are planned when the data is there, and their segment is kept for the next run with the same
/// shapes.
///
/// A class, since copying a structure in every run would retain and release everything that it
/// refers to.
final class PlanSegment {
  /// The nodes that this segment covers, folded ones included.
  let nodes: Range<Int>
  /// The nodes' steps, in execution order.
  let steps: [PlannedNode]
  /// The nodes that were computed while planning, since their results are constant or known.
  let foldedNodes: [Int]
  /// The tensors that earlier segments made at run time, with the shapes this plan was made for.
  let entryShapes: [(tensor: Int, shape: Shape)]
  /// The nodes whose shapes were computed from data: inferred again before the segment is reused.
  let dataDependentNodes: [Node]
  /// The offsets of the segment's tensors and of the scratch of its steps.
  let layout: SegmentLayout
  /// The memory that `layout` divides.
  let arena: MemoryBlock?
  /// The blocks that replace the arena where there are guard pages.
  private let guarded: [MemoryBlock]
  /// The steps in the form that the execution loop reads.
  let calls: StepCalls

  /// - Precondition: `memory` and `workers` outlive the segment.
  init(
    _ draft: SegmentDraft, layout: SegmentLayout, arena: MemoryBlock?, guarded: [MemoryBlock],
    memory: TensorMemory, workers: Workers
  ) {
    nodes = draft.nodes
    steps = draft.steps
    foldedNodes = draft.foldedNodes
    entryShapes = draft.entryShapes
    dataDependentNodes = draft.dataDependentNodes
    self.layout = layout
    self.arena = arena
    self.guarded = guarded
    calls = StepCalls(draft.steps, addresses: memory.addresses, workers: workers)
  }
}

/// A segment while it is planned.
///
/// A class, since operators look back at the nodes planned before theirs.
final class SegmentDraft {
  var nodes: Range<Int>
  var steps: [PlannedNode] = []
  var foldedNodes: [Int] = []
  var entryShapes: [(tensor: Int, shape: Shape)] = []
  var dataDependentNodes: [Node] = []

  init(nodes: Range<Int>) { self.nodes = nodes }
}
