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
  static let fixedPoint: Int32 = 1
  static let real: Int32 = 2
}

/// The multipliers of one vector of columns.
private struct FixedPointScale {
  var multiplier: SumVector
  var leftShift: SumVector
  /// All but the last step of the right shift.
  var rightShift: SumVector
  /// The last step of the right shift, which rounds: one, or zero where there is no right shift.
  var lastShift: SumVector

  @inline(__always)
  init(_ address: UnsafeRawPointer) {
    multiplier = loadSums(address)
    leftShift = loadSums(address + sumVectorBytes)
    rightShift = loadSums(address + 2 &* sumVectorBytes)
    lastShift = loadSums(address + 3 &* sumVectorBytes)
  }

  /// `RoundingDivideByPOT(SaturatingRoundingDoublingHighMul(x << left, multiplier), right)` of
  /// gemmlowp, for every sum and multipliers from 0 to 2³¹ - 1.
  ///
  /// The division rounds half away from zero. Half is added before the last step of the shift,
  /// where it is one and cannot overflow; for negative numbers one less is right.
  @inline(__always)
  func callAsFunction(_ sums: SumVector) -> SumVector {
    let high = doublingHigh(shiftLeft(sums, leftShift), multiplier)
    let lowered = high &+ maximum(minimum(high, SumVector()), SumVector() &- lastShift)
    return shiftRight(shiftRight(lowered, rightShift) &+ lastShift, lastShift)
  }
}

/// `(x · y + 2³⁰) >> 31` in 64 bits: of the even lanes, and of the odd ones.
@inline(__always)
private func doublingHigh(_ x: SumVector, _ y: SumVector) -> SumVector {
  let x = unsafeBitCast(x, to: WideVector.self)
  let y = unsafeBitCast(y, to: WideVector.self)
  let half = WideVector(repeating: 1 << 30)
  let even = ((x &<< 32) &>> 32) &* ((y &<< 32) &>> 32) &+ half
  let odd = (x &>> 32) &* (y &>> 32) &+ half
  let lower = WideVector(repeating: 0xFFFF_FFFF)
  let merged = ((even &>> 31) & lower) | ((odd &<< 1) & ~lower)
  return unsafeBitCast(merged, to: SumVector.self)
}

/// Writes the multipliers of the columns from `column` on, `width` of them.
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
    }
  }
}

/// The kind to write into `PackedHeader`.
func scaleKind(_ requantization: Requantization) -> Int32 {
  switch requantization {
  case .sums: ScaleKind.sums
  case .fixedPoint: ScaleKind.fixedPoint
  case .real: ScaleKind.real
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
func storeTile(_ tile: SumTile, kind: Int32, range: QuantizedRange) {
  switch kind {
  case ScaleKind.fixedPoint: storeFixedPoint(tile, range)
  case ScaleKind.real: storeReal(tile, range)
  default: storeSums(tile)
  }
}

/// Columns outside, so that their multipliers stay in registers.
@inline(__always)
private func storeFixedPoint(_ tile: SumTile, _ range: QuantizedRange) {
  let low = SumVector(repeating: range.minimum), high = SumVector(repeating: range.maximum)
  let zeroPoint = SumVector(repeating: range.zeroPoint)
  var scales = tile.scales
  var column = 0
  while column < tile.columns {
    let scale = FixedPointScale(scales)
    let width = tile.columns &- column
    var sums = tile.sums + column &* 4
    var output = tile.output + column
    for row in 0..<tile.rows {
      let correction = SumVector(repeating: loadInt32(tile.corrections + row &* 4))
      let scaled = scale(loadSums(sums) &+ correction) &+ zeroPoint
      let bytes = minimum(high, maximum(low, scaled))
      if width >= SumVector.scalarCount {
        storeBytes(bytes, to: output)
      } else {
        storeBytes(bytes, to: sums)
        copyBytes(sums, to: output, count: width)
      }
      sums += tile.sumsStride
      output += tile.outputStride
    }
    scales += tile.scalesStride
    column &+= SumVector.scalarCount
  }
}

/// One output at a time: only fully connected layers round this way, and they have few outputs.
@inline(__always)
private func storeReal(_ tile: SumTile, _ range: QuantizedRange) {
  let low = Double(range.minimum &- range.zeroPoint)
  let high = Double(range.maximum &- range.zeroPoint)
  let lanes = SumVector.scalarCount
  for row in 0..<tile.rows {
    let correction = loadInt32(tile.corrections + row &* 4)
    for column in 0..<tile.columns {
      let vector = column / lanes
      let scale = loadDouble(
        tile.scales + (vector &* tile.scalesStride &+ (column &- vector &* lanes) &* 8))
      let sum = loadInt32(tile.sums + (row &* tile.sumsStride &+ column &* 4)) &+ correction
      let scaled = (Double(sum) * scale).rounded(.toNearestOrAwayFromZero)
      let clamped = scaled > low ? (scaled < high ? scaled : high) : low
      store(
        UInt8(truncatingIfNeeded: Int32(clamped) &+ range.zeroPoint),
        to: tile.output + (row &* tile.outputStride &+ column))
    }
  }
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
