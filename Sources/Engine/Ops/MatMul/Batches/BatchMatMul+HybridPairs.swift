import OcellusKernelABI
import OcellusModelFile

extension BatchMatMul {
  /// The largest constant matrices that are packed, in bytes.
  private static let maximumWeightBytes = 1 << 28

  /// Plans rows times several constant matrices, such as those of a layer of groups.
  ///
  /// - Returns: `nil` where the right matrices are computed, and where the left ones are
  ///   transposed.
  func hybridStepOfPairs(_ hybrid: HybridWeights, _ context: PlanContext) -> Step? {
    guard let left = context.inputShapes[0], let right = context.constants[1],
      right.type == .int8, !transposesLeft, right.bytes.count <= Self.maximumWeightBytes
    else { return nil }
    let product = HybridPairs(self, hybrid, left: left, right: right, context)
    guard product.packedByteCount / 64 <= right.bytes.count + 1024 else { return nil }
    return product.step(right, context)
  }

  /// A pair of matrices, with the index of the official kernel's rounding for the first left row.
  fileprivate struct Pair {
    let left: Int
    let right: Int
    let output: Int
    let firstRounding: Int
  }

  fileprivate func pairs(_ left: Shape, _ right: Shape, _ output: Shape) -> [Pair] {
    var pairs: [Pair] = []
    forEachPair(left, right, output) { leftMatrix, rightMatrix, result in
      pairs.append(
        Pair(
          left: leftMatrix, right: rightMatrix, output: result,
          firstRounding: firstQuantization(ofMatrix: leftMatrix, left, right)))
    }
    return pairs
  }
}

/// Float matrices, each row of which is rounded to `int8`, times constant `int8` matrices.
private struct HybridPairs: Sendable {
  private let panels: HybridPanels
  private let choice: StrategyChoice
  private let patches: PatchGeometry
  private let source: DynamicallyQuantizedInput
  private let pairs: [BatchMatMul.Pair]
  private let columns: Int
  private let matrixCount: Int
  private let transposesWeights: Bool
  private let transposed: MatrixTransposition

  init(
    _ operation: BatchMatMul, _ hybrid: HybridWeights, left: Shape, right: TensorView,
    _ context: PlanContext
  ) {
    let output = context.outputShapes[0]
    let (rows, depth) = (left[-2], left[-1])
    patches = PatchGeometry(matrixOf: rows, depth: depth)
    pairs = operation.pairs(left, right.shape, output)
    let chosen = context.chooseQuantizedGEMM(
      GEMMProblem(patches, rows: rows, columns: output[-1]), times: pairs.count)
    choice = chosen.choice
    panels = HybridPanels(kernel: chosen.kernel, weights: hybrid, bias: [])
    source = DynamicallyQuantizedInput(
      itemCount: left.elementCount / depth, elementsPerItem: depth,
      rounding: hybrid.rounding,
      makesUnsigned: !chosen.kernel.prefersSignedRows, context)
    columns = output[-1]
    matrixCount = right.bytes.count / (depth * columns)
    transposesWeights = !operation.transposesRight
    transposed = .ofBytes(context.kernels.dataMovement)
  }

  private var rows: Int { patches.inputHeight }
  private var depth: Int { patches.channels }
  private var stride: Int {
    ArenaPlanner.aligned(panels.packedByteCount(columns: columns, patches))
  }
  var packedByteCount: Int { saturatingProduct(stride, matrixCount) }

  func step(_ weights: TensorView, _ context: PlanContext) -> Step {
    let packed = context.packedWeights(
      "batch gemm \(panels.name), \(choice.name)",
      layout: [depth, columns, transposesWeights ? 1 : 0],
      byteCount: packedByteCount
    ) { packed in pack(weights, to: packed) }
    let work = saturatingProduct(pairs.count, rows, depth, columns)
    let itemCount = work > 200_000 ? min(pairs.count, 2 * context.threadCount) : 1
    let scratchBytes = ArenaPlanner.aligned(panels.scratchByteCount(patches))
    typealias Run = (step: StepContext, rounded: DynamicallyQuantizedInput.Items)
    let loop = WorkItemLoop<Run> { run, item in
      let scratch = run.step.scratch + source.scratchByteCount + item * scratchBytes
      for index in item * pairs.count / itemCount..<(item + 1) * pairs.count / itemCount {
        if index > 0, run.step.workers.isOver { return }
        multiply(pairs[index], packed, run.rounded, to: run.step.output(0), scratch)
      }
    }
    return Step(
      kernelName: "batch gemm \(panels.name) \(context.kernels.name)", strategy: choice,
      scratchByteCount: source.scratchByteCount + itemCount * scratchBytes
    ) { step in
      let rounded = source.round(step.input(0), scratch: step.scratch, workers: step.workers)
      step.workers.run(itemCount, loop, (step, rounded))
    }
  }

  /// Packs all matrices, with the columns of each as rows.
  private func pack(_ weights: TensorView, to packed: UnsafeMutableRawPointer) {
    let byteCount = depth * columns
    withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 64) { memory in
      guard let first = weights.bytes.baseAddress, let memory = memory.baseAddress else { return }
      for index in 0..<matrixCount {
        var matrix = UnsafeRawPointer(first + index * byteCount)
        if transposesWeights {
          matrix = transposed(matrix, rows: depth, columns: columns, to: memory)
        }
        panels.pack(
          matrix, channels: Array(0..<columns), patches, to: packed + index * stride)
      }
    }
  }

  private func multiply(
    _ pair: BatchMatMul.Pair, _ packed: PackedBlock, _ rounded: DynamicallyQuantizedInput.Items,
    to output: UnsafeMutableRawPointer, _ scratch: UnsafeMutableRawPointer
  ) {
    panels.run(
      PanelBlock(
        patches: patches, input: rounded.bytes + pair.left * rows * depth,
        packed: packed.base + pair.right * stride,
        output: output + pair.output * rows * columns * 4,
        outputStride: columns, rows: 0..<rows, columns: 0..<columns,
        epilogue: PanelRounding(rows: rounded.rows + pair.firstRounding, stride: 1),
        scratch: scratch))
  }
}
