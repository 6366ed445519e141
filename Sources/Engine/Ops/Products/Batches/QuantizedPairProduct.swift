import OcellusKernelABI

/// Products of `int8` matrices, requantized to `int8` or summed up in `int32`.
struct QuantizedPairProduct: PairProduct {
  private let gemm: QuantizedGEMM
  private let size: PairSize
  private let transposesLeft: Bool
  private let transposesRight: Bool
  private let arithmetic: ByteProductSpec?
  /// The scaling of every column, where there is one.
  private var multipliers: [Int32] = []
  private var shifts: [Int32] = []
  private let patches: PatchGeometry

  /// Without `arithmetic` sums stay as they are.
  init(
    _ context: PlanContext, _ size: PairSize, transposesLeft: Bool, transposesRight: Bool,
    _ arithmetic: ByteProductSpec?
  ) {
    gemm = context.kernels.quantizedGEMM
    self.size = size
    self.transposesLeft = transposesLeft
    self.transposesRight = transposesRight
    self.arithmetic = arithmetic
    patches = PatchGeometry(matrixOf: size.rows, depth: size.depth)
    arithmetic?.withMultipliers(from: 0) { requantization in
      guard case .fixedPoint(let multipliers, let shifts) = requantization else { return }
      self.multipliers = Array(UnsafeBufferPointer(start: multipliers, count: size.columns))
      self.shifts = Array(UnsafeBufferPointer(start: shifts, count: size.columns))
    }
  }

  private static let plain = QuantizedFormat(isSigned: true, zeroPoint: 0)

  var tileRows: Int { gemm.tileRows }
  var panelColumns: Int { gemm.panelColumns }
  var leftBytes: Int { size.rows * size.depth }
  var rightBytes: Int { size.depth * size.columns }
  var outputBytes: Int { size.rows * size.columns * (arithmetic == nil ? 4 : 1) }
  var packedByteCount: Int { gemm.packedByteCount(size.columns, size.depth) }

  // Scratch memory: the kernel's own, then a matrix that is transposed.

  private var kernelBytes: Int { ArenaPlanner.aligned(gemm.scratchByteCount(patches)) }
  var scratchByteCount: Int {
    kernelBytes + max(transposesLeft ? leftBytes : 0, transposesRight ? 0 : rightBytes)
  }

  func pack(
    _ right: UnsafeRawPointer, to packed: UnsafeMutableRawPointer,
    in scratch: UnsafeMutableRawPointer
  ) {
    var filter = right
    if !transposesRight {
      let target = (scratch + kernelBytes).assumingMemoryBound(to: UInt8.self)
      transpose(
        right.assumingMemoryBound(to: UInt8.self), rows: size.depth, columns: size.columns,
        only: 0..<size.columns, to: target)
      filter = UnsafeRawPointer(target)
    }
    multipliers.withUnsafeBufferPointer { multipliers in
      shifts.withUnsafeBufferPointer { shifts in
        var requantization = SumScaling.sums
        if arithmetic != nil, let multipliers = multipliers.baseAddress,
          let shifts = shifts.baseAddress
        {
          requantization = .fixedPoint(multipliers: multipliers, shifts: shifts)
        }
        gemm.pack(
          QuantizedPackingArguments(
            filter: filter, filterFormat: arithmetic?.filter ?? Self.plain,
            inputFormat: arithmetic?.input ?? Self.plain, bias: nil,
            requantization: requantization, columns: size.columns, depth: size.depth,
            packed: packed))
      }
    }
  }

  func multiply(
    _ left: UnsafeRawPointer, packed: UnsafeRawPointer, to output: UnsafeMutableRawPointer,
    _ block: (rows: Range<Int>, columns: Range<Int>), in scratch: UnsafeMutableRawPointer
  ) {
    var input = left
    if transposesLeft {
      let target = (scratch + kernelBytes).assumingMemoryBound(to: UInt8.self)
      transpose(
        left.assumingMemoryBound(to: UInt8.self), rows: size.depth, columns: size.rows,
        only: block.rows, to: target)
      input = UnsafeRawPointer(target)
    }
    gemm.run(
      QuantizedGEMMArguments(
        patches: patches, input: input, inputFormat: arithmetic?.input ?? Self.plain,
        packed: packed, output: output, outputStride: size.columns, rows: block.rows,
        columns: block.columns,
        range: arithmetic?.range ?? QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 0),
        scratch: scratch))
  }
}
