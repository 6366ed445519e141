import _Builtin_intrinsics.arm.neon

/// Interleaves bytes of four rows: each lane gets those of one channel, as `dot` expects
/// activations.
@inline(__always)
func interleaved(
  _ row0: UnsafeRawPointer, _ row1: UnsafeRawPointer, _ row2: UnsafeRawPointer,
  _ row3: UnsafeRawPointer, isSigned: Bool
) -> SumVector {
  let rows = SumVector(
    loadInt32(row0), loadInt32(row1), loadInt32(row2), loadInt32(row3))
  let order = SumVector(0x0C08_0400, 0x0D09_0501, 0x0E0A_0602, 0x0F0B_0703)
  return asLanes(vqtbl1q_s8(asBytes(rows), asUnsignedBytes(order)))
    ^ SumVector(repeating: activationSignMask(isSigned: isSigned))
}

/// The number of bytes of a row that `interleaveUnit` processes at once.
let unitChannels = 16

/// Interleaves 16 bytes of four rows: each lane gets four bytes of one column, the layout for
/// `dot`.
@inline(__always)
func interleaveUnit(
  _ row0: UnsafeRawPointer, _ row1: UnsafeRawPointer, _ row2: UnsafeRawPointer,
  _ row3: UnsafeRawPointer, isSigned: Bool, to target: UnsafeMutableRawPointer
) {
  let signToggle = SumVector(repeating: activationSignMask(isSigned: isSigned))
  let a = asBytes(loadSums(row0) ^ signToggle), b = asBytes(loadSums(row1) ^ signToggle)
  let c = asBytes(loadSums(row2) ^ signToggle), d = asBytes(loadSums(row3) ^ signToggle)
  let low = (pairs(vzip1q_s8(a, b)), pairs(vzip1q_s8(c, d)))
  let high = (pairs(vzip2q_s8(a, b)), pairs(vzip2q_s8(c, d)))
  store(asLanes(vzip1q_s16(low.0, low.1)), to: target)
  store(asLanes(vzip2q_s16(low.0, low.1)), to: target + 16)
  store(asLanes(vzip1q_s16(high.0, high.1)), to: target + 32)
  store(asLanes(vzip2q_s16(high.0, high.1)), to: target + 48)
}

@inline(__always)
private func pairs(_ bytes: int8x16_t) -> int16x8_t { unsafeBitCast(bytes, to: int16x8_t.self) }
