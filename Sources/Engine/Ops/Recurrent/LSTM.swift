import OcellusModelFile

/// LSTM, UNIDIRECTIONAL_SEQUENCE_LSTM and BIDIRECTIONAL_SEQUENCE_LSTM: one cell per direction, run
/// over a sequence; its states are variables.
package struct LSTM: Operator {
  package static let step = OperatorDefinition(
    "LSTM", versions: 1...4, types: [.float32, .int8, .uint8]
  ) { node throws(ModelError) in
    // The basic kernel has different operands.
    let kernel = try node.options(BuiltinOptionsTag.lstm).integer(3, as: Int8.self)
    return kernel == 1 ? try BasicLSTM(node) : try Self(step: node)
  }

  package static let unidirectional = OperatorDefinition(
    "UNIDIRECTIONAL_SEQUENCE_LSTM", versions: 1...4, types: [.float32, .int8],
    make: { node throws(ModelError) in try Self(unidirectional: node) })

  package static let bidirectional = OperatorDefinition(
    "BIDIRECTIONAL_SEQUENCE_LSTM", versions: 1...3, types: [.float32],
    make: { node throws(ModelError) in try Self(bidirectional: node) })

  /// One cell and its pass over the sequence.
  struct Direction {
    var cell: LSTMCellSpec
    var pass = SequencePass()
  }

  let directions: [Direction]
  let time: SequenceLayout.TimeAxis
  private(set) var options: FloatLSTMCell.Options
  let integer: (any IntegerLSTMCell)?
  /// The operand with the auxiliary input of all cells, if they have weights for one.
  let auxiliaryInput: Int?
  package let traits: OperatorTraits = .stateful

  // MARK: Decoding

  private init(step node: NodeSpec) throws(ModelError) {
    let options = node.options(BuiltinOptionsTag.lstm)
    try self.init(
      node, time: .none, options, isAsymmetric: try options.bool(4))
  }

  private init(unidirectional node: NodeSpec) throws(ModelError) {
    let options = node.options(BuiltinOptionsTag.unidirectionalSequenceLSTM)
    try self.init(
      node, time: try options.bool(3) ? .first : .second, options,
      isAsymmetric: try options.bool(4))
  }

  /// Decodes a node with one cell.
  private init(
    _ node: NodeSpec, time: SequenceLayout.TimeAxis, _ options: OptionReader, isAsymmetric: Bool
  ) throws(ModelError) {
    try node.require(
      [20, 24].contains(node.inputs.count), "takes 20 or 24 inputs, not \(node.inputs.count)")
    try node.requireOperands(20...24, mayLeaveOut: true)
    try node.requireSameType(try node.input(0), try node.output(0))
    let cell = try LSTMCellSpec(
      node, first: 1, outputState: 18, cellState: 19, normalization: 20)
    directions = [Direction(cell: cell)]
    self.time = time
    self.options = try Self.options(node, options, cell, isAsymmetric: isAsymmetric)
    auxiliaryInput = nil
    guard cell.arithmetic == .integer else {
      integer = nil
      return
    }
    // The number of intermediate tensors distinguishes the two kinds of integer cells.
    switch node.intermediates.count {
    case 5: integer = try LSTMCell8x8x16(node, cell, self.options)
    case 12 where time == .none: integer = try LSTMCell8x8x8(node, cell, self.options)
    default: throw node.error("has \(node.intermediates.count) intermediate tensors")
    }
  }

  private init(bidirectional node: NodeSpec) throws(ModelError) {
    let options = node.options(BuiltinOptionsTag.bidirectionalSequenceLSTM)
    let isMerged = try options.bool(3)
    try node.requireOperands(48, outputs: isMerged ? 1 : 2, mayLeaveOut: true)
    for output in node.outputs { try node.require(output, .float32) }
    let forward = try LSTMCellSpec(
      node, first: 1, outputState: 35, cellState: 36, auxiliaryWeights: 40)
    let backward = try LSTMCellSpec(
      node, first: 18, outputState: 37, cellState: 38, auxiliaryWeights: 44)
    try node.require(
      forward.hasAuxiliaryWeights == backward.hasAuxiliaryWeights
        && forward.arithmetic == backward.arithmetic,
      "the weights of the two directions are of different kinds")
    let auxiliary = node.optionalInput(39)
    if let auxiliary { try node.require(auxiliary, .float32) }
    try node.require(
      auxiliary != nil || !forward.hasAuxiliaryWeights, "has weights for a missing input 39")
    // An auxiliary input without weights holds the backward outputs of the layer below.
    auxiliaryInput = forward.hasAuxiliaryWeights ? 39 : nil
    directions = [
      Direction(cell: forward),
      Direction(
        cell: backward,
        pass: SequencePass(
          isBackward: true, input: auxiliary != nil && !forward.hasAuxiliaryWeights ? 39 : 0,
          output: isMerged ? 0 : 1, followsForwardOutputs: isMerged)),
    ]
    time = try options.bool(4, default: true) ? .first : .second
    self.options = try Self.options(node, options, forward, isAsymmetric: try options.bool(5))
    integer = nil
  }

  private static func options(
    _ node: NodeSpec, _ reader: OptionReader, _ cell: LSTMCellSpec, isAsymmetric: Bool
  ) throws(ModelError) -> FloatLSTMCell.Options {
    let options = FloatLSTMCell.Options(
      activation: try FusedActivation(reader, field: 0), cellClip: try reader.float(1),
      projectionClip: try reader.float(2),
      rounding: cell.arithmetic != .hybrid ? .none : isAsymmetric ? .asymmetric : .symmetric)
    try node.require(
      options.cellClip >= 0 && options.projectionClip >= 0, "clips must not be negative")
    return options
  }

  /// Returns the operator with the bits of LiteRT's built-in kernel; integers have the same ones.
  func asBuiltIn() -> Self {
    var operation = self
    operation.options.isBuiltIn = true
    return operation
  }

  // MARK: Shapes

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let input = context.shape(0)
    let rank = time == .none ? 2 : 3
    try context.require(input.rank == rank, "the input does not have \(rank) dimensions")
    let sizes = try sizes(context)
    var shape = input
    shape[-1] = sizes[0].outputs
    guard sizes.count == 2 else { return [shape] }
    var backward = input
    backward[-1] = sizes[1].outputs
    guard context.node.outputs.count == 1 else { return [shape, backward] }
    shape[-1] += sizes[1].outputs
    return [shape]
  }

  /// Returns the sizes of the cells, after checks.
  private func sizes(_ context: ShapeContext) throws(ModelError) -> [LSTMSizes] {
    let input = context.shape(0)
    let layout = SequenceLayout(input, time)
    if let second = context.optionalShape(39), directions.count == 2 {
      try context.require(
        second.rank == 3 && second[0] == input[0] && second[1] == input[1],
        "the second input has the shape \(second)")
    }
    return try directions.map { direction throws(ModelError) in
      try direction.cell.sizes(
        context, rows: layout.batchCount, inputs: context.shape(direction.pass.input)[-1],
        auxiliaryInputs: auxiliaryInput.map { context.shape($0)[-1] } ?? 0)
    }
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    guard let sizes = try? sizes(context) else { return 0 }
    let rows = context.shape(0).product(of: 0..<context.shape(0).rank - 1)
    return saturatingProduct(rows, sizes.count, sizes.map(\.multiplyAdds).max() ?? 0)
  }

  // MARK: Running

  package func run(_ context: RunContext) throws(ModelError) {
    for direction in directions {
      let sizes = LSTMSizes(
        recurrentWeights: context.input(direction.cell.recurrentWeights(.output)).shape,
        inputs: context.input(direction.pass.input).shape[-1],
        auxiliaryInputs: auxiliaryInput.map { context.input($0).shape[-1] } ?? 0)
      guard sizes.cells > 0 else { continue }
      if let integer {
        try run(integer, context, direction, sizes)
      } else {
        try runFloatCell(context, direction, sizes)
      }
    }
  }

  private func runFloatCell(
    _ context: RunContext, _ direction: Direction, _ sizes: LSTMSizes
  ) throws(ModelError) {
    let layout = SequenceLayout(context.input(0).shape, time)
    let cell = FloatLSTMCell(context, direction.cell, sizes, layout, options)
    let inputs = context.input(direction.pass.input).values(Float.self)
    let auxiliary = auxiliaryInput.map { context.input($0).values(Float.self) }
    try context.withScratch(Float.self, count: FloatLSTMCell.floatCount(sizes)) {
      floats throws(ModelError) in
      try context.withScratch(Int8.self, count: FloatLSTMCell.byteCount(sizes)) {
        bytes throws(ModelError) in
        try forEachRow(context, direction, sizes) { row, batch, outputState, cellState in
          cell.step(
            input: inputs.row(row, sizes.inputs),
            auxiliary: auxiliary?.row(row, sizes.auxiliaryInputs), outputState: outputState,
            cellState: cellState, batch: batch, in: .init(floats: floats, bytes: bytes))
        }
      }
    }
  }

  private func run(
    _ cell: any IntegerLSTMCell, _ context: RunContext, _ direction: Direction,
    _ sizes: LSTMSizes
  ) throws(ModelError) {
    let inputs = context.input(direction.pass.input).values(Int8.self)
    let count = IntegerLSTMOperands.scratchCount(sizes)
    try context.withScratch(Int16.self, count: count) { memory throws(ModelError) in
      let operands = IntegerLSTMOperands(context, direction.cell, sizes, memory: memory)
      try forEachRow(context, direction, sizes) { row, _, outputState, cellState in
        cell.step(
          operands, input: inputs.row(row, sizes.inputs), outputState: outputState,
          cellState: cellState)
      }
    }
  }

  /// Calls `step` for every row of the sequence in the order of the pass, with its batch's states.
  private func forEachRow<Output: BitwiseCopyable, State: BitwiseCopyable>(
    _ context: RunContext, _ direction: Direction, _ sizes: LSTMSizes,
    _ step: (
      _ row: Int, _ batch: Int, _ outputState: UnsafeMutableBufferPointer<Output>,
      _ cellState: UnsafeMutableBufferPointer<State>
    ) -> Void
  ) throws(ModelError) {
    let layout = SequenceLayout(context.input(0).shape, time)
    let outputStates = context.input(direction.cell.outputState).values(Output.self)
    let cellStates = context.input(direction.cell.cellState).values(State.self)
    try direction.pass.run(context, layout) { row, batch in
      let outputState = outputStates.row(batch, sizes.outputs)
      step(row, batch, outputState, cellStates.row(batch, sizes.cells))
      return outputState
    }
  }
}
