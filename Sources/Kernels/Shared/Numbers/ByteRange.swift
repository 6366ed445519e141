import OcellusKernelABI

/// A vector of the same bytes.
@inline(__always)
func everyByte(_ byte: UInt8) -> SumVector {
  SumVector(repeating: Int32(bitPattern: UInt32(byte) &* 0x0101_0101))
}

/// How scaled sums become bytes: they are narrowed as signed ones and then clamped, so that the
/// zero point of unsigned ones is 128 lower until they are stored.
struct ByteRange {
  private var low: SumVector
  private var high: SumVector
  /// Flips the highest bits of unsigned bytes.
  private var flip: SumVector

  @inline(__always)
  init(_ range: QuantizedRange) {
    low = everyByte(UInt8(truncatingIfNeeded: range.minimum &- range.narrowingOffset))
    high = everyByte(UInt8(truncatingIfNeeded: range.maximum &- range.narrowingOffset))
    flip = everyByte(UInt8(truncatingIfNeeded: range.narrowingOffset))
  }

  /// The bytes of four vectors of scaled sums, one vector after the other.
  @inline(__always)
  func narrow(_ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector) -> SumVector {
    narrowed(a, b, c, d, low: low, high: high) ^ flip
  }

  #if PIXEL_LANES
    /// The bytes of four vectors of scaled sums, those of the same lane beside each other.
    @inline(__always)
    func narrowByLane(
      _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector
    ) -> SumVector {
      narrowedByLane(a, b, c, d, low: low, high: high) ^ flip
    }
  #endif

  #if WINDOW_QUADS
    /// The bytes of four vectors of scaled sums, in every part of 16 bytes one vector after the other.
    @inline(__always)
    func narrowInParts(
      _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector
    ) -> SumVector {
      narrowedInParts(a, b, c, d, low: low, high: high) ^ flip
    }
  #endif

  /// Writes up to four vectors of scaled sums, a row each; `count` is a literal at every call.
  @inline(__always)
  func write(
    _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, count: Int,
    to place: ResultPlace
  ) {
    let bytes = narrow(a, b, c, d)
    if place.width >= SumVector.scalarCount {
      storeQuarters(bytes, count: count, to: place)
    } else {
      store(bytes, to: place.scratch)
      for row in 0..<count {
        copyShort(
          place.scratch + row &* SumVector.scalarCount, to: place.address(row), count: place.width)
      }
    }
  }
}

extension QuantizedRange {
  /// What is subtracted from the zero point and the range so that bytes fit signed ones.
  @inline(__always)
  var narrowingOffset: Int32 { maximum > 127 ? 128 : 0 }
}
