import OcellusKernelABI

// FULLY_CONNECTED of floats that the delegate does not take, mostly because its weights are
// computed, with the bits of LiteRT's built-in kernel.

extension FullyConnected {
  /// Returns the operator with the bits of LiteRT's built-in kernel, where they are known.
  func asBuiltIn() -> Self {
    var operation = self
    if case .rows = weights, case .float = arithmetic { operation.isBuiltIn = true }
    return operation
  }

  /// Returns a step that computes the results that are added in sequence with the tuned kernels.
  func builtInStep(
    _ product: BuiltInProduct, _ range: ClosedRange<Float>, _ context: PlanContext
  ) -> Step? {
    let hasBias = context.node.optionalInput(2) != nil
    let sequence = product.exceptions == nil ? nil : step(.float(range), context)
    let columns = (sequence == nil ? nil : product.exceptions) ?? 0..<product.columns
    let work = max(saturatingProduct(product.depth, columns.count), 1)
    let rowsPerCall = max(Step.longestSlice / work, 1)
    var result = sequence ?? Step(kernelName: "product float32") { _ in }
    result.body = { step in
      sequence?.body(step)
      func floats(_ operand: Int) -> UnsafePointer<Float> {
        step.input(operand).assumingMemoryBound(to: Float.self)
      }
      let operands = ProductOperands(
        input: floats(0), matrix: floats(1), bias: hasBias ? floats(2) : nil, range: range,
        output: step.output(0).assumingMemoryBound(to: Float.self))
      step.workers.forEachSlice(of: 0..<product.rows, length: rowsPerCall) { rows in
        product.multiply(rows, columns, operands)
      }
    }
    return result
  }

  func runBuiltIn(
    _ product: BuiltInProduct, _ range: ClosedRange<Float>, _ context: RunContext
  ) {
    let bias = context.optionalInput(2)?.values(Float.self).baseAddress
    guard let input = context.input(0).values(Float.self).baseAddress,
      let matrix = context.input(1).values(Float.self).baseAddress,
      let output = context.output(0).values(Float.self).baseAddress
    else { return }
    let operands = ProductOperands(
      input: input, matrix: matrix, bias: bias.map { UnsafePointer($0) }, range: range,
      output: output)
    let work = saturatingProduct(product.depth, product.columns)
    for rows in context.chunks(of: product.rows, workOfEach: work) {
      product.multiply(rows, 0..<product.columns, operands)
    }
  }
}

/// The operands and results of a product of matrices.
private struct ProductOperands {
  let input: UnsafePointer<Float>
  let matrix: UnsafePointer<Float>
  let bias: UnsafePointer<Float>?
  let range: ClosedRange<Float>
  let output: UnsafeMutablePointer<Float>
}

extension BuiltInProduct {
  /// Computes some columns of some rows.
  fileprivate func multiply(
    _ rows: Range<Int>, _ wanted: Range<Int>, _ operands: ProductOperands
  ) {
    for row in rows {
      let (vector, results) = (operands.input + row * depth, operands.output + row * columns)
      func keep(_ column: Int, _ product: Float) {
        let sum = product + (operands.bias?[column] ?? 0)
        results[column] = sum.clamped(to: operands.range)
      }
      if isInLanes {
        LaneProduct.forEach(wanted, of: operands.matrix, depth: depth, times: vector, keep)
      } else {
        forEach(
          wanted, ofRow: row, vector, weights: { operands.matrix + $0 * depth }, keep)
      }
    }
  }
}
