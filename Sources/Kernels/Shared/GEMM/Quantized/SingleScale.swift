import OcellusKernelABI

/// The scaling of XNNPACK: in single precision, rounded half to even.
struct SingleScale: VectorScale {
  private var factors: FloatVector
  private var zeroPoint: SumVector

  /// Clamping in single precision bounds the results.
  @inline(__always)
  static var isBounded: Bool { true }

  @inline(__always)
  init(_ address: UnsafeRawPointer, zeroPoint: SumVector) {
    factors = loadFloats(address)
    self.zeroPoint = zeroPoint
  }

  /// Scales sums.
  ///
  /// Products beyond 2²² are far outside the range of bytes. Adding 3 · 2²² leaves no bits for a
  /// fraction, so this addition rounds, and the integer is in the lowest bits.
  @inline(__always)
  func callAsFunction(_ sums: SumVector) -> SumVector {
    let reach = FloatVector(repeating: 0x1p22)
    let product = minimum(reach, maximum(negated(reach), floats(sums) * factors))
    let shifter = FloatVector(repeating: 0x1.8p23)
    return (asLanes(product + shifter) &- asLanes(shifter)) &+ zeroPoint
  }
}
