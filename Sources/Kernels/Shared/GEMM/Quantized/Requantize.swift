import OcellusKernelABI

// Sums become bytes by a multiplier per column. For every vector of columns, packed weights hold
// the initial sums (the bias and the corrections for zero points) and then the multipliers.

/// The size of the head of a panel: initial sums and multipliers of one vector of columns.
///
/// The multipliers are four vectors of 32-bit integers, two of doubles, or one of floats.
let scaleBytes = 5 * MemoryLayout<SumVector>.size

/// The header before all panels of packed 8-bit weights.
struct PackedHeader {
  /// The kind of scaling; see `ScaleKind`.
  var scaleKind: Int32
  /// The factor of a row's sum of activations in the correction of its sums.
  ///
  /// It is 0 unless the weights have a zero point that is not folded into them.
  var rowCorrection: Int32
  /// The number of lanes of a panel that share a column; see `lanesPerColumn`.
  var depthSplit: Int32 = 1
  /// The number of runs of a row, each padded to whole steps.
  var runs: Int32 = 1
  /// The address of weights for few rows, which are stored outside the panels (see
  /// `packRowWeights`).
  var rowWeights: UnsafeRawPointer?
  /// The number of panels of `rowWeights`.
  var rowPanels: Int32 = 0

  /// The size of the header, which keeps the panels aligned to cache lines.
  static var byteCount: Int { 64 }
}

extension PackedHeader {
  @inline(__always)
  init(_ packed: UnsafeRawPointer) {
    self.init(
      scaleKind: loadInt32(packed), rowCorrection: loadInt32(packed + 4),
      depthSplit: loadInt32(packed + 8), runs: loadInt32(packed + 12),
      rowWeights: packed.load(fromByteOffset: 16, as: UnsafeRawPointer?.self),
      rowPanels: loadInt32(packed + 24))
  }

  func write(to packed: UnsafeMutableRawPointer) {
    store(scaleKind, to: packed)
    store(rowCorrection, to: packed + 4)
    store(depthSplit, to: packed + 8)
    store(runs, to: packed + 12)
    packed.storeBytes(of: rowWeights, toByteOffset: 16, as: UnsafeRawPointer?.self)
    store(rowPanels, to: packed + 24)
  }
}

/// The cases of `SumScaling`, as packed weights store them.
enum ScaleKind {
  static let sums: Int32 = 0
  static let real: Int32 = 1
  static let fixedPoint: Int32 = 2
  /// Fixed point where `BoundedScale` is exact.
  static let bounded: Int32 = 3
  static let hybrid: Int32 = 4
  static let single: Int32 = 5

  /// Returns the size of a result in bytes.
  @inline(__always)
  static func outputBytes(_ kind: Int32) -> Int { kind == sums || kind == hybrid ? 4 : 1 }
}

/// Writes the multipliers of `width` columns, beginning with `column`.
///
/// For hybrid scaling, the sums of the columns' weights follow; `storeWeightSum` writes them.
func packScales(
  _ requantization: SumScaling, column: Int, width: Int, to scales: UnsafeMutableRawPointer
) {
  for lane in 0..<width {
    packScale(requantization, column: column &+ lane, lane: lane, to: scales)
  }
}

/// Writes the multiplier of one column to a lane.
func packScale(
  _ requantization: SumScaling, column: Int, lane: Int, to scales: UnsafeMutableRawPointer
) {
  let words = scales + lane &* 4
  switch requantization {
  case .sums: break
  case .fixedPoint(let multipliers, let shifts):
    let shift = shifts[column]
    let right: Int32 = shift < 0 ? 0 &- shift : 0
    store(multipliers[column], to: words)
    store(shift > 0 ? shift : 0, to: words + sumVectorBytes)
    store(right > 0 ? right &- 1 : 0, to: words + 2 &* sumVectorBytes)
    store(right > 0 ? 1 : 0 as Int32, to: words + 3 &* sumVectorBytes)
  case .real(let multipliers):
    store(multipliers[column], to: scales + lane &* 8)
  case .single(let multipliers):
    store(multipliers[column], to: words)
  case .hybrid(let factors, let biases):
    // Adding negative zero changes nothing.
    var bias: Float = -0.0
    if let biases { bias = biases[column] }
    store(factors[column], to: words)
    store(bias, to: words + sumVectorBytes)
  }
}

/// Writes the factor of the input's zero point, where that is known only when a kernel runs.
@inline(__always)
func storeWeightSum(
  _ sum: Int32, of requantization: SumScaling, lane: Int, to scales: UnsafeMutableRawPointer
) {
  if case .hybrid = requantization {
    store(sum, to: scales + (2 &* sumVectorBytes &+ lane &* 4))
  }
}

/// The greatest Σ |weight - zero point| of a column for which sums of products with bytes stay
/// within 2²⁸, half of what `BoundedScale` takes; the other half is for biases.
let maximumWeightSum = (1 << 28) / 255

/// Returns the a-priori bound on Σ |weight - zero point| of `depth` weights.
@inline(__always)
func weightBound(depth: Int, _ weights: QuantizedFormat) -> Int {
  depth &* (weights.isSigned && weights.zeroPoint == 0 ? 128 : 255)
}

/// Returns the kind of scaling to write into `PackedHeader`.
///
/// `weight` is a bound on Σ |weight - zero point| of every column.
func scaleKind(
  _ requantization: SumScaling, bias: UnsafePointer<Int32>?, columns: Int, weight: Int
) -> Int32 {
  switch requantization {
  case .sums: return ScaleKind.sums
  case .real: return ScaleKind.real
  case .single: return ScaleKind.single
  case .hybrid: return ScaleKind.hybrid
  case .fixedPoint(_, let shifts):
    // The greatest bias for which sums stay within 2²⁹.
    let maximumBias = 1 << 29 &- 255 &* weight
    for column in 0..<columns {
      let sum = Int(bias?[column] ?? 0)
      let isBounded = sum >= 0 &- maximumBias && sum <= maximumBias
      guard isBounded, shifts[column] <= -1, shifts[column] >= -21 else {
        return ScaleKind.fixedPoint
      }
    }
    return ScaleKind.bounded
  }
}
