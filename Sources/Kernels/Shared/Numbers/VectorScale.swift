import OcellusKernelABI

/// A scaling of vectors of sums by the multipliers of their columns.
protocol VectorScale {
  /// Reads the packed multipliers of one vector of columns.
  init(_ address: UnsafeRawPointer, zeroPoint: SumVector)
  /// Whether results are so small that subtracting an offset cannot overflow.
  static var isBounded: Bool { get }
  /// Returns the scaled sums plus the zero point.
  func callAsFunction(_ sums: SumVector) -> SumVector
  /// Returns the scaled sums as `ByteRange` expects them.
  func narrowable(_ sums: SumVector, _ range: QuantizedRange) -> SumVector
  /// The same scaling for lanes with a common multiplier, in fewer registers.
  var ofEqualLanes: Self { get }
}

extension VectorScale {
  @inline(__always)
  func narrowable(_ sums: SumVector, _ range: QuantizedRange) -> SumVector {
    Self.isBounded ? self(sums) : clamped(sums, range)
  }

  /// Clamps before it subtracts the offset, which might overflow otherwise.
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
  /// Reads the multipliers in the layout of `packScales`.
  @inline(__always)
  init(_ address: UnsafeRawPointer, zeroPoint: SumVector) {
    self.init(
      multiplier: loadSums(address), leftShift: loadSums(address + sumVectorBytes),
      rightShift: loadSums(address + 2 &* sumVectorBytes),
      lastShift: loadSums(address + 3 &* sumVectorBytes), zeroPoint: zeroPoint)
  }
}
