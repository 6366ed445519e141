extension Planner {
  /// Assigns memory to all tensors and scratch of a segment, and sets their addresses.
  func placed(_ draft: SegmentDraft) throws(ModelError) -> PlanSegment {
    let layout = layout(of: draft)
    let arena = try layout.byteCount > 0 ? makeArena(layout.byteCount) : nil
    if let arena {
      for (tensor, offset) in layout.tensorOffsets {
        memory.addresses[tensor] = arena.base + offset
      }
      for (step, offset) in layout.scratchOffsets {
        draft.steps[step].scratch = arena.base + offset
      }
    }
    let guarded = MemoryGuard.isOn ? try placedApart(draft, layout) : []
    return PlanSegment(
      draft, layout: layout, arena: arena, guarded: guarded, memory: memory,
      workers: session.workers)
  }

  /// Replaces the arena by a block between guard pages for every request, charged to no account.
  private func placedApart(
    _ draft: SegmentDraft, _ layout: SegmentLayout
  ) throws(ModelError) -> [MemoryBlock] {
    let account = MemoryAccount(limit: .max)
    var blocks: [MemoryBlock] = []
    for allocation in layout.allocations where allocation.byteCount > 0 {
      let alignments = allocation.tensors.map { memory.elementAlignment(ofTensor: $0.tensor) }
      let block = try MemoryBlock(
        byteCount: allocation.byteCount, account: account,
        elementAlignment: alignments.max() ?? MemoryBlock.alignment
      ) { "a part of the arena of subgraph \(subgraph.index)" }
      for (tensor, offset) in allocation.tensors { memory.addresses[tensor] = block.base + offset }
      if let step = allocation.step { draft.steps[step].scratch = block.base }
      blocks.append(block)
    }
    return blocks
  }

  private func makeArena(_ byteCount: Int) throws(ModelError) -> MemoryBlock {
    try MemoryBlock(byteCount: byteCount, account: session.account, isPopulatedEagerly: true) {
      "the arena of subgraph \(subgraph.index)"
    }
  }

  private func layout(of draft: SegmentDraft) -> SegmentLayout {
    var layout = SegmentLayout(tensorCount: subgraph.tensors.count)
    for position in draft.steps.indices {
      let planned = draft.steps[position]
      if planned.runsInAnotherStep { continue }
      // Operands of a node fused into this one must live longer than that node: until this one.
      for input in planned.node.inputs { layout.extend(input, to: planned.node.spec.index) }
      layout.addScratch(
        planned.step?.scratchByteCount ?? 0, ofStep: position, at: planned.node.spec.index)
      if planned.makesOutputs { continue }
      for output in planned.node.outputs {
        memory.slots[output].byteCount = memory.byteCount(ofTensor: output)
      }
      if place(planned, in: &layout, nodesEnd: draft.nodes.upperBound) {
        draft.steps[position].step = .view
        draft.steps[position].role = .view
      }
    }
    layout.place()
    return layout
  }

  /// Adds a node's results to the layout, in the memory of operands that they only copy where
  /// possible.
  ///
  /// - Returns: whether nothing is left to do for the node.
  private func place(
    _ planned: PlannedNode, in layout: inout SegmentLayout, nodesEnd: Int
  ) -> Bool {
    let node = planned.node
    var elementCopies = planned.step?.flatCopies ?? []
    let copyCount = elementCopies.count
    for (position, output) in node.outputs.enumerated() {
      let byteCount = memory.slots[output].byteCount
      let lastUse = subgraph.lastUses[output]
      let isKept = lastUse >= nodesEnd || session.options.keepsIntermediateResults
      let lastStep = isKept ? .max : max(lastUse, node.spec.index)
      let view = elementCopies.firstIndex { $0.result == position && $0.byteCount == byteCount }
      if let view,
        layout.addView(
          output, of: node.inputs[elementCopies[view].operand],
          at: elementCopies[view].operandOffset,
          byteCount: byteCount, to: lastStep)
      {
        elementCopies.remove(at: view)
      } else {
        layout.addTensor(output, byteCount: byteCount, from: node.spec.index, to: lastStep)
      }
    }
    elementCopies.removeAll { move in
      layout.put(
        node.inputs[move.operand], into: node.outputs[move.result], at: move.resultOffset,
        byteCount: move.byteCount)
    }
    return copyCount > 0 && elementCopies.isEmpty && planned.step?.onlyCopies == true
  }
}
