import _Builtin_intrinsics.arm.neon

/// A table of 256 bytes in sixteen registers.
struct ByteTable {
  private var first, second, third, fourth: uint8x16x4_t

  @inline(__always)
  init(_ entries: UnsafeRawPointer) {
    first = quarter(entries)
    second = quarter(entries + 64)
    third = quarter(entries + 128)
    fourth = quarter(entries + 192)
  }

  /// Looks up bytes; an instruction covers 64 entries, and keeps or clears the other bytes.
  @inline(__always)
  subscript(bytes: SumVector) -> SumVector {
    let step = uint8x16_t(repeating: 64)
    var indices = asUnsignedBytes(bytes)
    var entries = vqtbl4q_u8(first, indices)
    indices &-= step
    entries = vqtbx4q_u8(entries, second, indices)
    indices &-= step
    entries = vqtbx4q_u8(entries, third, indices)
    indices &-= step
    return asLanes(vqtbx4q_u8(entries, fourth, indices))
  }
}

@inline(__always)
private func quarter(_ entries: UnsafeRawPointer) -> uint8x16x4_t {
  uint8x16x4_t(
    val: (
      asUnsignedBytes(loadSums(entries)), asUnsignedBytes(loadSums(entries + 16)),
      asUnsignedBytes(loadSums(entries + 32)), asUnsignedBytes(loadSums(entries + 48))
    ))
}
