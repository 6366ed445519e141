public import OcellusKernelABI
import _Builtin_intrinsics.intel

// The table lookup for processors that also have AVX-512 VBMI, which looks up bytes in two
// registers as one table of 128 entries.

/// Replaces bytes by their entries in a table, 64 at a time.
public func lookUp(_ arguments: LookUpArguments) {
  let table = UnsafeRawPointer(arguments.table)
  let lower = HalfTable(table), upper = HalfTable(table + 128)
  let input = UnsafeRawPointer(arguments.input)
  let output = UnsafeMutableRawPointer(arguments.output)
  let last = arguments.count &- 64
  guard last >= 0 else {
    let mask: UInt64 = 1 &<< UInt64(arguments.count) &- 1
    let bytes = _mm512_maskz_loadu_epi8(mask, input)
    return _mm512_mask_storeu_epi8(output, mask, select(bytes, lower, upper))
  }
  // The last vector overlaps the one before. It is loaded first, as results may replace operands.
  let end = select(load(input + last), lower, upper)
  var index = 0
  while index < last {
    store(select(load(input + index), lower, upper), to: output + index)
    index &+= 64
  }
  store(end, to: output + last)
}

/// A table of 128 entries.
private struct HalfTable {
  let first: __m512i
  let second: __m512i

  @inline(__always)
  init(_ entries: UnsafeRawPointer) {
    first = load(entries)
    second = load(entries + 64)
  }

  /// Looks up bytes by their lower seven bits.
  @inline(__always)
  subscript(bytes: __m512i) -> __m512i { _mm512_permutex2var_epi8(first, bytes, second) }
}

/// Selects entries of the upper half where the highest bit is set.
@inline(__always)
private func select(_ bytes: __m512i, _ lower: HalfTable, _ upper: HalfTable) -> __m512i {
  _mm512_mask_blend_epi8(_mm512_movepi8_mask(bytes), lower[bytes], upper[bytes])
}

@inline(__always)
private func load(_ address: UnsafeRawPointer) -> __m512i {
  address.loadUnaligned(as: __m512i.self)
}

@inline(__always)
private func store(_ bytes: __m512i, to address: UnsafeMutableRawPointer) {
  address.storeBytes(of: bytes, as: __m512i.self)
}
