import OcellusKernelABI

/// The float SVDF on the tuned kernels: a matrix multiplication of the inputs, then the filters'
/// memories.
struct FloatFilters<Product: RecurrentGEMM>: Sendable {
  private let features: Product
  /// The weights in time as floats, `memory` of them for each filter.
  private let timeWeights: PackedBlock
  private let activation: FusedActivation
  private let batchCount: Int
  private let filterCount: Int
  private let memory: Int
  private let rank: Int
  private let hasBias: Bool
  /// Whether products in time are added in the order of LiteRT's built-in kernel.
  private let isBuiltIn: Bool

  private init?(
    _ context: PlanContext, _ svdf: SVDF,
    _ features: (_ weights: TensorView, _ rows: PatchGeometry) -> Product
  ) {
    guard let weights = context.constants[1], let input = context.inputShapes[0],
      let timeWeights = context.constants[2]
    else { return nil }
    (batchCount, filterCount, memory) = (input[0], weights.shape[0], timeWeights.shape[1])
    (rank, activation) = (svdf.rank, svdf.activation)
    hasBias = context.node.optionalInput(3) != nil
    isBuiltIn = svdf.isBuiltIn
    self.features = features(weights, PatchGeometry(matrixOf: input[0], depth: input[1]))
    let scale = context.node.inputs[2]?.uniformScale ?? 0
    self.timeWeights = context.packedWeights(
      "weights in time", byteCount: timeWeights.elementCount * 4
    ) { packed in
      let packed = packed.assumingMemoryBound(to: Float.self)
      for index in 0..<timeWeights.elementCount {
        packed[index] =
          timeWeights.type == .float32
          ? timeWeights.values(Float.self)[index]
          : Float(timeWeights.values(Int8.self)[index]) * scale
      }
    }
  }

  // Scratch memory: the features of all items, then the GEMM's own.

  private var productOffset: Int { ArenaPlanner.aligned(batchCount * filterCount * 4) }
  var scratchByteCount: Int { productOffset + features.scratchByteCount }

  @Sendable func run(_ step: StepContext) {
    let sums = step.scratch.assumingMemoryBound(to: Float.self)
    features.multiply(
      step.input(0), rows: batchCount, to: sums, scratch: step.scratch + productOffset,
      workers: step.workers)
    let states = UnsafeMutableRawPointer(mutating: step.input(4))
      .assumingMemoryBound(to: Float.self)
    remember(sums, in: states, step.workers)
    let units = batchCount * filterCount / rank
    let outputs = step.output(0).assumingMemoryBound(to: Float.self)
    let bias = hasBias ? step.input(3).assumingMemoryBound(to: Float.self) : nil
    let unitsAtOnce = max(Step.longestSlice / rank, 1)
    step.workers.forEachSlice(of: 0..<units, length: unitsAtOnce) { slice in
      for unit in slice {
        var sum: Float = 0
        for filter in unit * rank..<(unit + 1) * rank { sum += sums[filter] }
        outputs[unit] = bias.map { sum + $0[unit % (filterCount / rank)] } ?? sum
      }
      activation.apply(to: .init(start: outputs + slice.lowerBound, count: slice.count))
    }
  }

  /// Shifts each filter's memory by a step and appends its feature.
  ///
  /// The feature is replaced by the dot product of the memory and the weights in time.
  private func remember(
    _ features: UnsafeMutablePointer<Float>, in states: UnsafeMutablePointer<Float>,
    _ workers: WorkersReference
  ) {
    let timeWeights = timeWeights.base.assumingMemoryBound(to: Float.self)
    let filtersAtOnce = max(Step.longestSlice / memory, 1)
    for batch in 0..<batchCount {
      if batch % 64 == 63, workers.isOver { return }
      workers.forEachSlice(of: 0..<filterCount, length: filtersAtOnce) { filters in
        for filter in filters {
          let index = batch &* filterCount &+ filter
          let past = states + index &* memory
          let weights = timeWeights + filter &* memory
          if isBuiltIn {
            past.update(from: past + 1, count: memory &- 1)
            past[memory &- 1] = features[index]
            features[index] = 0
            LaneProduct.accumulate(
              0..<1, of: weights, depth: memory, times: past, in: features + index)
            continue
          }
          var sum: Float = 0
          for step in 1..<memory {
            past[step &- 1] = past[step]
            sum += past[step] * weights[step &- 1]
          }
          past[memory &- 1] = features[index]
          features[index] = sum + features[index] * weights[memory &- 1]
        }
      }
    }
  }
}

extension FloatFilters<RecurrentFloatGEMM> {
  init?(_ context: PlanContext, _ svdf: SVDF) {
    self.init(context, svdf) { weights, rows in
      RecurrentFloatGEMM(
        context, "filters", rows, columns: weights.shape[0], bias: [],
        filter: Array(weights.values(Float.self)))
    }
  }
}

extension FloatFilters<RecurrentLaneGEMM> {
  init?(_ context: PlanContext, _ svdf: SVDF) {
    self.init(context, svdf) { weights, rows in
      RecurrentLaneGEMM(
        context, "filters", rows, .accumulated, columns: weights.shape[0], bias: [],
        filter: Array(weights.values(Float.self)))
    }
  }
}

extension FloatFilters<RecurrentHybridGEMM> {
  init?(_ context: PlanContext, _ svdf: SVDF, isAsymmetric: Bool) {
    let scale = context.node.inputs[1]?.uniformScale ?? 0
    self.init(context, svdf) { weights, rows in
      RecurrentHybridGEMM(
        context, "filters", rowCount: rows.inputHeight, depth: rows.depth,
        HybridWeights(
          scales: [Float](repeating: scale, count: weights.shape[0]),
          roundsAsymmetrically: isAsymmetric, range: -.infinity ... .infinity),
        bias: [], filter: Array(weights.values(Int8.self)))
    }
  }
}
