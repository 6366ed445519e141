extension WeightedSum {
  /// Runs a loop nest for every item of the batch, in the arithmetic that the node asks for.
  package func run(
    _ loop: some ProductLoop, _ operands: WeightedOperands, _ context: RunContext
  ) throws(ModelError) {
    var byteCount = operands.workingByteCount + loop.workingByteCount
    if case .hybrid(let hybrid) = self, hybrid.scalesProducts {
      byteCount += operands.weights.elementCount * MemoryLayout<ScaledWeight>.stride
    }
    try context.charging(byteCount: byteCount) { run(loop, operands, context.control) }
  }

  /// Runs a loop nest whose working memory its caller has charged.
  func run(_ loop: some ProductLoop, _ operands: WeightedOperands, _ control: RunControl) {
    switch self {
    case .float(let range):
      let bias: [Float] = operands.biases()
      bias.withUnsafeBufferPointer { bias in
        let stage = FloatStage(bias: bias, range: range)
        operands.forEachItem(operands.weights.values(Float.self), control) {
          input, weights, output in
          loop.run(FloatProducts(), stage, input: input, weights: weights, output: output)
        }
      }
    case .hybrid(let hybrid):
      operands.withInt8Weights {
        if hybrid.scalesProducts {
          runScaledProducts(loop, hybrid, operands, weights: $0, control)
        } else {
          runHybrid(loop, hybrid, operands, weights: $0, control)
        }
      }
    case .quantized(let requantization):
      runQuantized(loop, requantization, operands, control)
    case .plainIntegers:
      let products = IntegerProducts<Int8, Int8, Int32>(inputZeroPoint: 0)
      operands.forEachItem(operands.weights.values(Int8.self), control) {
        input, weights, output in
        loop.run(products, PlainStage(), input: input, weights: weights, output: output)
      }
    }
  }

  private func runHybrid(
    _ loop: some ProductLoop, _ hybrid: HybridWeights, _ operands: WeightedOperands,
    weights: UnsafeMutableBufferPointer<Int8>, _ control: RunControl
  ) {
    let bias: [Float] = operands.biases()
    withUnsafeTemporaryAllocation(of: Int8.self, capacity: operands.inputsPerItem) { rounded in
      bias.withUnsafeBufferPointer { bias in
        hybrid.scales.withUnsafeBufferPointer { scales in
          operands.forEachItem(weights, control) {
            (input: UnsafeBufferPointer<Float>, weights, output) in
            let quantization =
              hybrid.roundsAsymmetrically
              ? HybridQuantization.asymmetric(input, to: rounded)
              : HybridQuantization.symmetric(input, to: rounded)
            loop.run(
              IntegerProducts<Int8, Int8, Int32>(inputZeroPoint: quantization.zeroPoint),
              HybridStage(
                inputScale: quantization.scale, order: hybrid.order, weightScales: scales,
                bias: bias, range: hybrid.range),
              input: UnsafeBufferPointer(rounded), weights: weights, output: output)
          }
        }
      }
    }
  }

  /// The same where every product is scaled; channels are the first dimension of the weights.
  private func runScaledProducts(
    _ loop: some ProductLoop, _ hybrid: HybridWeights, _ operands: WeightedOperands,
    weights: UnsafeMutableBufferPointer<Int8>, _ control: RunControl
  ) {
    let bias: [Float] = operands.biases()
    var scaled = weights.indices.map { index in
      let channel = index / (weights.count / operands.channelCount)
      return ScaledWeight(
        value: Int32(weights[index]), scale: hybrid.scales[hybrid.scales.count == 1 ? 0 : channel])
    }
    withUnsafeTemporaryAllocation(of: Int8.self, capacity: operands.inputsPerItem) { rounded in
      bias.withUnsafeBufferPointer { bias in
        scaled.withUnsafeMutableBufferPointer { scaled in
          operands.forEachItem(scaled, control) {
            (input: UnsafeBufferPointer<Float>, weights, output) in
            let quantization =
              hybrid.roundsAsymmetrically
              ? HybridQuantization.asymmetric(input, to: rounded)
              : HybridQuantization.symmetric(input, to: rounded)
            loop.run(
              ScaledWeightProducts(
                inputScale: quantization.scale, inputZeroPoint: quantization.zeroPoint),
              FloatStage(bias: bias, range: hybrid.range), input: UnsafeBufferPointer(rounded),
              weights: weights, output: output)
          }
        }
      }
    }
  }

  private func runQuantized(
    _ loop: some ProductLoop, _ requantization: Requantization, _ operands: WeightedOperands,
    _ control: RunControl
  ) {
    switch (operands.input.type, operands.output.type) {
    case (.uint8, .uint8):
      let run = QuantizedRun<UInt8, UInt8, Int32, UInt8>(requantization, operands, control)
      run(loop, weights: operands.weights.values())
    case (.uint8, .int16):
      let run = QuantizedRun<UInt8, UInt8, Int32, Int16>(requantization, operands, control)
      run(loop, weights: operands.weights.values())
    case (.int8, _):
      let run = QuantizedRun<Int8, Int8, Int32, Int8>(requantization, operands, control)
      operands.withInt8Weights { run(loop, weights: $0) }
    case (.int16, _) where operands.weights.type == .int16:
      let run = QuantizedRun<Int16, Int16, Int64, Int16>(requantization, operands, control)
      run(loop, weights: operands.weights.values())
    case (.int16, _) where requantization.sumType == .int64:
      let run = QuantizedRun<Int16, Int8, Int64, Int16>(requantization, operands, control)
      operands.withInt8Weights { run(loop, weights: $0) }
    default:
      let run = QuantizedRun<Int16, Int8, Int32, Int16>(requantization, operands, control)
      operands.withInt8Weights { run(loop, weights: $0) }
    }
  }
}

/// A quantized operator with weights, with its types settled.
private struct QuantizedRun<
  Input: FixedWidthInteger & BitwiseCopyable, Weight: FixedWidthInteger & BitwiseCopyable,
  Sum: FixedPointScalable, Output: FixedWidthInteger & BitwiseCopyable
> {
  let requantization: Requantization
  let operands: WeightedOperands
  let control: RunControl

  init(
    _ requantization: Requantization, _ operands: WeightedOperands, _ control: RunControl
  ) {
    self.requantization = requantization
    self.operands = operands
    self.control = control
  }

  func callAsFunction(
    _ loop: some ProductLoop, weights: UnsafeMutableBufferPointer<Weight>
  ) {
    let bias: [Sum] = operands.biases()
    bias.withUnsafeBufferPointer { bias in
      if requantization.rounding == .doublePrecision {
        let multipliers = requantization.realMultipliers(channels: operands.channelCount)
        multipliers.withUnsafeBufferPointer { multipliers in
          run(
            loop, weights,
            RealStage<Sum, Output>(
              bias: bias, multipliers: multipliers, zeroPoint: outputZeroPoint,
              range: requantization.range))
        }
      } else {
        let multipliers = requantization.multipliers(channels: operands.channelCount)
        multipliers.withUnsafeBufferPointer { multipliers in
          run(
            loop, weights,
            FixedPointStage<Sum, Output>(
              bias: bias, multipliers: multipliers, zeroPoint: outputZeroPoint,
              range: requantization.range))
        }
      }
    }
  }

  private var outputZeroPoint: Int32 { Int32(truncatingIfNeeded: requantization.outputZeroPoint) }

  private func run<Stage: OutputStage>(
    _ loop: some ProductLoop, _ weights: UnsafeMutableBufferPointer<Weight>, _ stage: Stage
  ) where Stage.Sum == Sum {
    let products = IntegerProducts<Input, Weight, Sum>(
      inputZeroPoint: requantization.inputZeroPoint,
      weightZeroPoint: requantization.weightZeroPoint)
    operands.forEachItem(weights, control) { input, weights, output in
      loop.run(products, stage, input: input, weights: weights, output: output)
    }
  }
}

extension WeightedOperands {
  /// What the loops need beside the tensors, at the most: an item rounded to bytes, unpacked
  /// weights, and for every channel a bias and a multiplier.
  fileprivate var workingByteCount: Int {
    inputsPerItem + (weights.type.isPacked ? weights.elementCount : 0)
      + channelCount * 32
  }

  /// The biases as sums, or none.
  fileprivate func biases() -> [Float] {
    bias.map { Array($0.values(Float.self)) } ?? []
  }

  fileprivate func biases<Sum: FixedWidthInteger>() -> [Sum] {
    guard let bias else { return [] }
    return bias.type == .int64
      ? bias.values(Int64.self).map { Sum(truncatingIfNeeded: $0) }
      : bias.values(Int32.self).map { Sum(truncatingIfNeeded: $0) }
  }

  /// Calls `body` with the weights, unpacked if need be.
  ///
  /// Weights of type `uint8` are read as `int8`: where they meet floats, they come from old
  /// converters that stored symmetric `int8` weights so.
  fileprivate func withInt8Weights(_ body: (UnsafeMutableBufferPointer<Int8>) -> Void) {
    guard weights.type.byteWidth == nil else { return body(weights.values()) }
    var elements = weights.unpackedElements()
    elements.withUnsafeMutableBufferPointer { body($0) }
  }

  /// Calls `body` with the inputs and outputs of every item of the batch, until the run is stopped.
  fileprivate func forEachItem<Input: BitwiseCopyable, Weight, Output: BitwiseCopyable>(
    _ weights: UnsafeMutableBufferPointer<Weight>, _ control: RunControl,
    _ body: (
      UnsafeBufferPointer<Input>, UnsafeBufferPointer<Weight>, UnsafeMutableBufferPointer<Output>
    ) -> Void
  ) {
    let (inputs, outputs) = (input.values(Input.self), output.values(Output.self))
    let outputCount = outputs.count / batchCount
    for item in 0..<batchCount where !control.isOver {
      body(
        UnsafeBufferPointer(rebasing: inputs[item * inputsPerItem..<(item + 1) * inputsPerItem]),
        UnsafeBufferPointer(weights),
        .init(rebasing: outputs[item * outputCount..<(item + 1) * outputCount]))
    }
  }
}
