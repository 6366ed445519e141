import OcellusKernelABI

/// GEMM of `int16` matrices with `int16` or `int8` ones, requantized to `int16`.
struct Int16PairGEMM: PairGEMM {
  private let gemm: Int16GEMM
  private let products: MatrixPairs
  private let range: QuantizedRange
  private let patches: PatchGeometry
  private let rightElementBytes: Int
  private let transposedLeft: MatrixTransposition
  private let transposedRight: MatrixTransposition
  /// The requantization of every column.
  private var multipliers: [Int32] = []
  private var rightShifts: [Int32] = []

  /// - Returns: `nil` where sums are not scaled in 64 bits.
  init?(_ context: PlanContext, _ products: MatrixPairs, _ arithmetic: Int16KernelSpec) {
    gemm = context.kernels.int16GEMM
    self.products = products
    range = arithmetic.range
    patches = products.patches
    let right = context.node.inputs[products.swapsOperands ? 0 : 1]
    let dataMovement = context.kernels.dataMovement
    rightElementBytes = right?.type == .int8 ? 1 : 2
    transposedLeft = .ofInt16Elements(dataMovement)
    transposedRight =
      rightElementBytes == 1 ? .ofBytes(dataMovement) : .ofInt16Elements(dataMovement)
    arithmetic.withMultipliers(of: Array(0..<products.columns)) { scaling in
      guard case .sums64(let multipliers, let rightShifts) = scaling else { return }
      let columns = products.columns
      self.multipliers = Array(UnsafeBufferPointer(start: multipliers, count: columns))
      self.rightShifts = Array(UnsafeBufferPointer(start: rightShifts, count: columns))
    }
    if multipliers.isEmpty { return nil }
  }

  var tileRows: Int { gemm.tileRows }
  var panelColumns: Int { gemm.panelColumns }
  var leftElementBytes: Int { 2 }
  var rightBytes: Int { products.depth * products.columns * rightElementBytes }
  var outputElementBytes: Int { 2 }
  var packedByteCount: Int { gemm.packedByteCount(products.columns, products.depth) }

  // The scratch: the kernel's own, then a matrix that is transposed.

  private var kernelBytes: Int { ArenaPlanner.aligned(gemm.scratchByteCount(patches)) }
  var scratchByteCount: Int {
    kernelBytes
      + max(
        products.transposesLeft ? products.rows * products.depth * 2 : 0,
        products.transposesRight ? 0 : rightBytes)
  }

  func pack(
    _ right: UnsafeRawPointer, to packed: UnsafeMutableRawPointer,
    in scratch: UnsafeMutableRawPointer
  ) {
    let filter =
      products.transposesRight
      ? right
      : transposedRight(
        right, rows: products.depth, columns: products.columns, to: scratch + kernelBytes)
    multipliers.withUnsafeBufferPointer { multipliers in
      rightShifts.withUnsafeBufferPointer { rightShifts in
        guard let multipliers = multipliers.baseAddress, let rightShifts = rightShifts.baseAddress
        else { return }
        gemm.pack(
          Int16PackingArguments(
            filter: filter, has16BitWeights: rightElementBytes == 2, bias: nil,
            requantization: .sums64(multipliers: multipliers, rightShifts: rightShifts),
            columns: products.columns, depth: products.depth, packed: packed))
      }
    }
  }

  func multiply(
    _ left: UnsafeRawPointer, packed: UnsafeRawPointer, to output: UnsafeMutableRawPointer,
    _ block: (rows: Range<Int>, columns: Range<Int>), in scratch: UnsafeMutableRawPointer
  ) {
    let input =
      products.transposesLeft
      ? transposedLeft(
        left, rows: products.depth, columns: products.rows, only: block.rows,
        to: scratch + kernelBytes) : left
    gemm.run(
      GEMMBlock(
        patches: patches, input: input, packed: packed, output: output,
        outputStride: products.outputStride, rows: block.rows, columns: block.columns,
        epilogue: range, scratch: scratch))
  }
}
