import OcellusModelFile
import OcellusPlatform

/// LSTM with the basic kernel: one weight matrix for all gates, and states that are also results.
///
/// In the quantized form, activations are in [-1, 127/128] and states in [-16, 16); the arithmetic
/// fixes both ranges, whatever the file says.
struct BasicLSTM: Operator {
  /// The blocks of rows in the weights.
  private enum Gate: Int { case input, candidate, forget, output }

  let traits: OperatorTraits = .stateful
  /// Converts the GEMM's sums to gates with three integer bits; `nil` for floats.
  private let multiplier: FixedPointMultiplier?
  private let weightZeroPoint: Int

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(5, outputs: 4)
    let isFloat = try node.input(0).type == .float32
    let types: [ElementType] =
      isFloat
      ? .init(repeating: .float32, count: 9)
      : [.uint8, .uint8, .uint8, .int32, .int16, .uint8, .int16, .uint8, .int16]
    for position in 0..<5 { try node.require(try node.input(position), types[position]) }
    for position in 0..<4 { try node.require(try node.output(position), types[5 + position]) }
    try node.requireVariable(1, types[1])
    try node.requireVariable(4, types[4])
    guard !isFloat else {
      (multiplier, weightZeroPoint) = (nil, 0)
      return
    }
    try node.require(
      try node.perTensorQuantization(of: try node.output(1)).scale == 0x1p-11,
      "the scale of the states is not 2⁻¹¹")
    weightZeroPoint = try node.input(2).uniformZeroPoint
    multiplier = try node.multiplier(4096 * node.input(3).uniformScale)
  }

  func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (input, activations) = (context.shape(0), context.shape(1))
    try context.require(
      input.rank == 2 && activations.rank == 2 && activations[0] == input[0],
      "the input and the last activations are no matrices with as many rows")
    let (rows, depth) = (input[0], activations[1])
    try context.require(
      context.shape(2) == [4 * depth, input[1] + depth] && context.shape(3) == [4 * depth]
        && context.shape(4) == activations,
      "weights, biases or states do not fit \(depth) cells")
    return [activations, activations, [rows, input[1] + depth], [rows, 4 * depth]]
  }

  func multiplyAdds(_ context: ShapeContext) -> Int {
    saturatingProduct(context.shape(0)[0], context.shape(2).elementCount)
  }

  func run(_ context: RunContext) throws(ModelError) {
    let isEmpty = (0..<context.outputCount).allSatisfy { context.output($0).elementCount == 0 }
    if isEmpty { return }
    if let multiplier {
      runQuantized(context, multiplier)
    } else {
      runFloat(context)
    }
    context.output(0).copyBytes(to: context.input(1))
    context.output(1).copyBytes(to: context.input(4))
  }

  private func runFloat(_ context: RunContext) {
    let bias = context.input(3).values(Float.self)
    let gates = context.output(3).values(Float.self)
    forEachGate(context, from: Float(0)) { sum, input, weight in
      sum + input * weight
    } body: { gate, row, sum in
      gates[gate] = sum + bias[row]
    }
    forEachCell(context) { index, value in
      func logistic(_ gate: Gate) -> Float { 1 / (1 + expf(-gates[value(gate)])) }
      let state =
        logistic(.input) * tanhf(gates[value(.candidate)])
        + logistic(.forget) * context.input(4).values(Float.self)[index]
      context.output(1).values(Float.self)[index] = state
      context.output(0).values(Float.self)[index] = logistic(.output) * tanhf(state)
    }
  }

  private func runQuantized(_ context: RunContext, _ multiplier: FixedPointMultiplier) {
    let bias = context.input(3).values(Int32.self)
    let gates = context.output(3).values(Int16.self)
    let weightZeroPoint = Int32(truncatingIfNeeded: weightZeroPoint)
    forEachGate(context, from: Int32(0)) { (sum, input: UInt8, weight) in
      sum &+ (Int32(input) &- 128) &* (Int32(weight) &- weightZeroPoint)
    } body: { gate, row, sum in
      gates[gate] = Int16(clamping: multiplier.scaleWithTiesUpwards(sum &+ bias[row]))
    }
    forEachCell(context) { index, value in
      func number(_ gate: Gate) -> FixedPoint<Int16> {
        FixedPoint(raw: gates[value(gate)], integerBits: 3)
      }
      let added = number(.input).logistic * number(.candidate).tanh
      let last = FixedPoint(raw: context.input(4).values(Int16.self)[index], integerBits: 4)
      let kept = number(.forget).logistic * last
      let state = added.rescaled(integerBits: 4).raw.saturatingAdding(kept.raw)
      context.output(1).values(Int16.self)[index] = state
      let activation =
        number(.output).logistic
        * FixedPoint(raw: state, integerBits: 4).rescaled(integerBits: 3).tanh
      let rounded = Int8(clamping: roundingShiftRight(activation.raw, by: 8))
      context.output(0).values(UInt8.self)[index] = UInt8(bitPattern: rounded) ^ 0x80
    }
  }

  // MARK: Loops

  /// Concatenates inputs and last activations, and multiplies them by every row of the weights.
  private func forEachGate<Element: BitwiseCopyable, Sum>(
    _ context: RunContext, from zero: Sum,
    adding: (_ sum: Sum, _ input: Element, _ weight: Element) -> Sum,
    body: (_ gate: Int, _ row: Int, _ sum: Sum) -> Void
  ) {
    let (inputs, activations) = (
      context.input(0).values(Element.self), context.input(1).values(Element.self)
    )
    let (inputDepth, depth) = (context.input(0).shape[1], context.input(1).shape[1])
    let joined = context.output(2).values(Element.self)
    let weights = context.input(2).values(Element.self)
    let length = inputDepth + depth
    var question = StoppableWork(context.control)
    for batch in 0..<context.input(0).shape[0] {
      if question.isOver(after: length) { return }
      let vector = joined.row(batch, length)
      for chunk in context.chunks(of: inputDepth) {
        for index in chunk { vector[index] = inputs[batch * inputDepth + index] }
      }
      for chunk in context.chunks(of: depth) {
        for index in chunk { vector[inputDepth + index] = activations[batch * depth + index] }
      }
      for row in 0..<4 * depth {
        var sum = zero
        for chunk in context.chunks(of: length) {
          for index in chunk { sum = adding(sum, vector[index], weights[row * length + index]) }
        }
        if question.isOver(after: length) { return }
        body(batch * 4 * depth + row, row, sum)
      }
    }
  }

  /// Calls `body` for every cell, with a function that returns the indices of its gates.
  private func forEachCell(
    _ context: RunContext, _ body: (_ cell: Int, _ gate: (Gate) -> Int) -> Void
  ) {
    let depth = context.input(1).shape[1]
    let count = context.input(0).shape[0] * depth
    for chunk in context.chunks(of: count, workOfEach: 32) {
      for index in chunk {
        let (batch, cell) = index.quotientAndRemainder(dividingBy: depth)
        body(index) { (4 * batch + $0.rawValue) * depth + cell }
      }
    }
  }
}
