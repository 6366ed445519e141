import OcellusKernelABI

extension HybridScaling {
  /// Returns the scaling of the rows from `row` on.
  @inline(__always)
  func advanced(by row: Int) -> HybridScaling {
    HybridScaling(
      rows: rows + row &* stride, stride: stride, order: order, minimum: minimum,
      maximum: maximum)
  }
}

/// The dequantization of the sums of one vector of columns, for rows of any quantization.
struct HybridColumns {
  private var factors: FloatVector
  private var bias: FloatVector
  private var weightSums: SumVector
  private var order: HybridOrder
  private var low: FloatVector
  private var high: FloatVector

  @inline(__always)
  init(_ scales: UnsafeRawPointer, _ scaling: HybridScaling) {
    factors = loadFloats(scales)
    bias = loadFloats(scales + sumVectorBytes)
    weightSums = loadSums(scales + 2 &* sumVectorBytes)
    order = scaling.order
    low = FloatVector(repeating: scaling.minimum)
    high = FloatVector(repeating: scaling.maximum)
  }

  @inline(__always)
  func callAsFunction(_ sums: SumVector, _ row: RowQuantization) -> FloatVector { self[row](sums) }

  /// Returns the dequantization of rows with one quantization.
  @inline(__always)
  subscript(row: RowQuantization) -> HybridVector {
    let rowScale = FloatVector(repeating: row.scale)
    // A product with 1 is exact.
    let (first, second) =
      switch order {
      case .scales: (factors * rowScale, FloatVector(repeating: 1))
      case .sumAndColumn: (factors, rowScale)
      case .sumAndRowFused: (rowScale, factors)
      }
    return HybridVector(
      subtracted: weightSums &* SumVector(repeating: row.zeroPoint), first: first, second: second,
      bias: bias, isFused: order == .sumAndRowFused, low: low, high: high)
  }
}

/// The dequantization of the sums of one vector of columns, for rows that share one quantization.
struct HybridVector {
  fileprivate let subtracted: SumVector
  fileprivate let first, second: FloatVector
  fileprivate let bias: FloatVector
  /// Whether the last product is added to the bias without being rounded.
  fileprivate let isFused: Bool
  fileprivate let low, high: FloatVector

  @inline(__always)
  func callAsFunction(_ sums: SumVector) -> FloatVector {
    let product = floats(sums &- subtracted) * first
    let result =
      isFused
      ? FusedMultiplyAdd.multiplyAdd(bias, product, second) : product * second + bias
    return clamp(result, low, high)
  }
}

/// Dequantizes the sums of a tile, where every row may have its own quantization.
@inline(__always)
func storeHybrid(_ tile: SumTile, _ scaling: HybridScaling) {
  var scales = tile.scales
  var column = 0
  while column < tile.columns {
    let columns = HybridColumns(scales, scaling)
    let width = tile.columns &- column
    var sums = tile.sums + column &* 4
    var output = tile.output + column &* 4
    var scaled = columns[scaling.rows.pointee]
    for row in 0..<tile.rows {
      if scaling.stride > 0 { scaled = columns[scaling.rows[row &* scaling.stride]] }
      let result = scaled(loadSums(sums))
      if width >= SumVector.scalarCount {
        store(result, to: output)
      } else {
        store(result, to: sums)
        copyEnd(sums, to: output, count: width &* 4)
      }
      sums += tile.sumsStride
      output += tile.outputStride
    }
    scales += tile.scalesStride
    column &+= SumVector.scalarCount
  }
}

/// The epilogue that dequantizes sums of rows that share one quantization.
struct HybridWriter: SumWriter {
  private let scaled: HybridVector

  @inline(__always)
  init(_ scales: UnsafeRawPointer, _ scaling: HybridScaling) {
    scaled = HybridColumns(scales, scaling)[scaling.rows.pointee]
  }

  @inline(__always)
  static var outputBytes: Int { 4 }

  @inline(__always)
  func write(
    _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, count: Int,
    to destination: ResultDestination
  ) {
    writeLanes(bits(a), row: 0, to: destination)
    if count > 1 { writeLanes(bits(b), row: 1, to: destination) }
    if count > 2 { writeLanes(bits(c), row: 2, to: destination) }
    if count > 2 { writeLanes(bits(d), row: 3, to: destination) }
  }

  #if WINDOW_QUADS
    @inline(__always)
    func result(_ sums: SumVector) -> SumVector { bits(sums) }
  #endif

  @inline(__always)
  private func bits(_ sums: SumVector) -> SumVector { asLanes(scaled(sums)) }
}
