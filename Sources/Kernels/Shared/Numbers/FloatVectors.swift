/// How a product is added to a sum.
protocol MultiplyAdd {
  /// The rows of a tile of matrix products, at most `floatTileRows`, for which there is memory.
  associatedtype TileRows: Literal
  /// The same of tiles of a single vector, whose sums wait for each other if they are few.
  associatedtype NarrowTileRows: Literal
  static func multiplyAdd(_ sum: FloatVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector
}

/// Rounds the sum only, where the hardware can.
enum FusedMultiplyAdd: MultiplyAdd {
  typealias TileRows = FloatTileRows
  #if FMA
    typealias NarrowTileRows = Eight
  #else
    typealias NarrowTileRows = FloatTileRows
  #endif

  /// Without the hardware a C function would do it, lane by lane.
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

/// Rounds the product and the sum.
enum RoundedMultiplyAdd: MultiplyAdd {
  typealias TileRows = RoundedTileRows
  typealias NarrowTileRows = RoundedTileRows

  @inline(__always)
  static func multiplyAdd(
    _ sum: FloatVector, _ a: FloatVector, _ b: FloatVector
  ) -> FloatVector { sum + a * b }
}

/// Clamps as `std::min(std::max(x, low), high)` does: NaN passes.
@inline(__always)
func clamp(_ x: FloatVector, _ low: FloatVector, _ high: FloatVector) -> FloatVector {
  minimum(high, maximum(low, x))
}

/// The sign of every lane, and nothing else.
var signBits: SumVector {
  @inline(__always)
  get { SumVector(repeating: .min) }
}

/// The bits of floats as whole numbers.
@inline(__always)
func integerBits(_ x: FloatVector) -> SumVector { asLanes(x) }

/// All ones in lanes that are not zero.
@inline(__always)
func nonZeroLanes(_ x: SumVector) -> SumVector { (x | (SumVector() &- x)) &>> 31 }

/// `|x|` of every lane.
@inline(__always)
func magnitude(_ x: FloatVector) -> FloatVector {
  unsafeBitCast(integerBits(x) & ~signBits, to: FloatVector.self)
}

/// The greatest lane; NaN is greater than all where its sign is positive.
@inline(__always)
func greatestLane(_ vector: FloatVector) -> Float {
  // As integers in the same order: those of negative numbers count down.
  let bits = asLanes(vector)
  let signs = shiftRight(bits, SumVector(repeating: 31))
  let largest = largestLane(bits ^ (signs & SumVector(repeating: .max)))
  return Float(bitPattern: UInt32(bitPattern: largest ^ (largest &>> 31 & .max)))
}
