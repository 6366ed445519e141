import OcellusKernelABI

extension GatherND {
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    switch context.node.inputs[1]?.type {
    case .int16: step(context, Int16.self)
    case .int32: step(context, Int32.self)
    case .int64: step(context, Int64.self)
    default: nil
    }
  }

  private func step<Index: FixedWidthInteger & BitwiseCopyable & SendableMetatype>(
    _ context: PlanContext, _: Index.Type
  ) -> Step? {
    guard let shape = context.inputShapes[0], let indices = context.inputShapes[1],
      let elementBytes = context.node.outputs[0].type.byteWidth,
      shape.elementCount <= Int(Int32.max), context.outputShapes[0].elementCount > 0,
      indices.elementCount > 0
    else { return nil }
    let depth = indices[-1]
    let count = indices.elementCount / depth
    let rows = IndexedRows<Index>(
      extents: Array(shape.dimensions.prefix(depth)),
      rowBytes: shape.product(of: depth..<shape.rank) * elementBytes,
      gatherRows: context.kernels.dataMovement.gatherRows)
    var step = Step(
      kernelName: "rows \(context.kernels.name)",
      scratchByteCount: IndexedRows<Index>.scratchByteCount
    ) { step in
      rows.gather(
        step.input(1), count: count, from: step.input(0), to: step.output(0),
        scratch: step.scratch, step.workers)
    }
    step.accepts = { step in rows.areInside(step.input(1), count: count, step.workers) }
    return step
  }
}
