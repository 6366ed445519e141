import OcellusKernelABI

// Sums become bytes by a multiplier per column. Packed weights hold, for every vector of columns,
// the starting sums (the bias and the corrections for zero points) and then the multipliers.

/// The bytes of the starting sums and multipliers of one vector of columns.
///
/// The multipliers are four vectors of 32-bit numbers, or two of doubles.
let scaleBytes = 5 * MemoryLayout<SumVector>.size

/// What precedes all panels of packed 8-bit weights.
struct PackedHeader {
  /// How sums are scaled; see `ScaleKind`.
  var scaleKind: Int32
  /// What a row's sum of activations is multiplied with to correct its sums, where the weights
  /// have a zero point that is not folded into them.
  var rowCorrection: Int32

  /// Keeps the panels aligned to cache lines.
  static var byteCount: Int { 64 }
}

extension PackedHeader {
  @inline(__always)
  init(_ packed: UnsafeRawPointer) {
    self.init(scaleKind: loadInt32(packed), rowCorrection: loadInt32(packed + 4))
  }

  func write(to packed: UnsafeMutableRawPointer) {
    store(scaleKind, to: packed)
    store(rowCorrection, to: packed + 4)
  }
}

/// The cases of `Requantization`, as packed weights store them.
enum ScaleKind {
  static let sums: Int32 = 0
  static let real: Int32 = 1
  static let fixedPoint: Int32 = 2
  /// Fixed point where `BoundedScale` is exact.
  static let bounded: Int32 = 3
  static let hybrid: Int32 = 4

  /// The bytes of a result.
  @inline(__always)
  static func outputBytes(_ kind: Int32) -> Int { kind == sums || kind == hybrid ? 4 : 1 }
}

/// Writes the multipliers of the columns from `column` on, `width` of them.
///
/// Hybrid ones are followed by the sums of the column's weights, which `storeWeightSum` writes.
func packScales(
  _ requantization: Requantization, column: Int, width: Int, to scales: UnsafeMutableRawPointer
) {
  for lane in 0..<width {
    switch requantization {
    case .sums: break
    case .fixedPoint(let multipliers, let shifts):
      let shift = shifts[column &+ lane]
      let right: Int32 = shift < 0 ? 0 &- shift : 0
      let words = scales + lane &* 4
      store(multipliers[column &+ lane], to: words)
      store(shift > 0 ? shift : 0, to: words + sumVectorBytes)
      store(right > 0 ? right &- 1 : 0, to: words + 2 &* sumVectorBytes)
      store(right > 0 ? 1 : 0 as Int32, to: words + 3 &* sumVectorBytes)
    case .real(let multipliers):
      store(multipliers[column &+ lane], to: scales + lane &* 8)
    case .hybrid(let factors, let biases):
      // Nothing changes where a negative zero is added.
      var bias: Float = -0.0
      if let biases { bias = biases[column &+ lane] }
      store(factors[column &+ lane], to: scales + lane &* 4)
      store(bias, to: scales + (sumVectorBytes &+ lane &* 4))
    }
  }
}

/// Writes what a zero point of the inputs is multiplied with, where it is known only when a kernel runs.
@inline(__always)
func storeWeightSum(
  _ sum: Int32, of requantization: Requantization, lane: Int, to scales: UnsafeMutableRawPointer
) {
  if case .hybrid = requantization {
    store(sum, to: scales + (2 &* sumVectorBytes &+ lane &* 4))
  }
}

/// The kind to write into `PackedHeader`, for sums of `depth` products and a bias.
func scaleKind(
  _ requantization: Requantization, bias: UnsafePointer<Int32>?, columns: Int, depth: Int
) -> Int32 {
  switch requantization {
  case .sums: return ScaleKind.sums
  case .real: return ScaleKind.real
  case .hybrid: return ScaleKind.hybrid
  case .fixedPoint(_, let shifts):
    // A product is at most 255², so that this bounds the sums by 2²⁹.
    guard depth <= 4096 else { return ScaleKind.fixedPoint }
    for column in 0..<columns {
      let sum = bias?[column] ?? 0
      let isBounded = sum >= -(1 << 28) && sum <= 1 << 28
      guard isBounded, shifts[column] <= -1, shifts[column] >= -21 else {
        return ScaleKind.fixedPoint
      }
    }
    return ScaleKind.bounded
  }
}

/// Sums of some rows and columns, how they are scaled and where they go.
struct SumTile {
  /// The sums of the first row, in whole vectors.
  var sums: UnsafeMutableRawPointer
  var sumsStride: Int
  var rows: Int
  var columns: Int
  /// Four bytes a row, added to its sums.
  var corrections: UnsafeRawPointer
  /// The multipliers of the first vector of columns, and the distance to the next.
  var scales: UnsafeRawPointer
  var scalesStride: Int
  /// The first element of the output, and the bytes to the next row.
  var output: UnsafeMutableRawPointer
  var outputStride: Int
}

/// Scales sums and stores them in the way that the packed weights ask for.
@inline(never)
func storeTile(
  _ tile: SumTile, kind: Int32, range: QuantizedRange, hybrid: HybridScaling?
) {
  if let hybrid { return storeHybrid(tile, hybrid) }
  switch kind {
  case ScaleKind.bounded: storeScaled(tile, range, by: BoundedScale.self)
  case ScaleKind.fixedPoint: storeScaled(tile, range, by: FixedPointScale.self)
  case ScaleKind.real: storeReal(tile, range)
  default: storeSums(tile)
  }
}

/// Columns outside, so that their multipliers stay in registers.
@inline(__always)
private func storeScaled<Scale: VectorScale>(
  _ tile: SumTile, _ range: QuantizedRange, by _: Scale.Type
) {
  let low = SumVector(repeating: range.minimum), high = SumVector(repeating: range.maximum)
  let zeroPoint = SumVector(repeating: range.zeroPoint)
  var scales = tile.scales
  var column = 0
  while column < tile.columns {
    let scale = Scale(scales, zeroPoint: zeroPoint)
    let width = tile.columns &- column
    var sums = tile.sums + column &* 4
    var output = tile.output + column
    let isWhole = width >= SumVector.scalarCount
    for row in 0..<tile.rows {
      let correction = SumVector(repeating: loadInt32(tile.corrections + row &* 4))
      let bytes = minimum(high, maximum(low, scale(loadSums(sums) &+ correction)))
      storeBytes(bytes, to: isWhole ? output : sums)
      if !isWhole { copyEnd(sums, to: output, count: width) }
      sums += tile.sumsStride
      output += tile.outputStride
    }
    scales += tile.scalesStride
    column &+= SumVector.scalarCount
  }
}

/// In double precision, as fully connected layers round: once, half away from zero.
@inline(__always)
private func storeReal(_ tile: SumTile, _ range: QuantizedRange) {
  let low = SumVector(repeating: range.minimum), high = SumVector(repeating: range.maximum)
  let zeroPoint = SumVector(repeating: range.zeroPoint)
  var scales = tile.scales
  var column = 0
  while column < tile.columns {
    let lowFactors = loadDoubles(scales), highFactors = loadDoubles(scales + sumVectorBytes)
    let width = tile.columns &- column
    var sums = tile.sums + column &* 4
    var output = tile.output + column
    let isWhole = width >= SumVector.scalarCount
    for row in 0..<tile.rows {
      let correction = SumVector(repeating: loadInt32(tile.corrections + row &* 4))
      let x = doubles(loadSums(sums) &+ correction)
      // What does not fit becomes the lowest number, as where official kernels convert on x86.
      let scaled = truncated(
        low: awayFromZero(x.low * lowFactors), high: awayFromZero(x.high * highFactors))
      let bytes = minimum(high, maximum(low, scaled &+ zeroPoint))
      storeBytes(bytes, to: isWhole ? output : sums)
      if !isWhole { copyEnd(sums, to: output, count: width) }
      sums += tile.sumsStride
      output += tile.outputStride
    }
    scales += tile.scalesStride
    column &+= SumVector.scalarCount
  }
}

/// Numbers whose whole parts are the nearest integers, half away from zero: nearly a half is added,
/// since a whole half would round up the number just below it.
@inline(__always)
private func awayFromZero(_ x: DoubleVector) -> DoubleVector {
  let sign = unsafeBitCast(x, to: WideVector.self) & WideVector(repeating: Int64.min)
  let nearlyHalf = WideVector(repeating: Int64(bitPattern: (0.5 as Double).nextDown.bitPattern))
  return x + unsafeBitCast(sign | nearlyHalf, to: DoubleVector.self)
}

@inline(__always)
private func storeSums(_ tile: SumTile) {
  for row in 0..<tile.rows {
    let sums = tile.sums + row &* tile.sumsStride
    let correction = SumVector(repeating: loadInt32(tile.corrections + row &* 4))
    var offset = 0
    while offset < tile.columns &* 4 {
      store(loadSums(sums + offset) &+ correction, to: sums + offset)
      offset &+= sumVectorBytes
    }
    copyBytes(sums, to: tile.output + row &* tile.outputStride, count: tile.columns &* 4)
  }
}

extension HybridScaling {
  /// The scaling of the rows from `row` on.
  @inline(__always)
  func advanced(by row: Int) -> HybridScaling {
    HybridScaling(
      rows: rows + row &* stride, stride: stride, minimum: minimum, maximum: maximum)
  }
}

/// Sums of rounded floats and weights, back as floats.
@inline(__always)
private func storeHybrid(_ tile: SumTile, _ scaling: HybridScaling) {
  let low = FloatVector(repeating: scaling.minimum), high = FloatVector(repeating: scaling.maximum)
  var scales = tile.scales
  var column = 0
  while column < tile.columns {
    let factors = loadFloats(scales)
    let bias = loadFloats(scales + sumVectorBytes)
    let weightSums = loadSums(scales + 2 &* sumVectorBytes)
    let width = tile.columns &- column
    var sums = tile.sums + column &* 4
    var output = tile.output + column &* 4
    var row = scaling.rows
    for _ in 0..<tile.rows {
      let sum = loadSums(sums) &- weightSums &* SumVector(repeating: row.pointee.zeroPoint)
      let factor = factors * FloatVector(repeating: row.pointee.scale)
      let result = clamp(floats(sum) * factor + bias, low, high)
      if width >= SumVector.scalarCount {
        store(result, to: output)
      } else {
        store(result, to: sums)
        copyEnd(sums, to: output, count: width &* 4)
      }
      sums += tile.sumsStride
      output += tile.outputStride
      row += scaling.stride
    }
    scales += tile.scalesStride
    column &+= SumVector.scalarCount
  }
}
