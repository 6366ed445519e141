extension Planner {
  /// Fuses consecutive elementwise steps that pass on large tensors, to run them slice by slice.
  func fuseElementwiseSteps(of draft: SegmentDraft) {
    if session.options.runsNodesSeparately { return }
    var run: [Int] = []
    var elementCount = 0
    var treatment: Bool?
    for position in draft.steps.indices {
      let planned = draft.steps[position]
      // Steps that do nothing do not interrupt a group.
      if planned.runsInAnotherStep || planned.node.outputs.isEmpty { continue }
      let count = fusibleElements(planned)
      // A group takes subnormal floats in one way.
      let isOther =
        (planned.takesSubnormalsAsZero ?? treatment) != (treatment ?? planned.takesSubnormalsAsZero)
      if count != elementCount || isOther || run.count == FusedElementwise.maximumStepCount {
        fusedGroup(run, in: draft)
        (run, treatment) = ([], nil)
      }
      elementCount = count
      treatment = treatment ?? planned.takesSubnormalsAsZero
      if count > 0 { run.append(position) }
    }
    fusedGroup(run, in: draft)
  }

  /// Returns the number of elements of a step that can be fused, else 0.
  private func fusibleElements(_ planned: PlannedNode) -> Int {
    guard let step = planned.step, let work = step.elementwise, step.accepts == nil,
      work.elementCount >= FusedElementwise.minimumElementCount,
      planned.node.outputs.count == 1,
      !planned.node.inputs.contains(where: { $0 < 0 || subgraph.tensors[$0].isVariable })
    else { return 0 }
    return work.elementCount
  }

  /// Fuses consecutive steps where possible: from each position on, as many as possible.
  private func fusedGroup(_ run: [Int], in draft: SegmentDraft) {
    var start = 0
    while start < run.count - 1 {
      let end = (start + 1..<run.count).last { canFuse(run[start...$0], in: draft) } ?? start
      let isFused = end > start && makeFusedStep(run[start...end], in: draft)
      start = isFused ? end + 1 : start + 1
    }
  }

  /// Returns whether only these steps read the results of all but the last, and slices suffice.
  private func canFuse(_ run: ArraySlice<Int>, in draft: SegmentDraft) -> Bool {
    let made = run.dropLast().map { draft.steps[$0].node.outputs[0] }
    var uses = made.map { subgraph.useCounts[$0] }
    for position in run {
      let planned = draft.steps[position]
      for (operand, tensor) in planned.node.inputs.enumerated() {
        guard let index = made.firstIndex(of: tensor) else { continue }
        // Every slice would need the whole operand; the operands of a fused source count as such
        // too.
        let operandBytes = planned.step?.elementwise?.operandBytes ?? []
        guard operandBytes.indices.contains(operand), operandBytes[operand] > 0 else {
          return false
        }
        uses[index] -= 1
      }
    }
    return uses.allSatisfy { $0 == 0 }
  }

  /// Lets the first of the steps do the work of all.
  ///
  /// Everything else that the later steps read is available by then, since nothing runs between
  /// them.
  ///
  /// - Returns: whether the steps could be fused.
  private func makeFusedStep(_ run: ArraySlice<Int>, in draft: SegmentDraft) -> Bool {
    let planned = run.map { draft.steps[$0] }
    let parts = planned.compactMap { planned in
      planned.step?.elementwise.map { FusedElementwise.Part(node: planned.node, work: $0) }
    }
    let threadCount = session.workers.threadCount
    guard let fusedGroup = FusedElementwise(parts, threadCount: threadCount),
      let first = planned.first, let last = planned.last
    else { return false }
    for position in run.dropFirst() {
      draft.steps[position].step = .link
      draft.steps[position].role = .fusedGroup(to: first.node.spec.index)
    }
    draft.steps[run[run.startIndex]].takesSubnormalsAsZero =
      planned.lazy.compactMap(\.takesSubnormalsAsZero).first
    draft.steps[run[run.startIndex]].node = Node(
      first.node, operation: first.node.operation, inputs: fusedGroup.operands,
      outputs: last.node.outputs)
    draft.steps[run[run.startIndex]].step = fusedGroup.step(
      kernelName: "\(first.step?.kernelName ?? ""), fused group of \(parts.count)",
      threadCount: threadCount)
    draft.steps[run[run.startIndex]].step?.strategy = first.step?.strategy
    return true
  }
}
