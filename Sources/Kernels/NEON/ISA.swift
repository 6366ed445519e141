import _Builtin_intrinsics.arm.neon

// ARMv8.0: products of 16-bit numbers, two a lane, since nothing adds up four products of bytes.

let instructionSetName = "neon"
let tileRows = floatTileRows
typealias TileRows = FloatTileRows
let tileVectors = floatTileVectors
/// The consecutive elements of the depth that one `dot` multiplies.
let depthPerDot = 2

/// Adds, lane by lane, the products of two 16-bit numbers with two others.
@inline(__always)
func dot(_ sums: SumVector, _ activations: SumVector, _ weights: SumVector) -> SumVector {
  dotPairs(sums, activations, weights)
}

/// Adds, lane by lane, the products of four numbers from 0 to 15 with four signed bytes.
@inline(__always)
func dotNibbles(_ sums: SumVector, _ nibbles: SumVector, _ bytes: SumVector) -> SumVector {
  let x = asBytes(nibbles), y = asBytes(bytes)
  return vpadalq_s16(sums, vpaddq_s16(vmull_s8(x.lowHalf, y.lowHalf), vmull_high_s8(x, y)))
}

/// Puts bytes of the first two lines one below the other: lane by lane those of one channel, as
/// `dot` takes activations.
@inline(__always)
func interleaved(
  _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _: UnsafeRawPointer,
  _: UnsafeRawPointer, isSigned: Bool
) -> SumVector {
  let first = SIMD2(repeating: loadInt32(first)), second = SIMD2(repeating: loadInt32(second))
  let both = vzip1_u8(
    unsafeBitCast(first, to: uint8x8_t.self), unsafeBitCast(second, to: uint8x8_t.self))
  return isSigned
    ? asLanes(vmovl_s8(unsafeBitCast(both, to: int8x8_t.self))) : asLanes(vmovl_u8(both))
}

/// The bytes of a line that `interleaveUnit` takes at once.
let unitChannels = 16

/// Interleaves 16 bytes of two lines, as `dot` takes activations.
@inline(__always)
func interleaveUnit(
  _ line0: UnsafeRawPointer, _ line1: UnsafeRawPointer, _ line2: UnsafeRawPointer,
  _ line3: UnsafeRawPointer, isSigned: Bool, to target: UnsafeMutableRawPointer
) {
  let first = asBytes(loadSums(line0)), second = asBytes(loadSums(line1))
  widen(vzip1q_s8(first, second), isSigned: isSigned, to: target)
  widen(vzip2q_s8(first, second), isSigned: isSigned, to: target + 32)
}

/// Stores 16 bytes as 16-bit numbers.
@inline(__always)
private func widen(_ bytes: int8x16_t, isSigned: Bool, to target: UnsafeMutableRawPointer) {
  let unsigned = unsafeBitCast(bytes, to: uint8x16_t.self)
  store(
    isSigned ? asLanes(vmovl_s8(bytes.lowHalf)) : asLanes(vmovl_u8(unsigned.lowHalf)), to: target)
  store(
    isSigned ? asLanes(vmovl_high_s8(bytes)) : asLanes(vmovl_high_u8(unsigned)), to: target + 16)
}
