/// A stretch of the plan whose shapes are all known when it begins.
///
/// Most models have one. A shape that depends on data ends a segment; what comes behind is
/// planned when the data is there, and kept for the next run with the same shapes.
///
/// An object, since a copy for every run would take and give back all that it names.
final class PlanSegment {
  /// One node as it will run.
  struct PlannedNode {
    var node: Node
    /// The tuned implementation; `nil` runs the reference.
    var step: Step?
    var multiplyAdds: Int
    /// What a run is charged for the node: the multiply-adds, and the elements it touches.
    var cost = 0
    /// Whether a later step does the node's work in passing.
    var isAbsorbed = false
    /// Whether the run makes the outputs, since only then their shapes are known.
    var makesOutputs = false
    var scratch: UnsafeMutableRawPointer?
  }

  /// The nodes that this segment covers, folded ones included.
  var nodes: Range<Int>
  var plannedNodes: [PlannedNode] = []
  /// The tensors that earlier segments made at run time, with the shapes this plan was made for.
  var entryShapes: [(tensor: Int, shape: Shape)] = []
  /// Nodes whose shapes were computed from data: asked again before the segment is used again.
  var dataDependentNodes: [Node] = []
  /// The memory of the tensors that the segment makes.
  var arena: MemoryBlock?
  /// What the loop over the steps reads, made when everything has its place.
  var calls: StepCalls?

  init(nodes: Range<Int>) { self.nodes = nodes }
}
