import OcellusKernelABI

extension Gather {
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let shape = context.inputShapes[0],
      let elementWidth = context.node.outputs[0].type.byteWidth
    else { return nil }
    let layout = try layout(ShapeContext(context))
    let rowBytes = shape.product(of: (layout.axis + 1)..<shape.rank) * elementWidth
    let rowCount = context.outputShapes[0].elementCount * elementWidth / rowBytes
    guard shape.elementCount <= Int(Int32.max) else { return nil }
    // Examining more indices would make planning too slow.
    let maximumKnownCount = 1 << 20
    if let indices = context.knownValues[1],
      max(indices.elementCount, rowCount) <= maximumKnownCount
    {
      return try constantStep(Array(indices.integers), layout, rowCount, rowBytes, context)
    }
    return switch context.node.inputs[1]?.type {
    case .int32: step(layout, rowCount, rowBytes, context, Int32.self)
    case .int64: step(layout, rowCount, rowBytes, context, Int64.self)
    case .int16: step(layout, rowCount, rowBytes, context, Int16.self)
    default: nil
    }
  }

  /// Returns a step for rows that are known when it is planned.
  ///
  /// - Returns: `nil` where an index is out of range, which is an error only in a run.
  private func constantStep(
    _ indices: [Int], _ layout: RowLayout, _ rowCount: Int, _ rowBytes: Int,
    _ context: PlanContext
  ) throws(ModelError) -> Step? {
    guard indices.allSatisfy({ (0..<layout.extent).contains($0) }) else { return nil }
    let block = try context.makeTable(byteCount: rowCount * MemoryLayout<Int32>.stride)
    let rows = block.base.bindMemory(to: Int32.self, capacity: rowCount)
    for row in 0..<rowCount {
      rows[row] = Int32(truncatingIfNeeded: layout.source(of: row, indices))
    }
    let gatherRows = context.kernels.dataMovement.gatherRows
    return Step(kernelName: "rows known ahead \(context.kernels.name)") { step in
      GatheringArguments(
        source: step.input(0), target: step.output(0), rowBytes: rowBytes,
        rows: UnsafePointer(block.base.assumingMemoryBound(to: Int32.self)), count: rowCount
      ).gather(by: gatherRows, step.workers)
    }
  }

  /// Returns a step for indices of a run, which it refuses if they are out of range.
  private func step<Index: FixedWidthInteger & BitwiseCopyable & SendableMetatype>(
    _ layout: RowLayout, _ rowCount: Int, _ rowBytes: Int, _ context: PlanContext, _: Index.Type
  ) -> Step {
    let indexCount = context.inputShapes[1]?.elementCount ?? 0
    let rows = IndexedRows<Index>(
      extents: [layout.extent], rowBytes: rowBytes,
      gatherRows: context.kernels.dataMovement.gatherRows)
    let (extent, count, outer) = (layout.extent, layout.count, layout.outer)
    let sliceCount = rowCount / count
    var step = Step(
      kernelName: "rows \(context.kernels.name)",
      scratchByteCount: IndexedRows<Index>.scratchByteCount
    ) { step in
      func gather(_ slice: Int) {
        rows.gather(
          step.input(1) + slice / outer * count * MemoryLayout<Index>.stride, count: count,
          from: step.input(0) + slice * extent * rowBytes,
          to: step.output(0) + slice * count * rowBytes, scratch: step.scratch, step.workers)
      }
      if sliceCount == 1 { return gather(0) }
      let work = 16 + count * (1 + rowBytes / 16)
      for chunk in step.workers.chunks(of: sliceCount, workOfEach: work) {
        for slice in chunk { gather(slice) }
      }
    }
    step.accepts = { step in rows.areInside(step.input(1), count: indexCount, step.workers) }
    return step
  }
}
