// Bfloat16 numbers are the upper halves of floats. Their products have 16 significant bits, and are
// exact as floats unless they leave the range.
//
// Factors below 2⁻⁵⁶ are taken as zero. All others are multiples of 2⁻⁶³, so that products, and sums
// of products however they are rounded, are multiples of 2⁻¹²⁶, the least normal float: no result is
// subnormal, and it does not matter whether a processor replaces subnormal numbers by zero, or when.

/// The bits of the least magnitude of a factor that is not taken as zero: 2⁻⁵⁶.
private let leastFactorBits: Int32 = (127 - 56) << 23
private let infinityBits: Int32 = 0x7F80_0000
private let quietNaNBits: Int32 = 0x7FC0_0000
/// The bits of a float that a bfloat16 number has.
private let upperHalf = Int32(bitPattern: 0xFFFF_0000)

/// Rounds floats to bfloat16 numbers, to even ones in ties, and those below 2⁻⁵⁶ to zero.
@inline(__always)
func roundedToBFloat16(_ x: FloatVector) -> FloatVector {
  let bits = asLanes(x)
  let magnitudes = bits & ~signBits
  let lastPlaces = shiftRight(bits, SumVector(repeating: 16)) & SumVector(repeating: 1)
  let rounded = bits &+ lastPlaces &+ SumVector(repeating: 0x7FFF)
  let isTiny = isNegative(magnitudes &- SumVector(repeating: leastFactorBits))
  // The sum above may carry out of a NaN.
  let isNaN = isNegative(SumVector(repeating: infinityBits) &- magnitudes)
  let kept = rounded & SumVector(repeating: upperHalf) & ~isTiny
  return unsafeBitCast(kept | (isNaN & SumVector(repeating: quietNaNBits)), to: FloatVector.self)
}

/// Returns all ones in negative lanes.
@inline(__always)
private func isNegative(_ x: SumVector) -> SumVector { shiftRight(x, SumVector(repeating: 31)) }

/// Returns the upper halves of rounded numbers as pairs, the first ones in the lower halves of lanes.
@inline(__always)
func pairs(first: SumVector, second: SumVector) -> SumVector {
  second | (shiftRight(first, SumVector(repeating: 16)) & SumVector(repeating: 0xFFFF))
}

/// Returns the first numbers of pairs, which are the lower halves of the lanes.
@inline(__always)
func firstOfPairs(_ pairs: SumVector) -> FloatVector {
  unsafeBitCast(shiftLeft(pairs, SumVector(repeating: 16)), to: FloatVector.self)
}

/// Returns the second numbers of pairs, which are the upper halves of the lanes.
@inline(__always)
func secondOfPairs(_ pairs: SumVector) -> FloatVector {
  unsafeBitCast(pairs & SumVector(repeating: upperHalf), to: FloatVector.self)
}

/// A multiply-add of bfloat16 numbers with one rounding, like a fused one of floats.
enum BFloat16MultiplyAdd: MultiplyAdd {
  typealias TileRows = Six
  typealias SinglePanelTileRows = Six

  @inline(__always)
  static func multiplyAdd(
    _ sum: FloatVector, _ a: FloatVector, _ b: FloatVector
  ) -> FloatVector {
    #if FMA
      fusedMultiplyAdd(sum, a, b)
    #else
      // A product as a float could overflow where the sum does not. As a double it is exact, and if
      // the sum of doubles is rounded, one term is too small to decide how it is rounded to a float.
      floats(
        doublesOfLowHalf(sum) + doublesOfLowHalf(a) * doublesOfLowHalf(b),
        doublesOfHighHalf(sum) + doublesOfHighHalf(a) * doublesOfHighHalf(b))
    #endif
  }
}

/// Floats that are rounded to bfloat16 numbers when rows are copied, and remain floats.
struct FloatsAsBFloat16: PatchElements {
  @inline(__always)
  var inputBytes: Int { 4 }
  @inline(__always)
  var rowBytes: Int { 4 }

  @inline(__always)
  func copy(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer, count: Int) {
    let lanes = FloatVector.scalarCount
    var index = 0
    while index &+ lanes <= count {
      store(roundedToBFloat16(loadFloats(source + index &* 4)), to: row + index &* 4)
      index &+= lanes
    }
    let rest = count &- index
    guard rest > 0 else { return }
    let vector = loadLanes(source + index &* 4, count: rest)
    storeLanes(roundedToBFloat16(vector), count: rest, to: row + index &* 4)
  }

  @inline(__always)
  func copyBlock(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer) {
    let vector =
      FloatVector.scalarCount == 4 ? loadFloats(source) : loadLanes(source, count: 4)
    store(roundedToBFloat16(vector), to: row)
  }

  @inline(__always)
  func copyBlocks(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer) {
    var offset = 0
    repeat {
      store(roundedToBFloat16(loadFloats(source + offset)), to: row + offset)
      offset &+= sumVectorBytes
    } while offset < 64
  }

  @inline(__always)
  var paddingVector: SumVector { SumVector() }
}
