import OcellusKernelABI

/// Scales vectors of sums by the multipliers of their columns.
protocol VectorScale {
  /// Reads the multipliers of one vector of columns.
  init(_ address: UnsafeRawPointer, zeroPoint: SumVector)
  /// Whether results are so far from the ends of 32 bits that nothing overflows which is added.
  static var isBounded: Bool { get }
  /// The scaled sums plus the zero point.
  func callAsFunction(_ sums: SumVector) -> SumVector
  /// The scaled sums as `ByteRange` takes them.
  func narrowable(_ sums: SumVector, _ range: QuantizedRange) -> SumVector
  /// The same for lanes that all have one multiplier, in fewer registers.
  var ofEqualLanes: Self { get }
}

extension VectorScale {
  @inline(__always)
  func narrowable(_ sums: SumVector, _ range: QuantizedRange) -> SumVector {
    Self.isBounded ? self(sums) : clamped(sums, range)
  }

  /// Clamped first, since the offset might overflow what the zero point did not.
  @inline(__always)
  func clamped(_ sums: SumVector, _ range: QuantizedRange) -> SumVector {
    let atLeast = maximum(SumVector(repeating: range.minimum), self(sums))
    return minimum(SumVector(repeating: range.maximum), atLeast)
      &- SumVector(repeating: range.narrowingOffset)
  }

  @inline(__always)
  var ofEqualLanes: Self { self }
}

extension FixedPointScale {
  /// Reads the multipliers as `packScales` writes them.
  @inline(__always)
  init(_ address: UnsafeRawPointer, zeroPoint: SumVector) {
    self.init(
      multiplier: loadSums(address), leftShift: loadSums(address + sumVectorBytes),
      rightShift: loadSums(address + 2 &* sumVectorBytes),
      lastShift: loadSums(address + 3 &* sumVectorBytes), zeroPoint: zeroPoint)
  }
}
