extension SubgraphRunner {
  /// Finds places for all tensors and working memory of a segment, and sets their addresses.
  func placeTensors(of segment: PlanSegment) throws(ModelError) {
    var layout = SegmentLayout(tensorCount: subgraph.tensors.count)
    for position in segment.plannedNodes.indices {
      let planned = segment.plannedNodes[position]
      if planned.isAbsorbed { continue }
      // An absorbed node read its operands earlier.
      for input in planned.node.inputs { layout.extend(input, to: planned.node.spec.index) }
      layout.addScratch(
        planned.step?.scratchByteCount ?? 0, ofStep: position, at: planned.node.spec.index)
      if planned.makesOutputs { continue }
      for output in planned.node.outputs { slots[output].byteCount = byteCount(ofTensor: output) }
      if place(planned, in: &layout, nodesEnd: segment.nodes.upperBound) {
        segment.plannedNodes[position].step = .view
      }
    }
    let byteCount = layout.place()
    guard byteCount > 0 else { return }
    let block = try MemoryBlock(
      byteCount: byteCount, account: session.account, isFilledAtOnce: true
    ) {
      "the arena of subgraph \(subgraph.index)"
    }
    segment.arena = block
    for (tensor, offset) in layout.tensorOffsets { bases[tensor] = block.base + offset }
    for (step, offset) in layout.scratchOffsets {
      segment.plannedNodes[step].scratch = block.base + offset
    }
  }

  /// What a tensor of known shape takes; nothing where elements vary in size.
  func byteCount(ofTensor tensor: Int) -> Int {
    let count = slots[tensor].shape?.elementCount ?? 0
    return subgraph.tensors[tensor].type.byteCount(ofElements: count) ?? 0
  }

  /// Adds a node's results to the layout, sharing memory with operands that only move.
  ///
  /// - Returns: whether nothing is left to do for the node.
  private func place(
    _ planned: PlanSegment.PlannedNode, in layout: inout SegmentLayout, nodesEnd: Int
  ) -> Bool {
    let node = planned.node
    var moves = planned.step?.flatMoves ?? []
    let moveCount = moves.count
    for (position, output) in node.outputs.enumerated() {
      let byteCount = slots[output].byteCount
      let lastUse = subgraph.lastUses[output]
      let lastStep = lastUse >= nodesEnd ? .max : max(lastUse, node.spec.index)
      let view = moves.firstIndex { $0.result == position && $0.byteCount == byteCount }
      if let view,
        layout.addView(
          output, of: node.inputs[moves[view].operand], at: moves[view].operandOffset,
          byteCount: byteCount, to: lastStep)
      {
        moves.remove(at: view)
      } else {
        layout.addTensor(output, byteCount: byteCount, from: node.spec.index, to: lastStep)
      }
    }
    moves.removeAll { move in
      layout.put(
        node.inputs[move.operand], into: node.outputs[move.result], at: move.resultOffset,
        byteCount: move.byteCount)
    }
    return moveCount > 0 && moves.isEmpty && planned.step?.onlyMoves == true
  }
}
