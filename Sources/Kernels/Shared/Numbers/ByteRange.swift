import OcellusKernelABI

/// Returns a vector with one byte repeated.
@inline(__always)
func everyByte(_ byte: UInt8) -> SumVector {
  SumVector(repeating: Int32(bitPattern: UInt32(byte) &* 0x0101_0101))
}

/// The narrowing of scaled sums to a range of bytes.
///
/// Sums are narrowed to signed bytes and then clamped. Therefore the zero point of unsigned bytes
/// is 128 lower until they are stored.
struct ByteRange {
  private var low: SumVector
  private var high: SumVector
  /// The XOR mask that toggles the sign bits of unsigned bytes.
  private var signToggle: SumVector

  @inline(__always)
  init(_ range: QuantizedRange) {
    low = everyByte(UInt8(truncatingIfNeeded: range.minimum &- range.narrowingOffset))
    high = everyByte(UInt8(truncatingIfNeeded: range.maximum &- range.narrowingOffset))
    signToggle = everyByte(UInt8(truncatingIfNeeded: range.narrowingOffset))
  }

  /// Returns the bytes of four vectors of scaled sums, one vector after the other.
  @inline(__always)
  func narrow(_ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector) -> SumVector {
    narrowed(a, b, c, d, low: low, high: high) ^ signToggle
  }

  #if TRANSPOSED_OPERANDS
    /// Returns the bytes of four vectors of scaled sums, with those of the same lane together.
    @inline(__always)
    func narrowByLane(
      _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector
    ) -> SumVector {
      narrowedByLane(a, b, c, d, low: low, high: high) ^ signToggle
    }
  #endif

  #if WINDOW_QUADS
    /// Returns the bytes of four vectors of scaled sums, in order within each 16-byte segment.
    @inline(__always)
    func narrowInSegments(
      _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector
    ) -> SumVector {
      narrowedInSegments(a, b, c, d, low: low, high: high) ^ signToggle
    }
  #endif

  /// Stores up to four vectors of scaled sums, one per row; `count` is a literal at every call.
  @inline(__always)
  func write(
    _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, count: Int,
    to destination: ResultDestination
  ) {
    let bytes = narrow(a, b, c, d)
    if destination.width >= SumVector.scalarCount {
      storeQuarters(bytes, count: count, to: destination)
    } else {
      store(bytes, to: destination.scratch)
      for row in 0..<count {
        copyShort(
          destination.scratch + row &* SumVector.scalarCount, to: destination.address(row),
          count: destination.width)
      }
    }
  }
}

extension QuantizedRange {
  /// The number to subtract from the zero point and the range to make bytes signed.
  @inline(__always)
  var narrowingOffset: Int32 { maximum > 127 ? 128 : 0 }
}
