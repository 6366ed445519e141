/// The extents of an LSTM cell.
struct LSTMSizes: Sendable {
  var inputs: Int
  var auxiliaryInputs: Int
  /// The number of cells, each with its gates and its state.
  var cells: Int
  /// The number of outputs; that of the cells, unless there is a projection.
  var outputs: Int

  init(recurrentWeights: Shape, inputs: Int, auxiliaryInputs: Int) {
    (cells, outputs) = (recurrentWeights[0], recurrentWeights[-1])
    self.inputs = inputs
    self.auxiliaryInputs = auxiliaryInputs
  }

  /// The number of multiply-adds of one step for one row of inputs.
  var multiplyAdds: Int {
    saturatingProduct(5, cells, max(inputs + auxiliaryInputs + outputs, 1))
  }
}

extension LSTMCellSpec {
  /// Returns the sizes of the cell after checking that all operands agree on them.
  ///
  /// Inputs have rows of the given lengths; states have `rows` rows.
  func sizes(
    _ context: ShapeContext, rows: Int, inputs: Int, auxiliaryInputs: Int = 0
  ) throws(ModelError) -> LSTMSizes {
    let recurrent = context.shape(recurrentWeights(.output))
    try context.require((1...2).contains(recurrent.rank), "recurrent weights are no matrix")
    let sizes = LSTMSizes(
      recurrentWeights: recurrent, inputs: inputs, auxiliaryInputs: auxiliaryInputs)
    let cells = sizes.cells
    // A matrix may be replaced by its diagonal.
    let diagonals: [Shape] = arithmetic != .integer && sizes.outputs == cells ? [[cells]] : []
    func require(_ position: Int?, _ shapes: [Shape]) throws(ModelError) {
      guard let position, let shape = context.optionalShape(position) else { return }
      try context.require(
        shapes.contains(shape), "input \(position) has the shape \(shape) instead of \(shapes[0])")
    }
    for gate in gates {
      try require(inputWeights(gate), [[cells, inputs]])
      try require(auxiliaryWeights(gate), [[cells, auxiliaryInputs]])
      try require(recurrentWeights(gate), [[cells, sizes.outputs]] + diagonals)
      try require(peephole(gate), [[cells]])
      try require(normalization(gate), [[cells]])
      try require(bias(gate), [[cells]])
    }
    try require(projectionWeights, [[sizes.outputs, cells]])
    try require(projectionBias, [[sizes.outputs]])
    try context.require(
      hasProjection || sizes.outputs == cells,
      "\(cells) cells cannot make \(sizes.outputs) outputs without a projection")
    try context.require(
      context.shape(outputState).elementCount == rows * sizes.outputs
        && context.shape(cellState).elementCount == rows * cells,
      "the states do not fit \(rows) rows of \(cells) cells and \(sizes.outputs) outputs")
    return sizes
  }
}
