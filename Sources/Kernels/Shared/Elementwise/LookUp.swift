import OcellusKernelABI

/// Replaces bytes by their entries in a table.
func lookUp(_ arguments: LookUpArguments) {
  let input = UnsafeRawPointer(arguments.input), table = UnsafeRawPointer(arguments.table)
  let output = UnsafeMutableRawPointer(arguments.output)
  // For fewer bytes, loading the table takes longer than looking them up one by one.
  guard arguments.count >= 2 &* sumVectorBytes else {
    for index in 0..<arguments.count {
      store(loadByte(table + Int(loadByte(input + index))), to: output + index)
    }
    return
  }
  #if arch(x86_64)
    if let affineTable = arguments.affineTable { return lookUp(arguments, affineTable) }
  #endif
  let entries = ByteTable(table)
  mapElements(count: arguments.count, lanes: sumVectorBytes) { index in
    entries[loadSums(input + index)]
  } store: { result, index in
    store(result, to: output + index)
  }
}

// With `LONG_TABLES`, an instruction looks up bytes in tables of 64 entries.
#if !LONG_TABLES
  /// A table of 256 bytes in registers.
  struct ByteTable {
    private var lower, upper: HalfTable

    @inline(__always)
    init(_ entries: UnsafeRawPointer) {
      lower = HalfTable(entries)
      upper = HalfTable(entries + 128)
    }

    @inline(__always)
    subscript(bytes: SumVector) -> SumVector {
      let highestBits = SumVector(repeating: Int32(bitPattern: 0x8080_8080))
      return lower[bytes] | upper[bytes ^ highestBits]
    }
  }

  /// Half of a table in segments of 16 bytes, each XORed with the one before.
  private struct HalfTable {
    var segments: (SumVector, SumVector, SumVector, SumVector)
    var laterSegments: (SumVector, SumVector, SumVector, SumVector)

    @inline(__always)
    init(_ entries: UnsafeRawPointer) {
      @inline(__always)
      func load(_ index: Int) -> SumVector { repeated(loadInt32s(entries + index &* 16)) }
      segments = (load(0), load(0) ^ load(1), load(1) ^ load(2), load(2) ^ load(3))
      laterSegments = (load(3) ^ load(4), load(4) ^ load(5), load(5) ^ load(6), load(6) ^ load(7))
    }

    /// Returns the entries of bytes from 0 to 127, and 0 for other bytes.
    ///
    /// A byte shuffle takes the lower four bits as the index in a segment, and gives 0 for negative
    /// bytes. Subtracting 16 after each segment makes those bytes negative whose entry has been
    /// found.
    @inline(__always)
    subscript(bytes: SumVector) -> SumVector {
      let step = SumVector(repeating: 0x1010_1010)
      var bytes = bytes
      var entries = shuffled(segments.0, by: bytes)
      @inline(__always)
      func change(_ segment: SumVector) {
        bytes = subtractSaturatingBytes(bytes, step)
        entries ^= shuffled(segment, by: bytes)
      }
      change(segments.1)
      change(segments.2)
      change(segments.3)
      change(laterSegments.0)
      change(laterSegments.1)
      change(laterSegments.2)
      change(laterSegments.3)
      return entries
    }
  }
#endif
