import _Builtin_intrinsics.arm.neon

// Elements smaller than a lane.

/// Loads one byte per lane.
@inline(__always)
func bytesToLanes(_ bytes: UnsafeRawPointer, isSigned: Bool) -> SumVector {
  let packed = SIMD2(repeating: loadInt32(bytes))
  if isSigned {
    return vmovl_s16(vmovl_s8(unsafeBitCast(packed, to: int8x8_t.self)).lowHalf)
  }
  return asLanes(vmovl_u16(vmovl_u8(unsafeBitCast(packed, to: uint8x8_t.self)).lowHalf))
}

/// Loads one signed byte per lane.
@inline(__always)
func loadSignedBytes(_ address: UnsafeRawPointer) -> SumVector {
  bytesToLanes(address, isSigned: true)
}

/// Stores the lowest byte of every lane.
@inline(__always)
func storeBytes(_ sums: SumVector, to output: UnsafeMutableRawPointer) {
  let halves = vmovn_s32(sums)
  let bytes = vmovn_s16(vcombine_s16(halves, halves))
  store(unsafeBitCast(bytes, to: SIMD2<Int32>.self)[0], to: output)
}

/// Loads one 16-bit integer per lane.
@inline(__always)
func int16sToLanes(_ address: UnsafeRawPointer) -> SumVector {
  vmovl_s16(address.loadUnaligned(as: int16x4_t.self))
}

/// Stores lanes that fit 16 bits as 16-bit integers.
@inline(__always)
func storeInt16s(_ x: SumVector, to output: UnsafeMutableRawPointer) {
  output.storeBytes(of: vmovn_s32(x), as: int16x4_t.self)
}

/// Whether any lane is negative.
@inline(__always)
func hasNegativeLane(_ x: SumVector) -> Bool { vminvq_s32(x) < 0 }

/// Looks up every byte in a table of 16 by its lower four bits; bytes from 128 on give 0.
@inline(__always)
func shuffled(_ table: SumVector, by bytes: SumVector) -> SumVector {
  let indices = vandq_u8(asUnsignedBytes(bytes), uint8x16_t(repeating: 0x8F))
  return asLanes(vqtbl1q_s8(asBytes(table), indices))
}

/// Subtracts signed bytes with saturation.
@inline(__always)
func subtractSaturatingBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(vqsubq_s8(asBytes(a), asBytes(b)))
}
