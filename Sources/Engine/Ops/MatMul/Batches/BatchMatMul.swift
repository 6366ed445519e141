import OcellusKernelABI
import OcellusModelFile

/// BATCH_MATMUL: matrix multiplications, one for each pair of matrices along the leading axes.
package struct BatchMatMul: Operator {
  package static let definition = OperatorDefinition(
    "BATCH_MATMUL", versions: 1...4, types: [.float32, .int8, .int16],
    make: { node throws(ModelError) in try Self(node) })

  package private(set) var arithmetic: WeightedArithmetic
  package let transposesLeft: Bool
  package let transposesRight: Bool

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    let (left, right) = (try node.input(0), try node.input(1))
    let output = try node.output(0)
    let options = node.options(BuiltinOptionsTag.batchMatMul)
    transposesLeft = try options.bool(0)
    transposesRight = try options.bool(1)
    switch (left.type, right.type) {
    case (.float32, .float32):
      try node.require(output, .float32)
      arithmetic = .float(-Float.infinity...Float.infinity)
    case (.float32, _):
      try node.require(right, .int8)
      try node.require(output, .float32)
      arithmetic = .hybrid(
        HybridWeights(
          scales: right.quantization?.scales ?? [0],
          roundsAsymmetrically: try options.bool(2), range: -Float.infinity...Float.infinity))
    case (.int8, .int8) where output.type == .int32:
      arithmetic = .plainIntegers
    default:
      arithmetic = .quantized(try Self.requantization(node))
    }
  }

  private static func requantization(_ node: NodeSpec) throws(ModelError) -> Requantization {
    let (left, output) = (try node.input(0), try node.output(0))
    var right = try node.input(1)
    try node.requireSameType(left, output)
    if left.type == .int8 {
      try node.require(right, .int8)
    } else {
      try node.require(right, .int8, .int16)
      try node.requireSymmetric(left, right, output)
    }
    if right.quantization?.scales.count != 1 {
      // The official kernel has no scales per channel: it reads a scale of zero then.
      right = TensorSpec(right, quantization: Quantization(scales: [0], zeroPoints: [0]))
    }
    return try Requantization(
      input: left, weights: right, output: output, activation: .none,
      rounding: .fixedPointFromSinglePrecision,
      sumType: left.type == .int16 ? .int64 : .int32, node: node)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    for position in 0..<2 {
      try context.require(
        (2...5).contains(context.shape(position).rank), "operands must have 2 to 5 dimensions")
    }
    let (left, right) = (context.shape(0), context.shape(1))
    let (rowCount, depth) = transposesLeft ? (left[-1], left[-2]) : (left[-2], left[-1])
    let (otherDepth, columnCount) =
      transposesRight ? (right[-1], right[-2]) : (right[-2], right[-1])
    try context.require(depth == otherDepth, "rows and columns do not match")
    try context.requireChannels(columnCount, bias: 2, arithmetic)
    let batch = try context.broadcastShape([left.batch, right.batch])
    return [Shape(batch.dimensions + [rowCount, columnCount])]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    guard let output = try? outputShapes(context)[0] else { return 0 }
    return saturatingProduct(output.elementCount, context.shape(0)[transposesLeft ? -2 : -1])
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let output = context.output(0)
    guard output.elementCount > 0 else { return }
    // Each row of the left operand is multiplied by each column of the right one, so columns are
    // made rows.
    let left = try rows(of: context.input(0), areTransposed: transposesLeft, context)
    let right = try rows(of: context.input(1), areTransposed: !transposesRight, context)
    if case .hybrid(let hybrid) = arithmetic {
      // Every element is rounded to a byte, and every row has a scale and a zero point.
      let byteCount = left.view.elementCount + output.elementCount / max(output.shape[-1], 1) * 16
      try context.charging(byteCount: byteCount) {
        multiplyHybrid(hybrid, left.view, right.view, to: output, context.control)
      }
    } else {
      try context.charging(byteCount: output.shape[-1] * 32) {
        multiply(left.view, right.view, to: output, context.control)
      }
    }
    withExtendedLifetime((left, right)) {}
  }

  /// Multiplies each left matrix by a transposed right one, whose rows have the same length.
  private func multiply(
    _ left: TensorView, _ right: TensorView, to output: TensorView, _ control: RunControl
  ) {
    let depth = left.shape[-1]
    var question = StoppableWork(control)
    forEachPair(
      left.shape, right.shape, output.shape, unless: { control.isOver }
    ) { leftIndex, rightIndex, result in
      if question.isOver(after: 64 &+ depth &+ 4 &* output.shape[-1]) { return }
      arithmetic.run(
        ReferenceLoop(rowsOf: output.shape[-1], depth: depth, control),
        WeightedOperands(
          input: left.matrix(leftIndex), weights: right.matrix(rightIndex),
          output: output.matrix(result), batchCount: output.shape[-2], inputsPerItem: depth,
          channelCount: output.shape[-1]))
    }
  }

  /// Calls `body` with the indices of the matrices that make each matrix of the output, until the
  /// run is over.
  func forEachPair(
    _ left: Shape, _ right: Shape, _ output: Shape, unless isOver: () -> Bool = { false },
    _ body: (_ left: Int, _ right: Int, _ output: Int) -> Void
  ) {
    let loops = BroadcastLoops(left.batch, right.batch, to: output.batch)
    loops.forEachRow(unless: isOver) { result, operands, count in
      for index in 0..<count {
        let matrices = operands &+ loops.rowStrides &* index
        body(matrices[0], matrices[1], result + index)
      }
    }
  }

  /// Returns an operand, transposed into memory of its own if necessary, and that memory.
  private func rows(
    of operand: TensorView, areTransposed: Bool, _ context: RunContext
  ) throws(ModelError) -> (view: TensorView, memory: MemoryBlock?) {
    guard areTransposed else { return (operand, nil) }
    let block = try context.workingMemory(byteCount: operand.bytes.count)
    var transposed = operand
    transposed.shape[-1] = operand.shape[-2]
    transposed.shape[-2] = operand.shape[-1]
    transposed.bytes = .init(start: block.base, count: operand.bytes.count)
    switch operand.type {
    case .int8: operand.transposeMatrices(to: transposed, as: UInt8.self)
    case .int16: operand.transposeMatrices(to: transposed, as: UInt16.self)
    default: operand.transposeMatrices(to: transposed, as: UInt32.self)
    }
    return (transposed, block)
  }
}

extension Shape {
  /// The axes before those of the matrices.
  fileprivate var batch: Shape { Shape(Array(dimensions.dropLast(2))) }
}

extension TensorView {
  /// Returns one of the matrices that the last two axes span.
  func matrix(_ index: Int) -> TensorView {
    var matrix = self
    matrix.shape = [shape[-2], shape[-1]]
    let byteCount = matrix.elementCount * (type.byteWidth ?? 0)
    matrix.bytes = .init(rebasing: bytes[index * byteCount..<(index + 1) * byteCount])
    return matrix
  }

  fileprivate func transposeMatrices<Element: BitwiseCopyable>(
    to other: TensorView, as _: Element.Type
  ) {
    let (rowCount, columnCount) = (shape[-2], shape[-1])
    let (from, to) = (values(Element.self), other.values(Element.self))
    let matrixSize = rowCount * columnCount
    guard matrixSize > 0 else { return }
    for rows in chunks(of: from.count / columnCount, workOfEach: columnCount) {
      for matrixRow in rows {
        let (matrix, row) = matrixRow.quotientAndRemainder(dividingBy: rowCount)
        let base = matrix * matrixSize
        for columns in chunks(of: columnCount) {
          for column in columns {
            to[base + column * rowCount + row] = from[base + row * columnCount + column]
          }
        }
      }
    }
  }
}

extension BatchMatMul: Delegable {
  func delegated(to processor: LiteRTProcessor) -> Self {
    // Products with dynamically quantized inputs are not imitated.
    if arithmetic.isHybrid { return self }
    var operation = self
    operation.arithmetic = arithmetic.delegated(to: processor)
    return operation
  }
}
