/// A way to add a product to a sum.
protocol MultiplyAdd {
  /// The number of rows of a GEMM register tile: at most `floatTileRows`, for which memory is
  /// reserved.
  associatedtype TileRows: Literal
  /// The number of rows of a tile of a single vector, which needs more sums to hide their latency.
  associatedtype SinglePanelTileRows: Literal
  static func multiplyAdd(_ sum: FloatVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector
  /// Whether sums begin with the bias, which is added last otherwise.
  static var startsWithBias: Bool { get }
  /// Whether the sums of depthwise convolutions follow a window column by column.
  static var followsColumns: Bool { get }
}

extension MultiplyAdd {
  @inline(__always)
  static var startsWithBias: Bool { false }

  @inline(__always)
  static var followsColumns: Bool { false }
}

/// A multiply-add that rounds the sum only, if the hardware can.
enum FusedMultiplyAdd: MultiplyAdd {
  typealias TileRows = FloatTileRows
  #if FMA
    typealias SinglePanelTileRows = Eight
  #else
    typealias SinglePanelTileRows = FloatTileRows
  #endif

  /// Without FMA hardware, a C function would compute a fused one lane by lane.
  @inline(__always)
  static func multiplyAdd(
    _ sum: FloatVector, _ a: FloatVector, _ b: FloatVector
  ) -> FloatVector {
    #if FMA
      fusedMultiplyAdd(sum, a, b)
    #else
      sum + a * b
    #endif
  }
}

/// Fused multiply-adds that begin with the bias, which costs least.
enum FusedFromBias: MultiplyAdd {
  typealias TileRows = FusedMultiplyAdd.TileRows
  typealias SinglePanelTileRows = FusedMultiplyAdd.SinglePanelTileRows

  @inline(__always)
  static var startsWithBias: Bool { true }

  @inline(__always)
  static func multiplyAdd(
    _ sum: FloatVector, _ a: FloatVector, _ b: FloatVector
  ) -> FloatVector { FusedMultiplyAdd.multiplyAdd(sum, a, b) }
}

/// The same, in the order of XNNPACK's depthwise convolutions.
enum FusedColumnsFromBias: MultiplyAdd {
  typealias TileRows = FusedMultiplyAdd.TileRows
  typealias SinglePanelTileRows = FusedMultiplyAdd.SinglePanelTileRows

  @inline(__always)
  static var startsWithBias: Bool { true }

  @inline(__always)
  static var followsColumns: Bool { true }

  @inline(__always)
  static func multiplyAdd(
    _ sum: FloatVector, _ a: FloatVector, _ b: FloatVector
  ) -> FloatVector { FusedMultiplyAdd.multiplyAdd(sum, a, b) }
}

/// A multiply-add that rounds the product and the sum.
enum RoundedMultiplyAdd: MultiplyAdd {
  typealias TileRows = RoundedTileRows
  typealias SinglePanelTileRows = RoundedTileRows

  @inline(__always)
  static func multiplyAdd(
    _ sum: FloatVector, _ a: FloatVector, _ b: FloatVector
  ) -> FloatVector { sum + a * b }
}

/// Clamps as `std::min(std::max(x, low), high)` does, which returns NaN unchanged.
@inline(__always)
func clamp(_ x: FloatVector, _ low: FloatVector, _ high: FloatVector) -> FloatVector {
  minimum(high, maximum(low, x))
}

/// The sign bit of every lane.
var signBits: SumVector {
  @inline(__always)
  get { SumVector(repeating: .min) }
}

/// Returns the bits of floats as integers.
@inline(__always)
func integerBits(_ x: FloatVector) -> SumVector { asLanes(x) }

/// Returns all ones in lanes that are not zero.
@inline(__always)
func nonZeroLanes(_ x: SumVector) -> SumVector { (x | (SumVector() &- x)) &>> 31 }

/// Returns `|x|` of every lane.
@inline(__always)
func magnitude(_ x: FloatVector) -> FloatVector {
  unsafeBitCast(integerBits(x) & ~signBits, to: FloatVector.self)
}

/// Returns the greatest lane; a NaN without sign bit is greater than all numbers.
@inline(__always)
func greatestLane(_ vector: FloatVector) -> Float {
  // The integers with the order of the floats: those of negative numbers are inverted.
  let bits = asLanes(vector)
  let signs = shiftRight(bits, SumVector(repeating: 31))
  let largest = largestLane(bits ^ (signs & SumVector(repeating: .max)))
  return Float(bitPattern: UInt32(bitPattern: largest ^ (largest &>> 31 & .max)))
}
