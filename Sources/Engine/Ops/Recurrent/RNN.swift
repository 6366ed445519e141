import OcellusModelFile

/// RNN, UNIDIRECTIONAL_SEQUENCE_RNN and BIDIRECTIONAL_SEQUENCE_RNN: one layer per direction, run
/// over a sequence, whose last outputs are also inputs.
package struct RNN: Operator {
  package static let step = OperatorDefinition(
    "RNN", versions: 1...3, types: [.float32]
  ) { node throws(ModelError) in
    let options = node.options(BuiltinOptionsTag.rnn)
    return try Self(
      node, time: .none, activation: try FusedActivation(options, field: 0),
      isAsymmetric: try options.bool(1))
  }

  package static let unidirectional = OperatorDefinition(
    "UNIDIRECTIONAL_SEQUENCE_RNN", versions: 1...3, types: [.float32]
  ) { node throws(ModelError) in
    let options = node.options(BuiltinOptionsTag.sequenceRNN)
    return try Self(
      node, time: try options.bool(0) ? .first : .second,
      activation: try FusedActivation(options, field: 1), isAsymmetric: try options.bool(2))
  }

  package static let bidirectional = OperatorDefinition(
    "BIDIRECTIONAL_SEQUENCE_RNN", versions: 1...3, types: [.float32],
    make: { node throws(ModelError) in try Self(bidirectional: node) })

  /// A layer and its pass over the sequence.
  struct Direction {
    /// The position of the weights; recurrent weights, bias and state follow.
    var first = 1
    var auxiliaryWeights: Int?
    var pass = SequencePass()

    var recurrentWeights: Int { first + 1 }
    var bias: Int { first + 2 }
    var state: Int { first + 3 }
  }

  package let traits: OperatorTraits = .stateful
  let directions: [Direction]
  let time: SequenceLayout.TimeAxis
  let activation: FusedActivation
  let rounding: CellVector.Rounding
  let auxiliaryInput: Int?
  /// Whether the bits are those of LiteRT's built-in kernel, instead of the reference kernel's.
  private(set) var isBuiltIn = false

  /// Returns the operator with the bits of LiteRT's built-in kernel.
  func asBuiltIn() -> Self {
    var operation = self
    operation.isBuiltIn = true
    return operation
  }

  // MARK: Decoding

  private init(
    _ node: NodeSpec, time: SequenceLayout.TimeAxis, activation: FusedActivation,
    isAsymmetric: Bool
  ) throws(ModelError) {
    try node.requireOperands(5)
    directions = [Direction()]
    auxiliaryInput = nil
    self.time = time
    self.activation = activation
    rounding = try Self.check(node, directions, isAsymmetric: isAsymmetric)
  }

  private init(bidirectional node: NodeSpec) throws(ModelError) {
    let options = node.options(BuiltinOptionsTag.bidirectionalSequenceRNN)
    let isMerged = try options.bool(2)
    try node.requireOperands(12, outputs: isMerged ? 1 : 2, mayLeaveOut: true)
    time = try options.bool(0) ? .first : .second
    activation = try FusedActivation(options, field: 1)
    let hasWeights = node.optionalInput(10) != nil
    try node.require(
      hasWeights == (node.optionalInput(11) != nil)
        && (!hasWeights || node.optionalInput(9) != nil),
      "the second input and its weights must be given together")
    if let second = node.optionalInput(9) { try node.require(second, .float32) }
    auxiliaryInput = hasWeights ? 9 : nil
    // An auxiliary input without weights holds the backward outputs of the layer below. The
    // official kernel ignores it where the batch comes first.
    let isStacked = node.optionalInput(9) != nil && !hasWeights && time == .first
    directions = [
      Direction(auxiliaryWeights: hasWeights ? 10 : nil),
      Direction(
        first: 5, auxiliaryWeights: hasWeights ? 11 : nil,
        pass: SequencePass(
          isBackward: true, input: isStacked ? 9 : 0, output: isMerged ? 0 : 1,
          followsForwardOutputs: isMerged)),
    ]
    rounding = try Self.check(node, directions, isAsymmetric: try options.bool(3))
  }

  /// Checks the types and returns the rounding of inputs for the weights.
  private static func check(
    _ node: NodeSpec, _ directions: [Direction], isAsymmetric: Bool
  ) throws(ModelError) -> CellVector.Rounding {
    try node.require(try node.input(0), .float32)
    let weights = try node.input(1)
    try node.require(weights, .float32, .int8, .uint8)
    for direction in directions {
      try node.require(try node.input(direction.first), weights.type)
      try node.require(try node.input(direction.recurrentWeights), weights.type)
      if let auxiliary = direction.auxiliaryWeights {
        try node.require(try node.input(auxiliary), weights.type)
      }
      try node.require(try node.input(direction.bias), .float32)
      try node.requireVariable(direction.state, .float32)
    }
    for output in node.outputs { try node.require(output, .float32) }
    return weights.type == .float32 ? .none : isAsymmetric ? .asymmetric : .symmetric
  }

  // MARK: Shapes

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let input = context.shape(0)
    let rank = time == .none ? 2 : 3
    try context.require(input.rank == rank, "the input does not have \(rank) dimensions")
    if let second = context.optionalShape(9), directions.count == 2 {
      try context.require(
        second.rank == 3 && second[0] == input[0] && second[1] == input[1],
        "the second input has the shape \(second)")
    }
    var shapes: [Shape] = []
    for direction in directions {
      let units = try units(context, direction)
      var shape = input
      shape[-1] = units
      if direction.pass.followsForwardOutputs {
        shapes[0][-1] += units
      } else {
        shapes.append(shape)
      }
    }
    return shapes
  }

  /// Returns the number of outputs of a layer, after checking that all operands agree on it.
  private func units(
    _ context: ShapeContext, _ direction: Direction
  ) throws(ModelError) -> Int {
    let weights = context.shape(direction.first)
    try context.require(weights.rank == 2, "the weights are no matrix")
    let units = weights[0]
    let batchCount = SequenceLayout(context.shape(0), time).batchCount
    let auxiliary = direction.auxiliaryWeights.flatMap { context.optionalShape($0) }
    try context.require(
      weights == [units, context.shape(direction.pass.input)[-1]]
        && context.shape(direction.recurrentWeights) == [units, units]
        && context.shape(direction.bias) == [units]
        && context.shape(direction.state) == [batchCount, units]
        && (auxiliary == nil || auxiliary == [units, context.shape(auxiliaryInput ?? 0)[-1]]),
      "weights, bias or state do not fit \(units) units and \(batchCount) batches")
    return units
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let rows = context.shape(0).product(of: 0..<context.shape(0).rank - 1)
    let matrices = directions.flatMap { direction in
      [direction.first, direction.recurrentWeights, direction.auxiliaryWeights].compactMap { $0 }
    }
    return saturatingProduct(
      repetitions(SequenceLayout(context.shape(0), time)), rows,
      matrices.reduce(0) { $0 + context.shape($1).elementCount })
  }

  // MARK: Running

  /// Returns the number of times that the whole sequence is run.
  ///
  /// The official bidirectional hybrid kernel runs it once per step if time comes first, which
  /// affects its states.
  func repetitions(_ layout: SequenceLayout) -> Int {
    directions.count == 2 && rounding != .none && time == .first ? layout.stepCount : 1
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let layout = SequenceLayout(context.input(0).shape, time)
    guard layout.batchCount > 0 else { return }
    let lengths = (0..<context.inputCount).map { context.optionalInput($0)?.shape.dimensions.last }
    let longest = lengths.compactMap { $0 }.max() ?? 0
    try context.withScratch(Int8.self, count: 3 * longest) { bytes throws(ModelError) in
      for _ in 0..<repetitions(layout) {
        for direction in directions {
          try run(context, layout, direction, roundedInto: bytes)
        }
      }
    }
  }

  private func run(
    _ context: RunContext, _ layout: SequenceLayout, _ direction: Direction,
    roundedInto bytes: UnsafeMutableBufferPointer<Int8>
  ) throws(ModelError) {
    let order: LaneProduct.Order? = isBuiltIn ? .accumulated : nil
    let weights = CellWeights(context, required: direction.first, order)
    let recurrentWeights = CellWeights(context, required: direction.recurrentWeights, order)
    let auxiliaryWeights = CellWeights(context, at: direction.auxiliaryWeights, order)
    let bias = context.input(direction.bias).values(Float.self)
    let inputs = context.input(direction.pass.input).values(Float.self)
    let auxiliaryInputs = context.input(auxiliaryInput ?? 0).values(Float.self)
    let states = context.input(direction.state).values(Float.self)
    let third = bytes.count / 3
    guard weights.rowCount > 0 else { return }
    try context.withScratch(Float.self, count: weights.rowCount) { sums throws(ModelError) in
      try direction.pass.run(context, layout) { row, batch in
        let state = states.row(batch, weights.rowCount)
        _ = sums.update(fromContentsOf: bias)
        weights.multiply(
          CellVector(
            inputs.row(row, weights.columnCount), rounding, into: bytes.row(0, third),
            context.control),
          addingTo: sums)
        if let auxiliaryWeights {
          let input = auxiliaryInputs.row(row, auxiliaryWeights.columnCount)
          auxiliaryWeights.multiply(
            CellVector(input, rounding, into: bytes.row(1, third), context.control),
            addingTo: sums)
        }
        recurrentWeights.multiply(
          CellVector(state, rounding, into: bytes.row(2, third), context.control),
          addingTo: sums)
        activation.apply(to: sums, context.control)
        _ = state.update(fromContentsOf: sums)
        return state
      }
    }
  }
}
