import Builtin

// All memory accesses use these non-generic functions. Where the optimiser does not inline the
// standard library's generic ones, they become symbols that all instruction sets share, and the
// linker keeps only one of them (see the README). No function requires alignment.

let sumVectorBytes = MemoryLayout<SumVector>.size

/// The prefetch distance in bytes for memory that is read once from beginning to end.
let prefetchDistance = 2048

// Not taken: 8 MB (1×1280 → 768 floats: 41 → 55 µs on Zen 4), or prefetching from memory
// (1×2048 → 3072 floats, 25 MB: 0.25 → 0.40 ms).
/// The largest number of bytes that are prefetched: the capacity of a core's private caches.
///
/// The hardware prefetches larger streams from shared caches or memory in time by itself, and
/// software prefetches only delay it.
let maximumPrefetchedBytes = 896 << 10

// Not taken: prefetching every second cache line, or four panels that are not interleaved (no gain
// on Zen 5, in C).
/// Prefetches the cache lines of `count` bytes, a literal at every call; any address is valid.
@inline(__always)
func prefetchLines(_ address: UnsafeRawPointer, count: Int) {
  var offset = 0
  repeat {
    // A prefetch for reading into the L1 cache; `_mm_prefetch` is a macro, which Swift cannot
    // import.
    Builtin.int_prefetch_RawPointer(
      (address + offset)._rawValue, Int32(0)._value, Int32(3)._value, Int32(1)._value)
    offset &+= 64
  } while offset < count
}

@inline(__always)
func loadFloats(_ address: UnsafeRawPointer) -> FloatVector {
  address.loadUnaligned(as: FloatVector.self)
}

@inline(__always)
func loadSums(_ address: UnsafeRawPointer) -> SumVector {
  address.loadUnaligned(as: SumVector.self)
}

@inline(__always)
func loadWide(_ address: UnsafeRawPointer) -> WideVector {
  address.loadUnaligned(as: WideVector.self)
}

@inline(__always)
func loadDoubles(_ address: UnsafeRawPointer) -> DoubleVector {
  address.loadUnaligned(as: DoubleVector.self)
}

@inline(__always)
func loadFloat(_ address: UnsafeRawPointer) -> Float { address.loadUnaligned(as: Float.self) }

@inline(__always)
func loadDouble(_ address: UnsafeRawPointer) -> Double { address.loadUnaligned(as: Double.self) }

@inline(__always)
func loadInt32(_ address: UnsafeRawPointer) -> Int32 { address.loadUnaligned(as: Int32.self) }

@inline(__always)
func loadInt16(_ address: UnsafeRawPointer) -> Int16 { address.loadUnaligned(as: Int16.self) }

@inline(__always)
func loadInt64(_ address: UnsafeRawPointer) -> Int64 { address.loadUnaligned(as: Int64.self) }

@inline(__always)
func loadInt32s(_ address: UnsafeRawPointer) -> SIMD4<Int32> {
  address.loadUnaligned(as: SIMD4<Int32>.self)
}

@inline(__always)
func loadByte(_ address: UnsafeRawPointer) -> UInt8 { address.load(as: UInt8.self) }

@inline(__always)
func store(_ value: FloatVector, to address: UnsafeMutableRawPointer) {
  address.storeBytes(of: value, as: FloatVector.self)
}

@inline(__always)
func store(_ value: SumVector, to address: UnsafeMutableRawPointer) {
  address.storeBytes(of: value, as: SumVector.self)
}

@inline(__always)
func storeLowHalf(_ value: SumVector, to address: UnsafeMutableRawPointer) {
  let half = value.lowHalf
  address.storeBytes(of: half, as: type(of: half))
}

@inline(__always)
func store(_ value: WideVector, to address: UnsafeMutableRawPointer) {
  address.storeBytes(of: value, as: WideVector.self)
}

@inline(__always)
func store(_ value: Float, to address: UnsafeMutableRawPointer) {
  address.storeBytes(of: value, as: Float.self)
}

@inline(__always)
func store(_ value: Double, to address: UnsafeMutableRawPointer) {
  address.storeBytes(of: value, as: Double.self)
}

@inline(__always)
func store(_ value: Int64, to address: UnsafeMutableRawPointer) {
  address.storeBytes(of: value, as: Int64.self)
}

@inline(__always)
func store(_ value: Int32, to address: UnsafeMutableRawPointer) {
  address.storeBytes(of: value, as: Int32.self)
}

@inline(__always)
func store(_ value: Int16, to address: UnsafeMutableRawPointer) {
  address.storeBytes(of: value, as: Int16.self)
}

@inline(__always)
func store(_ value: UInt8, to address: UnsafeMutableRawPointer) {
  address.storeBytes(of: value, as: UInt8.self)
}

@inline(__always)
func storeInt32s(_ value: SIMD4<Int32>, to address: UnsafeMutableRawPointer) {
  address.storeBytes(of: value, as: SIMD4<Int32>.self)
}

@inline(__always)
func smaller(_ a: Int, _ b: Int) -> Int { a < b ? a : b }

@inline(__always)
func larger(_ a: Int, _ b: Int) -> Int { a > b ? a : b }

@inline(__always)
func roundUp(_ value: Int, to multiple: Int) -> Int {
  (value &+ multiple &- 1) / multiple &* multiple
}

@inline(__always)
func fillWithZeros(_ address: UnsafeMutableRawPointer, count: Int) {
  for index in 0..<count { store(0 as UInt8, to: address + index) }
}

/// Copies bytes between regions that do not overlap, XORing every four of them with `mask`.
///
/// The rows of a patch are mostly a few dozen bytes, too short for a call of `memcpy` each. The
/// rest that does not fill a block is copied by a last block, which overlaps the one before.
@inline(__always)
func copyBytes(
  _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int,
  xoring mask: Int32 = 0
) {
  let masks = Int64(mask) &<< 32 | (Int64(mask) & 0xFFFF_FFFF)
  if count >= sumVectorBytes {
    let vector = SumVector(repeating: mask)
    forEachBlock(of: sumVectorBytes, count: count) { offset in
      store(loadSums(source + offset) ^ vector, to: target + offset)
    }
  } else if count >= 16 {
    forEachBlock(of: 16, count: count) { offset in
      let low = loadInt64(source + offset), high = loadInt64(source + (offset &+ 8))
      store(low ^ masks, to: target + offset)
      store(high ^ masks, to: target + (offset &+ 8))
    }
  } else if count >= 8 {
    forEachBlock(of: 8, count: count) { offset in
      store(loadInt64(source + offset) ^ masks, to: target + offset)
    }
  } else if count >= 4 {
    forEachBlock(of: 4, count: count) { offset in
      store(loadInt32(source + offset) ^ mask, to: target + offset)
    }
  } else if count >= 2 {
    forEachBlock(of: 2, count: count) { offset in
      store(loadInt16(source + offset) ^ Int16(truncatingIfNeeded: mask), to: target + offset)
    }
  } else if count == 1 {
    store(loadByte(source) ^ UInt8(truncatingIfNeeded: mask), to: target)
  }
}

/// Copies from one to 15 bytes.
@inline(__always)
func copyShort(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
  if count >= 8 {
    let end = loadInt64(source + (count &- 8))
    store(loadInt64(source), to: target)
    store(end, to: target + (count &- 8))
  } else if count >= 4 {
    let end = loadInt32(source + (count &- 4))
    store(loadInt32(source), to: target)
    store(end, to: target + (count &- 4))
  } else {
    store(loadByte(source), to: target)
    if count >= 2 { store(loadInt16(source + (count &- 2)), to: target + (count &- 2)) }
  }
}

/// Copies from one to 15 floats.
@inline(__always)
func copyShortFloats(
  _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
) {
  if count >= 8 {
    let end = (count &- 8) &* 4
    let low = loadInt32s(source + end)
    let high = loadInt32s(source + (end &+ 16))
    storeInt32s(loadInt32s(source), to: target)
    storeInt32s(loadInt32s(source + 16), to: target + 16)
    storeInt32s(low, to: target + end)
    storeInt32s(high, to: target + (end &+ 16))
  } else if count >= 4 {
    let end = (count &- 4) &* 4
    let last = loadInt32s(source + end)
    storeInt32s(loadInt32s(source), to: target)
    storeInt32s(last, to: target + end)
  } else {
    // A loop here would be compiled to a call of `memcpy`.
    store(loadInt32(source), to: target)
    if count >= 2 { store(loadInt64(source + (count &- 2) &* 4), to: target + (count &- 2) &* 4) }
  }
}

/// Calls `copyBytes` out of line, for the rare ends of rows.
@inline(never)
func copyEnd(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
  copyBytes(source, to: target, count: count)
}

/// Visits the offsets of blocks that cover `count` bytes, with at least one block.
@inline(__always)
private func forEachBlock(of size: Int, count: Int, _ body: (Int) -> Void) {
  var offset = 0
  while offset &+ size <= count {
    body(offset)
    offset &+= size
  }
  if offset < count { body(count &- size) }
}
