/// A stretch of the plan whose shapes are all known when it begins.
///
/// Most models have one. A shape that depends on data ends a segment; what comes behind is
/// planned when the data is there, and kept for the next run with the same shapes.
///
/// An object, since a copy for every run would take and give back all that it names.
final class PlanSegment {
  /// The nodes that this segment covers, folded ones included.
  let nodes: Range<Int>
  /// What runs, in this order.
  let steps: [PlannedNode]
  /// The nodes whose results are constant or known, which were computed while planning.
  let foldedNodes: [Int]
  /// The tensors that earlier segments made at run time, with the shapes this plan was made for.
  let entryShapes: [(tensor: Int, shape: Shape)]
  /// Nodes whose shapes were computed from data: asked again before the segment is used again.
  let dataDependentNodes: [Node]
  /// Where the tensors that the segment makes and the working memory of its steps lie.
  let layout: SegmentLayout
  /// Their memory.
  let arena: MemoryBlock?
  /// What takes its place where there are guard pages.
  private let guarded: [MemoryBlock]
  /// What the loop over the steps reads.
  let calls: StepCalls

  /// - Precondition: memory and workers outlive this.
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
/// An object, since operators look back at what is planned in front of them.
final class SegmentDraft {
  var nodes: Range<Int>
  var steps: [PlannedNode] = []
  var foldedNodes: [Int] = []
  var entryShapes: [(tensor: Int, shape: Shape)] = []
  var dataDependentNodes: [Node] = []

  init(nodes: Range<Int>) { self.nodes = nodes }
}
