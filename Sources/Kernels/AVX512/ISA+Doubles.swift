import _Builtin_intrinsics.intel

// Floats in double precision, half a vector each.

/// Rounds only the sum of a number and a product.
@inline(__always)
func fusedMultiplyAdd(_ sum: DoubleVector, _ a: DoubleVector, _ b: DoubleVector) -> DoubleVector {
  _mm512_fmadd_pd(a, b, sum)
}

@inline(__always)
func doublesOfLowHalf(_ x: FloatVector) -> DoubleVector { _mm512_cvtps_pd(x.lowHalf) }

@inline(__always)
func doublesOfHighHalf(_ x: FloatVector) -> DoubleVector { _mm512_cvtps_pd(x.highHalf) }

/// Rounds two vectors to the halves of one.
@inline(__always)
func floats(_ low: DoubleVector, _ high: DoubleVector) -> FloatVector {
  FloatVector(lowHalf: _mm512_cvtpd_ps(low), highHalf: _mm512_cvtpd_ps(high))
}

/// 32 doubles to be looked up, in four registers.
struct DoubleTable {
  private let first, second, third, fourth: DoubleVector

  @inline(__always)
  init(_ address: UnsafeRawPointer) {
    first = loadDoubles(address)
    second = loadDoubles(address + 64)
    third = loadDoubles(address + 128)
    fourth = loadDoubles(address + 192)
  }

  /// The entries that the lowest five bits of numbers name.
  @inline(__always)
  subscript(number: WideVector) -> DoubleVector {
    // An instruction looks at four bits, and finds them in two registers.
    let low = _mm512_permutex2var_pd(first, number, second)
    let high = _mm512_permutex2var_pd(third, number, fourth)
    let isHigh = _mm512_test_epi64_mask(number, WideVector(repeating: 16))
    return _mm512_mask_blend_pd(isHigh, low, high)
  }
}
