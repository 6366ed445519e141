import OcellusModelFile

/// SVDF: a dense layer over the last inputs, with its weights factored into features and time.
///
/// Nakkiran et al., Compressing Deep Neural Networks using a Rank-Constrained Topology (2015).
package struct SVDF: Operator {
  package static let definition = OperatorDefinition(
    "SVDF", versions: 1...4, types: [.float32, .int8],
    make: { node throws(ModelError) in try Self(node) })

  enum Arithmetic {
    case float(CellVector.Rounding)
    case integer(feature: FixedPointMultiplier, time: FixedPointMultiplier)
  }

  package let traits: OperatorTraits = .stateful
  /// The number of filters that each unit adds.
  let rank: Int
  let activation: FusedActivation
  let arithmetic: Arithmetic
  let inputZeroPoint: Int
  let outputZeroPoint: Int32
  /// Whether floats have the bits of LiteRT's built-in kernel, instead of the reference kernel's.
  private(set) var isBuiltIn = false

  /// Returns the operator with the bits of LiteRT's built-in kernel; integers have the same ones.
  func asBuiltIn() -> Self {
    var operation = self
    operation.isBuiltIn = true
    return operation
  }

  // MARK: Decoding

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(5, mayLeaveOut: true)
    let options = node.options(BuiltinOptionsTag.svdf)
    rank = try options.integer(0)
    try node.require(rank > 0, "the rank is \(rank)")
    activation = try FusedActivation(options, field: 1)
    let (input, feature, output) = (
      try node.input(0), try node.input(1), try node.output(0)
    )
    try node.requireSameType(input, output)
    inputZeroPoint = input.uniformZeroPoint
    outputZeroPoint = Int32(truncatingIfNeeded: output.uniformZeroPoint)
    if input.type == .int8 {
      try node.require(activation == .relu, "integers are activated by RELU only")
      arithmetic = try Self.integerArithmetic(node)
    } else {
      try node.require(feature, .float32, .int8, .uint8)
      try node.require(try node.input(2), feature.type)
      if let bias = node.optionalInput(3) { try node.require(bias, .float32) }
      try node.requireVariable(4, .float32)
      let isAsymmetric = try options.bool(2)
      arithmetic = .float(
        feature.type == .float32 ? .none : isAsymmetric ? .asymmetric : .symmetric)
    }
  }

  private static func integerArithmetic(_ node: NodeSpec) throws(ModelError) -> Arithmetic {
    let types: [ElementType] = [.int8, .int8, .int16, .int32, .int16]
    for (position, type) in types.enumerated() {
      if let tensor = node.optionalInput(position) { try node.require(tensor, type) }
    }
    try node.requireVariable(4, .int16)
    func scale(_ position: Int) throws(ModelError) -> Float {
      try node.perTensorQuantization(of: try node.input(position)).scale
    }
    let outputScale = try node.perTensorQuantization(of: try node.output(0)).scale
    let stateScale = try scale(4)
    return .integer(
      feature: try node.multiplier(try scale(0) * scale(1) / stateScale),
      time: try node.multiplier(try stateScale * scale(2) / outputScale))
  }

  // MARK: Shapes

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (input, feature, time) = (context.shape(0), context.shape(1), context.shape(2))
    try context.require(
      input.rank == 2 && feature.rank == 2 && time.rank == 2, "operands are no matrices")
    let (filters, memory) = (feature[0], time[1])
    try context.require(
      filters % rank == 0, "\(filters) filters are no multiple of the rank \(rank)")
    let units = filters / rank
    try context.require(
      feature[1] == input[1] && time[0] == filters && memory > 0
        && (context.optionalShape(3) == nil || context.optionalShape(3) == [units])
        && context.shape(4) == [input[0], memory * filters],
      "weights, bias or state do not fit \(filters) filters and \(input[0]) batches")
    return [[input[0], units]]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let (feature, time) = (context.shape(1).elementCount, context.shape(2).elementCount)
    return saturatingProduct(context.shape(0)[0], feature + time)
  }

  // MARK: Running

  package func run(_ context: RunContext) throws(ModelError) {
    guard context.output(0).elementCount > 0 else { return }
    switch arithmetic {
    case .float(let rounding): try runFloat(context, rounding)
    case .integer(let feature, let time): try runInteger(context, feature, time)
    }
  }

  private func runFloat(
    _ context: RunContext, _ rounding: CellVector.Rounding
  ) throws(ModelError) {
    let weights = CellWeights(context, required: 1, isBuiltIn ? .accumulated : nil)
    let inputs = context.input(0).values(Float.self)
    let output = context.output(0).values(Float.self)
    let bias = context.optionalInput(3)?.values(Float.self)
    try context.withScratch(Float.self, count: weights.rowCount) { sums throws(ModelError) in
      try context.withScratch(Int8.self, count: weights.columnCount) { bytes in
        var question = StoppableWork(context.control)
        for batch in 0..<context.input(0).shape[0] {
          if question.isOver(after: workOfItem(context)) { return }
          sums.update(repeating: 0, context.control)
          let input = inputs.row(batch, weights.columnCount)
          weights.multiply(
            CellVector(input, rounding, into: bytes, context.control), addingTo: sums)
          remember(sums, in: context.input(4), batch: batch)
          addTime(context, batch: batch, to: sums)
          let units = output.row(batch, sums.count / rank)
          for chunk in context.chunks(of: units.count, workOfEach: rank) {
            for unit in chunk {
              units[unit] = sums.row(unit, rank).folded(from: 0, context.control, +) ?? 0
              if let bias { units[unit] += bias[unit] }
            }
          }
        }
      }
    }
    activation.apply(to: output, context.control)
  }

  private func runInteger(
    _ context: RunContext, _ feature: FixedPointMultiplier, _ time: FixedPointMultiplier
  ) throws(ModelError) {
    let (input, weights) = (context.input(0), context.input(1))
    let (filters, depth) = (weights.shape[0], weights.shape[1])
    let inputZeroPoint = Int32(truncatingIfNeeded: inputZeroPoint)
    let (inputs, rows) = (input.values(Int8.self), weights.values(Int8.self))
    let output = context.output(0).values(Int8.self)
    let bias = context.optionalInput(3)?.values(Int32.self)
    try context.withScratch(Int32.self, count: filters) { sums throws(ModelError) in
      try context.withScratch(Int16.self, count: filters) { features in
        var question = StoppableWork(context.control)
        for batch in 0..<input.shape[0] {
          if question.isOver(after: workOfItem(context)) { return }
          for chunk in context.chunks(of: filters, workOfEach: depth) {
            for filter in chunk {
              var sum: Int32 = 0
              for indices in context.chunks(of: depth) {
                for index in indices {
                  sum &+=
                    (Int32(inputs[batch * depth + index]) &- inputZeroPoint)
                    &* Int32(rows[filter * depth + index])
                }
              }
              features[filter] = Int16(clamping: feature.scale(sum))
            }
          }
          remember(features, in: context.input(4), batch: batch)
          addTime(context, batch: batch, to: sums)
          let units = output.row(batch, filters / rank)
          for chunk in context.chunks(of: units.count, workOfEach: rank) {
            for unit in chunk {
              let sum = sums.row(unit, rank).folded(from: bias?[unit] ?? 0, context.control, &+)
              units[unit] = Int8(clamping: time.scale(sum ?? 0) &+ outputZeroPoint)
            }
          }
        }
      }
    }
  }

  /// Returns an estimate of the work for one item of the batch.
  private func workOfItem(_ context: RunContext) -> Int {
    context.input(1).elementCount &+ context.input(2).elementCount
  }

  // MARK: Memory

  /// Shifts the memory of every filter by a step and appends the newest feature.
  private func remember<Feature: BitwiseCopyable>(
    _ features: UnsafeMutableBufferPointer<Feature>, in state: TensorView, batch: Int
  ) {
    let memory = state.shape[1] / max(features.count, 1)
    let states = state.values(Feature.self).row(batch, state.shape[1])
    for chunk in state.chunks(of: features.count, workOfEach: memory) {
      for filter in chunk {
        let past = states.row(filter, memory)
        for steps in state.chunks(of: memory - 1) {
          for step in steps { past[step] = past[step + 1] }
        }
        past[memory - 1] = features[filter]
      }
    }
  }

  /// Computes the dot product of every filter's memory and its weights in time.
  private func addTime(
    _ context: RunContext, batch: Int, to sums: UnsafeMutableBufferPointer<Int32>
  ) {
    forEachFilter(context, batch, from: Int32(0)) { (sum, state: Int16, weight: Int16) in
      sum &+ Int32(state) &* Int32(weight)
    } body: {
      sums[$0] = $1
    }
  }

  /// Computes these dot products in floats; 8-bit weights are dequantized first.
  private func addTime(
    _ context: RunContext, batch: Int, to sums: UnsafeMutableBufferPointer<Float>
  ) {
    if isBuiltIn { return addTimeInLanes(context, batch: batch, to: sums) }
    if context.input(2).type == .float32 {
      forEachFilter(context, batch, from: Float(0)) { (sum, state: Float, weight: Float) in
        sum + state * weight
      } body: {
        sums[$0] = $1
      }
    } else {
      let scale = context.node.spec.inputs[2]?.uniformScale ?? 0
      forEachFilter(context, batch, from: Float(0)) { (sum, state: Float, weight: Int8) in
        sum + state * (Float(weight) * scale)
      } body: {
        sums[$0] = $1
      }
    }
  }

  /// Computes these dot products in the order of LiteRT's built-in kernel.
  private func addTimeInLanes(
    _ context: RunContext, batch: Int, to sums: UnsafeMutableBufferPointer<Float>
  ) {
    let memory = context.input(2).shape[1]
    if context.input(2).type == .float32 {
      forEachFilter(context, batch, from: LaneSum(of: memory)) {
        (sum, state: Float, weight: Float) in
        sum.adding(state * weight)
      } body: {
        sums[$0] = $1.total
      }
    } else {
      let scale = context.node.spec.inputs[2]?.uniformScale ?? 0
      forEachFilter(context, batch, from: LaneSum(of: memory)) {
        (sum, state: Float, weight: Int8) in
        sum.adding(state * (Float(weight) * scale))
      } body: {
        sums[$0] = $1.total
      }
    }
  }

  private func forEachFilter<State: BitwiseCopyable, Weight: BitwiseCopyable, Sum>(
    _ context: RunContext, _ batch: Int, from zero: Sum,
    adding: (_ sum: Sum, _ state: State, _ weight: Weight) -> Sum,
    body: (_ filter: Int, _ sum: Sum) -> Void
  ) {
    let (filters, memory) = (context.input(2).shape[0], context.input(2).shape[1])
    let states = context.input(4).values(State.self)
    let weights = context.input(2).values(Weight.self)
    for chunk in context.chunks(of: filters, workOfEach: memory) {
      for filter in chunk {
        let state = states.row(batch * filters + filter, memory)
        var sum = zero
        for steps in context.chunks(of: memory) {
          for step in steps {
            sum = adding(sum, state[step], weights[filter * memory + step])
          }
        }
        body(filter, sum)
      }
    }
  }
}
