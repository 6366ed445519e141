import OcellusKernelABI

/// Products of `int16` matrices, requantized to `int16`.
struct Int16PairProduct: PairProduct {
  private let gemm: Int16GEMM
  private let products: PairedProducts
  private let range: QuantizedRange
  private let patches: PatchGeometry
  /// The scaling of every column.
  private var multipliers: [Int32] = []
  private var rightShifts: [Int32] = []

  /// - Returns: `nil` where sums are not scaled in 64 bits.
  init?(_ context: PlanContext, _ products: PairedProducts, _ arithmetic: Int16ProductSpec) {
    gemm = context.kernels.int16GEMM
    self.products = products
    range = arithmetic.range
    patches = products.patches
    arithmetic.withMultipliers(of: Array(0..<products.columns)) { scaling in
      guard case .wide(let multipliers, let rightShifts) = scaling else { return }
      let columns = products.columns
      self.multipliers = Array(UnsafeBufferPointer(start: multipliers, count: columns))
      self.rightShifts = Array(UnsafeBufferPointer(start: rightShifts, count: columns))
    }
    if multipliers.isEmpty { return nil }
  }

  var tileRows: Int { gemm.tileRows }
  var panelColumns: Int { gemm.panelColumns }
  var leftElementBytes: Int { 2 }
  var rightBytes: Int { products.depth * products.columns * 2 }
  var outputElementBytes: Int { 2 }
  var packedByteCount: Int { gemm.packedByteCount(products.columns, products.depth) }

  // Scratch memory: the kernel's own, then a matrix that is transposed.

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
      : transposed(right, columns: products.columns, only: 0..<products.columns, in: scratch)
    multipliers.withUnsafeBufferPointer { multipliers in
      rightShifts.withUnsafeBufferPointer { rightShifts in
        guard let multipliers = multipliers.baseAddress, let rightShifts = rightShifts.baseAddress
        else { return }
        gemm.pack(
          Int16PackingArguments(
            filter: filter, isWide: true, bias: nil,
            requantization: .wide(multipliers: multipliers, rightShifts: rightShifts),
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
      ? transposed(left, columns: products.rows, only: block.rows, in: scratch) : left
    gemm.run(
      ProductBlock(
        patches: patches, input: input, packed: packed, output: output,
        outputStride: products.outputStride, rows: block.rows, columns: block.columns,
        finish: range, scratch: scratch))
  }

  /// Some columns of a matrix that has as many rows as products are deep, as rows behind the kernel's
  /// own memory.
  private func transposed(
    _ matrix: UnsafeRawPointer, columns: Int, only wanted: Range<Int>,
    in scratch: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    let target = (scratch + kernelBytes).assumingMemoryBound(to: UInt16.self)
    transpose(
      matrix.assumingMemoryBound(to: UInt16.self), rows: products.depth, columns: columns,
      only: wanted, to: target)
    return UnsafeRawPointer(target)
  }
}
