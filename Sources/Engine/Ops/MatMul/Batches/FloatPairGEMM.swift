import OcellusKernelABI

/// GEMM of pairs of float matrices.
struct FloatPairGEMM: PairGEMM {
  private let gemm: FloatGEMM
  let choice: StrategyChoice?
  let multipliesBFloat16: Bool
  private let products: MatrixPairs
  /// Empty, or one for each column.
  private let bias: [Float]
  private let range: ClosedRange<Float>
  private let numerics: Numerics
  private let patches: PatchGeometry
  private let transposed: MatrixTransposition

  init(
    _ context: PlanContext, _ products: MatrixPairs, bias: [Float] = [],
    range: ClosedRange<Float>
  ) {
    self.bias = bias
    self.range = range
    self.products = products
    numerics = context.numerics
    patches = products.patches
    let chosen = context.chooseRoundableGEMM(
      [
        GEMMProblem(
          patches, rows: products.rows, columns: products.columns, packsInEveryRun: true)
      ],
      times: products.pairs.count)
    (gemm, choice) = (chosen.kernel, chosen.choice)
    multipliesBFloat16 = context.multipliesBFloat16
    transposed = .ofFloats(context.kernels.dataMovement)
  }

  var tileRows: Int { gemm.tileRows }
  var panelColumns: Int { gemm.panelColumns }
  var leftElementBytes: Int { 4 }
  var rightBytes: Int { products.depth * products.columns * 4 }
  var outputElementBytes: Int { 4 }
  var packedByteCount: Int { gemm.packedByteCount(products.columns, patches) }

  // The scratch: the kernel's own, then the left matrix if it is transposed.

  private var kernelBytes: Int { ArenaPlanner.aligned(gemm.scratchByteCount(patches)) }
  var scratchByteCount: Int {
    kernelBytes + (products.transposesLeft ? products.rows * products.depth * 4 : 0)
  }

  func pack(
    _ right: UnsafeRawPointer, to packed: UnsafeMutableRawPointer,
    in scratch: UnsafeMutableRawPointer
  ) {
    bias.withUnsafeBufferPointer { bias in
      var arguments = FloatPackingArguments(
        filter: right.assumingMemoryBound(to: Float.self),
        bias: bias.isEmpty ? nil : bias.baseAddress, columns: products.columns,
        patches: patches, packed: packed)
      if !products.transposesRight {
        (arguments.columnStride, arguments.depthStride) = (1, products.columns)
      }
      gemm.pack(arguments)
    }
  }

  func multiply(
    _ left: UnsafeRawPointer, packed: UnsafeRawPointer, to output: UnsafeMutableRawPointer,
    _ block: (rows: Range<Int>, columns: Range<Int>), in scratch: UnsafeMutableRawPointer
  ) {
    let input =
      products.transposesLeft
      ? transposed(
        left, rows: products.depth, columns: products.rows, only: block.rows,
        to: scratch + kernelBytes) : left
    gemm.run(
      GEMMBlock(
        patches: patches, input: input, packed: packed, output: output,
        outputStride: products.outputStride,
        rows: block.rows, columns: block.columns, epilogue: FloatEpilogue(range, numerics),
        scratch: scratch))
  }
}
