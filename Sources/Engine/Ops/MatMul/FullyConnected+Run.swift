extension FullyConnected {
  package func run(_ context: RunContext) throws(ModelError) {
    let (input, matrix, output) = (context.input(0), context.input(1), context.output(0))
    if context.outputCount > 1 {
      context.output(1).fill(withInteger: 0)
    }
    guard output.elementCount > 0 else { return }
    let (unitCount, depth) = (matrix.shape[0], matrix.shape[1])
    guard depth > 0, let arithmetic else {
      // There is nothing to multiply, and the official kernel leaves out the bias too.
      output.fill(withInteger: 0)
      return
    }
    if case .blockwise(let blocks) = weights {
      // The memory of the unpacked weights and of a rounded row.
      return try context.charging(byteCount: matrix.elementCount + depth) {
        runBlockwise(blocks, context)
      }
    }
    if isBuiltIn, case .float(let range) = arithmetic {
      let product = BuiltInProduct(
        rows: output.elementCount / unitCount, columns: unitCount, depth: depth)
      return runBuiltIn(product, range, context)
    }
    let (rows, memory) = try rows(of: matrix, context)
    var loop = ReferenceLoop(rowsOf: unitCount, depth: depth, context.control)
    loop.chains = .ofMatrix(columns: unitCount, on: context.delegateProcessor)
    try arithmetic.run(
      loop,
      WeightedOperands(
        input: input, weights: rows, bias: context.optionalInput(2), output: output,
        batchCount: output.elementCount / unitCount, inputsPerItem: depth,
        channelCount: unitCount),
      context)
    withExtendedLifetime(memory) {}
    if case .hybrid = arithmetic, activation.isUnlimited {
      activation.apply(to: output.values(Float.self), context.control)
    }
  }

  /// Returns the weights row by row, and their memory if they are stored in another format.
  private func rows(
    of matrix: TensorView, _ context: RunContext
  ) throws(ModelError) -> (TensorView, MemoryBlock?) {
    if case .rows = weights { return (matrix, nil) }
    let byteCount = matrix.elementCount * (matrix.type.byteWidth ?? 1)
    let block = try context.workingMemory(byteCount: byteCount)
    var rows = matrix
    rows.bytes = .init(start: block.base, count: byteCount)
    switch weights {
    case .shuffled:
      ShuffledWeights.restore(
        UnsafeBufferPointer(matrix.values()), to: rows.values(), columns: matrix.shape[1],
        context.control)
    case .sparse(let layout) where matrix.type == .float32:
      layout.expand(
        UnsafeBufferPointer(matrix.values(Float.self)), to: rows.values(), context.control)
    case .sparse(let layout):
      layout.expand(
        UnsafeBufferPointer(matrix.values(Int8.self)), to: rows.values(), context.control)
    case .rows, .blockwise: break
    }
    return (rows, block)
  }

  private func runBlockwise(_ blocks: BlockwiseWeights, _ context: RunContext) {
    let matrix = context.input(1)
    matrix.unpackedElements().withUnsafeBufferPointer { elements in
      blocks.multiply(
        UnsafeBufferPointer(context.input(0).values()), elements,
        bias: UnsafeBufferPointer(
          context.optionalInput(2)?.values() ?? .init(start: nil, count: 0)),
        to: context.output(0).values(), depth: matrix.shape[1], context.control)
    }
  }
}
