extension WeightedArithmetic {
  /// Runs the loop nest for every item of the batch, in the arithmetic that the node asks for.
  func run(
    _ loop: ReferenceLoop, _ operands: WeightedOperands, _ context: RunContext
  ) throws(ModelError) {
    let byteCount = operands.workingByteCount + loop.workingByteCount
    try context.charging(byteCount: byteCount) {
      if case .float(let range) = self, context.isDelegated {
        loop.runDelegated(operands, clampingTo: range)
      } else {
        run(loop, operands)
      }
    }
  }

  /// Runs the loop nest for a caller that has charged its working memory.
  func run(_ loop: ReferenceLoop, _ operands: WeightedOperands) {
    let weights = operands.weights
    switch self {
    case .float(let range):
      let arithmetic = FloatReference(bias: operands.bias?.floatBiases, range: range)
      loop.run(operands, weights.values(), arithmetic)
    case .hybrid(let hybrid):
      operands.withInt8Weights { loop.runHybrid(operands, $0, hybrid) }
    case .quantized(let requantization):
      loop.runQuantized(operands, requantization)
    case .plainIntegers:
      loop.run(operands, weights.values(), IntegerReference())
    }
  }
}

extension ReferenceLoop {
  /// Runs the loop nest over floats in XNNPACK's order.
  fileprivate func runDelegated(
    _ operands: WeightedOperands, clampingTo range: ClosedRange<Float>
  ) {
    let (weights, bias) = (operands.weights.values(Float.self), operands.bias?.floatBiases)
    switch chains {
    case .one: run(operands, weights, FusedFloatReference(bias: bias, range: range))
    case .ofTaps, .ofChannels:
      let arithmetic = TwoChainsReference(
        bias: bias, range: range, alternatesChannels: chains == .ofChannels)
      run(operands, weights, arithmetic)
    case .ofLanes:
      let arithmetic = FourLanesReference(bias: bias, range: range, depth: channelsPerGroup)
      run(operands, weights, arithmetic)
    }
  }

  /// Runs the loop nest for every item of the batch, until the run is stopped.
  fileprivate func run<Arithmetic: ReferenceArithmetic>(
    _ operands: WeightedOperands, _ weights: UnsafeMutableBufferPointer<Arithmetic.Weight>,
    _ arithmetic: Arithmetic
  ) {
    let inputs = operands.input.values(Arithmetic.Input.self)
    let outputs = operands.output.values(Arithmetic.Output.self)
    let length = outputs.count / operands.batchCount
    let work = saturatingProduct(operands.inputsPerItem, max(length, 1))
    for items in StoppableChunks(of: operands.batchCount, workOfEach: work, control) {
      for item in items {
        run(
          arithmetic, UnsafeBufferPointer(inputs.row(item, operands.inputsPerItem)),
          UnsafeBufferPointer(weights), to: outputs.row(item, length))
      }
    }
  }

  /// Rounds every item of the batch by its own range, and runs the loop nest over the integers.
  fileprivate func runHybrid(
    _ operands: WeightedOperands, _ weights: UnsafeMutableBufferPointer<Int8>,
    _ hybrid: HybridWeights
  ) {
    let bias = operands.bias?.floatBiases
    let inputs = operands.input.values(Float.self)
    let outputs = operands.output.values(Float.self)
    let weights = UnsafeBufferPointer(weights)
    withUnsafeTemporaryAllocation(of: Int8.self, capacity: operands.inputsPerItem) { rounded in
      for item in 0..<operands.batchCount {
        if control.isOver { return }
        let input = hybrid.round(
          .init(inputs.row(item, operands.inputsPerItem)), to: rounded, control)
        let (integers, output) = (
          UnsafeBufferPointer(rounded), outputs.row(item, outputs.count / operands.batchCount)
        )
        if hybrid.scalesProducts {
          let arithmetic = ScaledHybridReference(weights: hybrid, input: input, bias: bias)
          run(arithmetic, integers, weights, to: output)
        } else {
          let arithmetic = HybridReference(weights: hybrid, input: input, bias: bias)
          run(arithmetic, integers, weights, to: output)
        }
      }
    }
  }

  fileprivate func runQuantized(_ operands: WeightedOperands, _ requantization: Requantization) {
    /// Runs the loop nest with the given types of inputs, weights, sums and results.
    func run<Input, Weight, Sum, Output>(
      _: QuantizedReference<Input, Weight, Sum, Output>.Type,
      _ weights: UnsafeMutableBufferPointer<Weight>
    ) {
      let arithmetic = QuantizedReference<Input, Weight, Sum, Output>(
        requantization, bias: operands.bias?.integerBiases(), channels: operands.channelCount)
      self.run(operands, weights, arithmetic)
    }
    let weights = operands.weights
    switch (operands.input.type, operands.output.type) {
    case (.uint8, .uint8):
      run(QuantizedReference<UInt8, UInt8, Int32, UInt8>.self, weights.values())
    case (.uint8, .int16):
      run(QuantizedReference<UInt8, UInt8, Int32, Int16>.self, weights.values())
    case (.int8, _):
      operands.withInt8Weights { run(QuantizedReference<Int8, Int8, Int32, Int8>.self, $0) }
    case (.int16, _) where weights.type == .int16:
      run(QuantizedReference<Int16, Int16, Int64, Int16>.self, weights.values())
    case (.int16, _) where requantization.sumType == .int64:
      operands.withInt8Weights { run(QuantizedReference<Int16, Int8, Int64, Int16>.self, $0) }
    default:
      operands.withInt8Weights { run(QuantizedReference<Int16, Int8, Int32, Int16>.self, $0) }
    }
  }
}

extension WeightedOperands {
  /// The most memory that the loops need besides the tensors: an item rounded to bytes, unpacked
  /// weights, and for every channel a bias and a multiplier.
  fileprivate var workingByteCount: Int {
    inputsPerItem + (weights.type.isPacked ? weights.elementCount : 0)
      + channelCount * 32
  }

  /// Calls `body` with the weights, unpacked if necessary.
  ///
  /// Weights of type `uint8` are read as `int8`: with float inputs, they come from old converters
  /// that stored symmetric `int8` weights this way.
  fileprivate func withInt8Weights(_ body: (UnsafeMutableBufferPointer<Int8>) -> Void) {
    guard weights.type.byteWidth == nil else { return body(weights.values()) }
    var elements = weights.unpackedElements()
    elements.withUnsafeMutableBufferPointer { body($0) }
  }
}
