import OcellusKernelABI

extension LSTM {
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let shape = context.inputShapes[0], auxiliaryInput == nil else { return nil }
    let layout = SequenceLayout(shape, time)
    guard let integer else { return floatStep(layout, context) }
    guard let integer = integer as? LSTMCell8x8x16, let sizes = sizes(directions[0], context),
      let cell = IntegerLSTMStep(context, directions[0].cell, integer, sizes, layout)
    else { return nil }
    let sequence = sequence(cell, directions[0], layout, context)
    return step([sequence], context, kernelName: "lstm int8")
  }

  private func floatStep(_ layout: SequenceLayout, _ context: PlanContext) -> Step? {
    if options.rounding != .none {
      return step(layout, context, kernelName: "lstm float32×int8") { direction, sizes, name in
        FloatLSTMStep<RecurrentHybridGEMM>(
          context, direction.cell, options, sizes, layout, name: name)
      }
    }
    if options.isBuiltIn, layout.multipliesInLanes {
      return step(layout, context, kernelName: "lstm float32") { direction, sizes, name in
        FloatLSTMStep<RecurrentLaneGEMM>(
          context, direction.cell, options, sizes, layout, name: name)
      }
    }
    return step(layout, context, kernelName: "lstm float32") { direction, sizes, name in
      FloatLSTMStep<RecurrentFloatGEMM>(
        context, direction.cell, options, sizes, layout, name: name)
    }
  }

  /// Returns a step for all directions, if there is a tuned cell for each.
  private func step<Cell: TunedCell>(
    _ layout: SequenceLayout, _ context: PlanContext, kernelName: String,
    _ makeCell: (Direction, LSTMSizes, _ name: String) -> Cell?
  ) -> Step? {
    var sequences: [TunedSequence<Cell>] = []
    for (index, direction) in directions.enumerated() {
      guard let sizes = sizes(direction, context), let cell = makeCell(direction, sizes, "\(index)")
      else { return nil }
      sequences.append(sequence(cell, direction, layout, context))
    }
    return step(sequences, context, kernelName: kernelName)
  }

  private func sizes(_ direction: Direction, _ context: PlanContext) -> LSTMSizes? {
    let recurrent = context.inputShapes[direction.cell.recurrentWeights(.output)]
    guard let recurrent, let input = context.inputShapes[direction.pass.input] else { return nil }
    return LSTMSizes(recurrentWeights: recurrent, inputs: input[-1], auxiliaryInputs: 0)
  }

  private func sequence<Cell: TunedCell>(
    _ cell: Cell, _ direction: Direction, _ layout: SequenceLayout, _ context: PlanContext
  ) -> TunedSequence<Cell> {
    let result = direction.pass.output
    let elementBytes = context.node.outputs[result].type.byteWidth ?? 1
    return TunedSequence(
      cell: cell, pass: direction.pass, layout: layout,
      outputRowBytes: context.outputShapes[result][-1] * elementBytes)
  }

  /// Returns a step that runs the sequences one after the other.
  private func step<Cell: TunedCell>(
    _ sequences: [TunedSequence<Cell>], _ context: PlanContext, kernelName: String
  ) -> Step {
    Step(
      kernelName: "\(kernelName) \(context.kernels.name)",
      scratchByteCount: sequences.map(\.cell.scratchByteCount).max() ?? 0
    ) { step in
      for sequence in sequences { sequence.run(step) }
    }
  }
}
