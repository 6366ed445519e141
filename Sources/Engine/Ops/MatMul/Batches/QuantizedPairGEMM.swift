import OcellusKernelABI

/// GEMM of pairs of `int8` matrices, requantized to `int8` or left as `int32` sums.
struct QuantizedPairGEMM: PairGEMM {
  private let gemm: QuantizedGEMM
  let choice: StrategyChoice?
  private let products: MatrixPairs
  private let arithmetic: QuantizedKernelSpec?
  /// The requantization of every column, if there is one: in fixed point, in double or in single
  /// precision.
  private var multipliers: [Int32] = []
  private var shifts: [Int32] = []
  private var realMultipliers: [Double] = []
  private var singleMultipliers: [Float] = []
  /// Empty, or one for each column.
  private let bias: [Int32]
  private let patches: PatchGeometry
  private let transposed: MatrixTransposition

  /// Without `arithmetic`, the results are the sums themselves.
  init(
    _ context: PlanContext, _ products: MatrixPairs, _ arithmetic: QuantizedKernelSpec?,
    bias: [Int32] = []
  ) {
    self.bias = bias
    self.products = products
    self.arithmetic = arithmetic
    patches = products.patches
    let chosen = context.chooseQuantizedGEMM(
      GEMMProblem(
        patches, rows: products.rows, columns: products.columns,
        rowBytes: (arithmetic?.input ?? Self.plain).rowBytes,
        filter: arithmetic?.filter ?? Self.plain, results: arithmetic?.results ?? .sums,
        packsInEveryRun: true), times: products.pairs.count)
    (gemm, choice) = (chosen.kernel, chosen.choice)
    transposed = .ofBytes(context.kernels.dataMovement)
    arithmetic?.withMultipliers(from: 0) { scaling in
      func columns<Value>(_ start: UnsafePointer<Value>) -> [Value] {
        Array(UnsafeBufferPointer(start: start, count: products.columns))
      }
      switch scaling {
      case .fixedPoint(let multipliers, let shifts):
        (self.multipliers, self.shifts) = (columns(multipliers), columns(shifts))
      case .real(let multipliers): realMultipliers = columns(multipliers)
      case .single(let multipliers): singleMultipliers = columns(multipliers)
      case .sums, .hybrid: break
      }
    }
  }

  private static let plain = QuantizedFormat(isSigned: true, zeroPoint: 0)

  var tileRows: Int { gemm.tileRows(patches) }
  var panelColumns: Int { gemm.panelColumns }
  var leftElementBytes: Int { 1 }
  var rightBytes: Int { products.depth * products.columns }
  var outputElementBytes: Int { arithmetic == nil ? 4 : 1 }
  var packedByteCount: Int { gemm.packedByteCount(products.columns, patches) }

  // The scratch: the kernel's own, then a matrix that is transposed.

  private var kernelBytes: Int { ArenaPlanner.aligned(gemm.scratchByteCount(patches)) }
  var scratchByteCount: Int {
    kernelBytes
      + max(
        products.transposesLeft ? products.rows * products.depth : 0,
        products.transposesRight ? 0 : rightBytes)
  }

  func pack(
    _ right: UnsafeRawPointer, to packed: UnsafeMutableRawPointer,
    in scratch: UnsafeMutableRawPointer
  ) {
    let filter =
      products.transposesRight
      ? right
      : transposed(
        right, rows: products.depth, columns: products.columns, to: scratch + kernelBytes)
    withScaling { scaling in
      bias.withUnsafeBufferPointer { bias in
        gemm.pack(
          QuantizedPackingArguments(
            filter: filter, filterFormat: arithmetic?.filter ?? Self.plain,
            inputFormat: arithmetic?.input ?? Self.plain,
            bias: bias.isEmpty ? nil : bias.baseAddress, requantization: scaling,
            columns: products.columns, patches: patches, packed: packed))
      }
    }
  }

  private func withScaling(_ body: (SumScaling) -> Void) {
    if !singleMultipliers.isEmpty {
      return singleMultipliers.withUnsafeBufferPointer { multipliers in
        if let start = multipliers.baseAddress { body(.single(multipliers: start)) }
      }
    }
    multipliers.withUnsafeBufferPointer { multipliers in
      shifts.withUnsafeBufferPointer { shifts in
        realMultipliers.withUnsafeBufferPointer { realMultipliers in
          if let multipliers = multipliers.baseAddress, let shifts = shifts.baseAddress,
            !self.multipliers.isEmpty
          {
            body(.fixedPoint(multipliers: multipliers, shifts: shifts))
          } else if let multipliers = realMultipliers.baseAddress, !self.realMultipliers.isEmpty {
            body(.real(multipliers: multipliers))
          } else {
            body(.sums)
          }
        }
      }
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
        rows: block.rows, columns: block.columns,
        epilogue: QuantizedEpilogue(
          inputFormat: arithmetic?.input ?? Self.plain,
          range: arithmetic?.range ?? QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 0)),
        scratch: scratch))
  }
}
