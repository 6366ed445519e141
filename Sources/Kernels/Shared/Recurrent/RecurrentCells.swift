import OcellusKernelABI

var recurrentCells: RecurrentCells {
  RecurrentCells(
    laneCount: SumVector.scalarCount, floatLSTM: stepFloatLSTM, integerLSTM: stepIntegerLSTM,
    integerFilters: stepIntegerFilters)
}

extension FixedPointScale {
  /// Creates a scaling with the same multiplier for all lanes.
  @inline(__always)
  init(_ factor: FixedPointFactor) {
    let right = 0 &- (factor.exponent < 0 ? factor.exponent : 0)
    self.init(
      multiplier: SumVector(repeating: factor.fraction),
      leftShift: SumVector(repeating: factor.exponent > 0 ? factor.exponent : 0),
      rightShift: SumVector(repeating: right > 0 ? right &- 1 : 0),
      lastShift: SumVector(repeating: right > 0 ? 1 : 0), zeroPoint: SumVector())
  }
}
