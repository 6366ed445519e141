/// Stores the table of `PowersOfTwo`: the bits of 2^(0/32) to 2^(31/32).
///
/// Each entry has its index subtracted in advance, shifted to the five bits below the exponent. So
/// adding the shifted number of steps, which includes that index, gives the power.
@inline(__always)
func withRootsOfTwo(_ body: (UnsafeRawPointer) -> Void) {
  var roots = SIMD32<UInt64>(
    0x3FF0_0000_0000_0000, 0x3FEF_D9B0_D315_8574, 0x3FEF_B558_6CF9_890F, 0x3FEF_9301_D012_5B51,
    0x3FEF_72B8_3C7D_517B, 0x3FEF_5487_3168_B9AA, 0x3FEF_387A_6E75_6238, 0x3FEF_1E9D_F51F_DEE1,
    0x3FEF_06FE_0A31_B715, 0x3FEE_F1A7_373A_A9CB, 0x3FEE_DEA6_4C12_3422, 0x3FEE_CE08_6061_892D,
    0x3FEE_BFDA_D536_2A27, 0x3FEE_B42B_569D_4F82, 0x3FEE_AB07_DD48_5429, 0x3FEE_A47E_B03A_5585,
    0x3FEE_A09E_667F_3BCD, 0x3FEE_9F75_E8EC_5F74, 0x3FEE_A114_73EB_0187, 0x3FEE_A589_994C_CE13,
    0x3FEE_ACE5_422A_A0DB, 0x3FEE_B737_B0CD_C5E5, 0x3FEE_C491_82A3_F090, 0x3FEE_D503_B23E_255D,
    0x3FEE_E89F_995A_D3AD, 0x3FEE_FF76_F2FB_5E47, 0x3FEF_199B_DD85_529C, 0x3FEF_3720_DCEF_9069,
    0x3FEF_5818_DCFB_A487, 0x3FEF_7C97_337B_9B5F, 0x3FEF_A4AF_A2A4_90DA, 0x3FEF_D076_5B6E_4540)
  withUnsafeBytes(of: &roots) { body($0.baseAddress.unsafelyUnwrapped) }
}

#if !MASKS
  // Not taken: reading the table by gathers or permutations (1.75 and 1.74 ns for
  // `x · logistic(x)`, eight loads 1.57; Zen 3, in C).
  /// The function 2^(steps / 32), with its table in memory.
  struct PowersOfTwo {
    private let roots: UnsafeRawPointer

    @inline(__always)
    init(roots: UnsafeRawPointer) { self.roots = roots }

    /// Returns 2^(steps / 32); the lowest bits of each double hold its integral number of steps.
    @inline(__always)
    func callAsFunction(
      _ low: DoubleVector, _ high: DoubleVector
    ) -> (low: DoubleVector, high: DoubleVector) {
      (powers(low), powers(high))
    }

    @inline(__always)
    private func powers(_ shiftedSteps: DoubleVector) -> DoubleVector {
      let steps = unsafeBitCast(shiftedSteps, to: WideVector.self)
      var roots = WideVector()
      for lane in 0..<WideVector.scalarCount { roots[lane] = root(steps[lane]) }
      // Adds the integral part to the exponent, and the index, which the entries lack.
      return unsafeBitCast(roots &+ (steps &<< 47), to: DoubleVector.self)
    }

    @inline(__always)
    private func root(_ steps: Int64) -> Int64 {
      roots.loadUnaligned(fromByteOffset: Int(steps & 31) &* 8, as: Int64.self)
    }
  }
#endif
