/// Scaling in double precision, as fully connected layers round: once, half away from zero.
struct RealScale: VectorScale {
  private var lowFactors: DoubleVector
  private var highFactors: DoubleVector
  private var zeroPoint: SumVector

  @inline(__always)
  static var isBounded: Bool { false }

  @inline(__always)
  init(_ address: UnsafeRawPointer, zeroPoint: SumVector) {
    lowFactors = loadDoubles(address)
    highFactors = loadDoubles(address + sumVectorBytes)
    self.zeroPoint = zeroPoint
  }

  @inline(__always)
  func callAsFunction(_ sums: SumVector) -> SumVector {
    let x = doubles(sums)
    // What does not fit becomes the lowest number, as where official kernels convert on x86.
    return truncated(
      low: RealScale.awayFromZero(x.low * lowFactors),
      high: RealScale.awayFromZero(x.high * highFactors)) &+ zeroPoint
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
