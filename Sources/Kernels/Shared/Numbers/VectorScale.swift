/// Scales vectors of sums by the multipliers of their columns.
protocol VectorScale {
  /// Reads the multipliers of one vector of columns.
  init(_ address: UnsafeRawPointer, zeroPoint: SumVector)
  /// Whether results are so far from the ends of 32 bits that nothing overflows which is added.
  static var isBounded: Bool { get }
  /// The scaled sums plus the zero point.
  func callAsFunction(_ sums: SumVector) -> SumVector
  /// The same for lanes that all have one multiplier, in fewer registers.
  var ofEqualLanes: Self { get }
}

extension VectorScale {
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
