import OcellusKernelABI

extension ArgExtremum {
  /// The longest run for byte kernels, which compare bytes together with 24-bit indices.
  private static let longestRun = 1 << 24
  /// The most elements for one kernel call, which cannot be stopped.
  private static let maximumElementsPerCall = 1 << 24

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let input = context.inputShapes[0], let axis = context.knownValues[1]?.integers[0],
      let kernel = kernel(context)
    else { return nil }
    let position = axis < 0 ? axis + input.rank : axis
    let (runLength, inner) = (input[position], input.product(of: position + 1..<input.rank))
    guard runLength <= Self.longestRun, runLength * inner <= Self.maximumElementsPerCall else {
      return nil
    }
    let rowsPerCall = max(Self.maximumElementsPerCall / max(runLength * inner, 1), 1)
    let resultCount = context.outputShapes[0].elementCount
    let outer = resultCount / max(inner, 1)
    let has64BitIndices = context.node.outputs[0].type == .int64
    let grid = WorkItemGrid(
      rows: outer, multipleOf: 1, columns: 1, multipleOf: 1,
      multiplyAdds: input.elementCount, threadCount: context.threadCount)
    let loop = WorkItemLoop<StepContext> { step, item in
      step.workers.forEachSlice(of: grid[item].rows, length: rowsPerCall) { rows in
        kernel(
          ReductionArguments(
            input: step.input(0), output: has64BitIndices ? step.scratch : step.output(0),
            outer: rows,
            outerCount: outer, reducedCount: runLength, innerCount: inner))
      }
    }
    return Step(
      kernelName: "place of extreme \(context.kernels.name)",
      scratchByteCount: has64BitIndices ? resultCount * 4 : 0
    ) { step in
      step.workers.run(grid.count, loop, step)
      guard has64BitIndices else { return }
      let (indices32, indices64) = (
        step.scratch.assumingMemoryBound(to: Int32.self),
        step.output(0).assumingMemoryBound(to: Int64.self)
      )
      forEachChunk(of: resultCount, step.workers.control) { chunk in
        for index in chunk { indices64[index] = Int64(indices32[index]) }
      }
    }
  }

  private func kernel(_ context: PlanContext) -> Reductions.Kernel? {
    let reductions = context.kernels.reductions
    switch (context.node.inputs[0]?.type, isMaximum) {
    case (.int8, true): return reductions.indexOfMaximumInt8
    case (.int8, false): return reductions.indexOfMinimumInt8
    case (.uint8, true), (.bool, true): return reductions.indexOfMaximumUInt8
    case (.uint8, false), (.bool, false): return reductions.indexOfMinimumUInt8
    case (.int32, true): return reductions.indexOfMaximumInt32
    case (.int32, false): return reductions.indexOfMinimumInt32
    case (.float32, true): return reductions.indexOfMaximumFloat
    case (.float32, false): return reductions.indexOfMinimumFloat
    default: return nil
    }
  }
}
