import OcellusKernelABI

/// The scaling of fully connected layers: in double precision, rounded once, half away from zero.
struct RealScale: VectorScale {
  /// The factors in double precision.
  private var address: UnsafeRawPointer
  private var nearFactors: FloatVector
  private var zeroPoint: SumVector

  @inline(__always)
  static var isBounded: Bool { false }

  @inline(__always)
  init(_ address: UnsafeRawPointer, zeroPoint: SumVector) {
    self.address = address
    nearFactors = floats(loadDoubles(address), loadDoubles(address + sumVectorBytes))
    self.zeroPoint = zeroPoint
  }

  @inline(__always)
  func callAsFunction(_ sums: SumVector) -> SumVector {
    let x = doubles(sums)
    // A result that does not fit becomes `Int32.min`, as in official kernels on x86.
    return truncated(
      low: RealScale.awayFromZero(x.low * loadDoubles(address)),
      high: RealScale.awayFromZero(x.high * loadDoubles(address + sumVectorBytes))) &+ zeroPoint
  }

  // Not taken: no clamp where sums are bounded (`ad01_int8` takes as long).
  /// Scales in single precision unless some result is close to a half.
  ///
  /// A number up to 256 is off by less than 2⁻¹⁴ (three roundings by 2⁻²⁴ of it), and larger ones
  /// are clamped.
  @inline(__always)
  func narrowable(_ sums: SumVector, _ range: QuantizedRange) -> SumVector {
    let near = floats(sums) * nearFactors
    // The sum with this number has no fraction bits, for numbers up to 2²².
    let shifter = FloatVector(repeating: 0x1.8p23)
    let shifted = near + shifter
    let signs =
      RealScale.signsOfMore(than: 0.5 - 0x1p-14, near - (shifted - shifter))
      | RealScale.signsOfMore(than: 0x1p22, near)
    if _slowPath(hasNegativeLane(signs)) { return clampedInDoubles(sums, range) }
    let whole = asLanes(shifted) &- asLanes(shifter)
    return whole &+ (zeroPoint &- SumVector(repeating: range.narrowingOffset))
  }

  /// Scales in double precision, out of line because tiles contain up to twelve scalings.
  @inline(never)
  private func clampedInDoubles(_ sums: SumVector, _ range: QuantizedRange) -> SumVector {
    clamped(sums, range)
  }

  /// Returns negative lanes where the magnitude exceeds the limit, or the number is NaN.
  @inline(__always)
  private static func signsOfMore(than limit: Float, _ x: FloatVector) -> SumVector {
    SumVector(repeating: Int32(bitPattern: limit.bitPattern))
      &- (asLanes(x) & SumVector(repeating: .max))
  }

  /// Adds nearly one half away from zero, so that truncation rounds to nearest, half away from
  /// zero.
  ///
  /// A whole half would round up the number just below one half.
  @inline(__always)
  private static func awayFromZero(_ x: DoubleVector) -> DoubleVector {
    let sign = unsafeBitCast(x, to: WideVector.self) & WideVector(repeating: Int64.min)
    let nearlyHalf = WideVector(repeating: Int64(bitPattern: (0.5 as Double).nextDown.bitPattern))
    return x + unsafeBitCast(sign | nearlyHalf, to: DoubleVector.self)
  }
}
