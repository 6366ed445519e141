import OcellusKernelABI

extension LSTM {
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let integer = integer as? WideLSTMCell, directions.count == 1,
      let shape = context.inputShapes[0],
      let recurrent = context.inputShapes[directions[0].cell.recurrentWeights(.output)],
      recurrent.rank == 2
    else { return nil }
    let direction = directions[0]
    let layout = SequenceLayout(shape, time)
    let sizes = LSTMSizes(recurrentWeights: recurrent, inputs: shape[-1], auxiliaryInputs: 0)
    guard let cell = IntegerLSTMStep(context, direction.cell, integer, sizes, layout)
    else { return nil }
    return step(cell, direction, layout, context, kernelName: "lstm int8")
  }

  private func step<Cell: TunedCell>(
    _ cell: Cell, _ direction: Direction, _ layout: SequenceLayout, _ context: PlanContext,
    kernelName: String
  ) -> Step {
    let result = direction.pass.output
    let elementBytes = context.node.outputs[result].type.byteWidth ?? 1
    let sequence = TunedSequence(
      cell: cell, pass: direction.pass, layout: layout,
      outputRowBytes: context.outputShapes[result][-1] * elementBytes)
    return Step(
      kernelName: "\(kernelName) \(context.kernels.name)",
      scratchByteCount: cell.scratchByteCount
    ) { step in
      sequence.run(step)
    }
  }
}
