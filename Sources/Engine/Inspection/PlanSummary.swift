/// What a plan consists of: which kernel runs which node, and the memory that they share.
package struct PlanSummary: Sendable {
  /// One node as it will run.
  package struct PlannedNode: Sendable {
    /// The position of the node in its subgraph.
    package var node: Int
    /// The tuned kernel; `nil` where the reference runs.
    package var kernelName: String?
    package var multiplyAdds: Int
  }

  /// In the order in which they run.
  package var nodes: [PlannedNode] = []
  /// Nodes with constant results, which were computed while planning.
  package var foldedNodes: [Int] = []
  /// Nodes whose shapes depend on data: they are planned when the data is there.
  package var unplannedNodes: Range<Int> = 0..<0
  /// What computed tensors and working memory take together.
  package var arenaByteCount = 0
  /// What the computed tensors alone would take if none made room for another.
  package var tensorByteCount = 0
  /// What weights take in the kernels' own layouts.
  package var packedByteCount = 0
}

extension EntryPoint {
  /// What the plan consists of so far; empty before `allocate()`.
  package var planSummary: PlanSummary {
    var summary = PlanSummary()
    for segment in runner.segments {
      summary.arenaByteCount += segment.arena?.byteCount ?? 0
      let planned = segment.plannedNodes.map(\.node.spec.index)
      summary.foldedNodes += Set(segment.nodes).subtracting(planned).sorted()
      for node in segment.plannedNodes {
        summary.nodes.append(
          .init(
            node: node.node.spec.index, kernelName: node.step?.kernelName,
            multiplyAdds: node.multiplyAdds))
        for output in node.node.outputs {
          summary.tensorByteCount += runner.slots[output].byteCount
        }
      }
    }
    let end = runner.segments.last?.nodes.upperBound ?? 0
    summary.unplannedNodes = end..<runner.subgraph.nodes.count
    summary.packedByteCount = session.model.packedWeights.byteCount
    return summary
  }
}
