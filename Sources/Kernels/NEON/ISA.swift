import _Builtin_intrinsics.arm.neon

// ARMv8.0: bytes are multiplied as 16-bit numbers, as no instruction adds byte products exactly.

let instructionSetName = "neon"
let tileRows = floatTileRows
typealias TileRows = FloatTileRows
let tileVectors = floatTileVectors
typealias ShallowTileRows = TileRows
/// The consecutive elements of the depth that one `dot` multiplies per lane.
let depthPerDot = 2

/// Adds the products of 16-bit numbers, those of the lower and of the upper half to the same lanes.
@inline(__always)
func dot(_ sums: SumVector, _ activations: SumVector, _ weights: SumVector) -> SumVector {
  let x = asShorts(activations), y = asShorts(weights)
  return vmlal_high_s16(vmlal_s16(sums, x.lowHalf, y.lowHalf), x, y)
}

extension QuantizedArithmetic {
  @inline(__always)
  static func accumulate(
    _ sum: SumVector, _ lane: Int, of row: SumVector, _ weights: SumVector
  ) -> SumVector { addPairs(sum, lane, of: row, weights) }
}

/// Rearranges pairs of 16-bit numbers, one per lane, to the layout for `dot`.
///
/// All first numbers are followed by all second ones.
@inline(__always)
func arranged(_ pairs: SumVector) -> SumVector {
  let pairs = asShorts(pairs)
  return asLanes(
    vcombine_s16(
      vuzp1_s16(pairs.lowHalf, pairs.highHalf), vuzp2_s16(pairs.lowHalf, pairs.highHalf)))
}

/// Rearranges vectors of weights, one column per lane, to the layout for `dot`.
func arrangeWeights(_ weights: UnsafeMutableRawPointer, vectors: Int) {
  var address = weights
  for _ in 0..<vectors {
    store(arranged(loadSums(address)), to: address)
    address += sumVectorBytes
  }
}

/// Adds to each lane the dot product of four numbers from 0 to 15 and four signed bytes.
@inline(__always)
func dotNibbles(_ sums: SumVector, _ nibbles: SumVector, _ bytes: SumVector) -> SumVector {
  let x = asBytes(nibbles), y = asBytes(bytes)
  return vpadalq_s16(sums, vpaddq_s16(vmull_s8(x.lowHalf, y.lowHalf), vmull_high_s8(x, y)))
}

/// Concatenates bytes of the first two rows to the layout for `dot`.
@inline(__always)
func interleaved(
  _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _: UnsafeRawPointer,
  _: UnsafeRawPointer, isSigned: Bool
) -> SumVector {
  let both = SIMD2(loadInt32(first), loadInt32(second))
  return isSigned
    ? asLanes(vmovl_s8(unsafeBitCast(both, to: int8x8_t.self)))
    : asLanes(vmovl_u8(unsafeBitCast(both, to: uint8x8_t.self)))
}

/// The number of bytes of a row that `interleaveUnit` processes at once.
let unitChannels = 16

/// Interleaves 16 bytes of two rows, four at a time, to the layout for `dot`.
@inline(__always)
func interleaveUnit(
  _ row0: UnsafeRawPointer, _ row1: UnsafeRawPointer, _ row2: UnsafeRawPointer,
  _ row3: UnsafeRawPointer, isSigned: Bool, to target: UnsafeMutableRawPointer
) {
  let first = loadSums(row0), second = loadSums(row1)
  widen(vzip1q_s32(first, second), isSigned: isSigned, to: target)
  widen(vzip2q_s32(first, second), isSigned: isSigned, to: target + 32)
}

/// Stores 16 bytes as 16-bit numbers.
@inline(__always)
private func widen(_ bytes: SumVector, isSigned: Bool, to target: UnsafeMutableRawPointer) {
  if isSigned {
    let bytes = asBytes(bytes)
    store(asLanes(vmovl_s8(bytes.lowHalf)), to: target)
    store(asLanes(vmovl_high_s8(bytes)), to: target + 16)
  } else {
    let bytes = asUnsignedBytes(bytes)
    store(asLanes(vmovl_u8(bytes.lowHalf)), to: target)
    store(asLanes(vmovl_high_u8(bytes)), to: target + 16)
  }
}
