import OcellusKernelABI

/// Scaling in double precision, as fully connected layers round: once, half away from zero.
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
    // What does not fit becomes the lowest number, as where official kernels convert on x86.
    return truncated(
      low: RealScale.awayFromZero(x.low * loadDoubles(address)),
      high: RealScale.awayFromZero(x.high * loadDoubles(address + sumVectorBytes))) &+ zeroPoint
  }

  /// Single precision is enough but next to halves: a number up to 256 is off by less than 2⁻¹⁴, three roundings of
  /// a 2²⁴th, and those beyond are clamped.
  @inline(__always)
  func narrowable(_ sums: SumVector, _ range: QuantizedRange) -> SumVector {
    let near = floats(sums) * nearFactors
    // Leaves no bits for a fraction of numbers up to 2²².
    let shifter = FloatVector(repeating: 0x1.8p23)
    let shifted = near + shifter
    let signs =
      RealScale.signsOfMore(than: 0.5 - 0x1p-14, near - (shifted - shifter))
      | RealScale.signsOfMore(than: 0x1p22, near)
    if _slowPath(hasNegativeLane(signs)) { return clamped(sums, range) }
    let whole = asLanes(shifted) &- asLanes(shifter)
    return whole &+ (zeroPoint &- SumVector(repeating: range.narrowingOffset))
  }

  /// Negative where the magnitude is greater, or of what is no number.
  @inline(__always)
  private static func signsOfMore(than limit: Float, _ x: FloatVector) -> SumVector {
    SumVector(repeating: Int32(bitPattern: limit.bitPattern))
      &- (asLanes(x) & SumVector(repeating: .max))
  }

  /// Numbers whose whole parts are the nearest integers, half away from zero: nearly a half is
  /// added, since a whole half would round up the number just below it.
  @inline(__always)
  private static func awayFromZero(_ x: DoubleVector) -> DoubleVector {
    let sign = unsafeBitCast(x, to: WideVector.self) & WideVector(repeating: Int64.min)
    let nearlyHalf = WideVector(repeating: Int64(bitPattern: (0.5 as Double).nextDown.bitPattern))
    return x + unsafeBitCast(sign | nearlyHalf, to: DoubleVector.self)
  }
}
