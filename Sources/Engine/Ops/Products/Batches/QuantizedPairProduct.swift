import OcellusKernelABI

/// Products of `int8` matrices, requantized to `int8` or summed up in `int32`.
struct QuantizedPairProduct: PairProduct {
  private let gemm: QuantizedGEMM
  private let size: PairSize
  private let transposesLeft: Bool
  private let transposesRight: Bool
  private let arithmetic: ByteProductSpec?
  /// The scaling of every column, where there is one: in fixed point or in double precision.
  private var multipliers: [Int32] = []
  private var shifts: [Int32] = []
  private var realMultipliers: [Double] = []
  /// Empty, or one for each column.
  private let bias: [Int32]
  private let patches: PatchGeometry

  /// Without `arithmetic` sums stay as they are.
  init(
    _ context: PlanContext, _ size: PairSize, transposesLeft: Bool, transposesRight: Bool,
    _ arithmetic: ByteProductSpec?, bias: [Int32] = []
  ) {
    self.bias = bias
    gemm = context.kernels.quantizedGEMM
    self.size = size
    self.transposesLeft = transposesLeft
    self.transposesRight = transposesRight
    self.arithmetic = arithmetic
    patches = PatchGeometry(matrixOf: size.rows, depth: size.depth)
    arithmetic?.withMultipliers(from: 0) { scaling in
      func columns<Value>(_ start: UnsafePointer<Value>) -> [Value] {
        Array(UnsafeBufferPointer(start: start, count: size.columns))
      }
      switch scaling {
      case .fixedPoint(let multipliers, let shifts):
        (self.multipliers, self.shifts) = (columns(multipliers), columns(shifts))
      case .real(let multipliers): realMultipliers = columns(multipliers)
      case .sums, .hybrid: break
      }
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
    withScaling { scaling in
      bias.withUnsafeBufferPointer { bias in
        gemm.pack(
          QuantizedPackingArguments(
            filter: filter, filterFormat: arithmetic?.filter ?? Self.plain,
            inputFormat: arithmetic?.input ?? Self.plain,
            bias: bias.isEmpty ? nil : bias.baseAddress, requantization: scaling,
            columns: size.columns, depth: size.depth, packed: packed))
      }
    }
  }

  private func withScaling(_ body: (SumScaling) -> Void) {
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
    var input = left
    if transposesLeft {
      let target = (scratch + kernelBytes).assumingMemoryBound(to: UInt8.self)
      transpose(
        left.assumingMemoryBound(to: UInt8.self), rows: size.depth, columns: size.rows,
        only: block.rows, to: target)
      input = UnsafeRawPointer(target)
    }
    gemm.run(
      ProductBlock(
        patches: patches, input: input, packed: packed, output: output, outputStride: size.columns,
        rows: block.rows, columns: block.columns,
        finish: QuantizedFinish(
          inputFormat: arithmetic?.input ?? Self.plain,
          range: arithmetic?.range ?? QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 0)),
        scratch: scratch))
  }
}
