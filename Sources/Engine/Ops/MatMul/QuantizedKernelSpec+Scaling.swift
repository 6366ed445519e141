import OcellusKernelABI

/// The weights of one output channel, `stride` bytes apart.
struct WeightColumn {
  let start: UnsafeRawPointer
  let count: Int
  var stride = 1

  /// Returns the sum of the magnitudes of the weights.
  func magnitude(_ format: QuantizedFormat) -> Int64 {
    (0..<count).reduce(0) { sum, index in
      let byte = start.load(fromByteOffset: index * stride, as: UInt8.self)
      let number = format.isSigned ? Int64(Int8(bitPattern: byte)) : Int64(byte)
      return sum + abs(number - Int64(format.zeroPoint))
    }
  }
}

extension QuantizedKernelSpec {
  /// Calls `body` with the requantization and the biases of columns that belong to these channels.
  ///
  /// A column whose result is constant gets a multiplier and bias that the kernels' fastest
  /// requantization takes. There are no biases or one for each column; `column` returns the weights
  /// of a column.
  func withScaling(
    of channels: [Int], bias: [Int32], column: (Int) -> WeightColumn,
    _ body: (SumScaling, UnsafePointer<Int32>?) -> Void
  ) {
    var multipliers = multipliers(of: channels)
    var bias = bias.isEmpty ? Array(repeating: 0, count: channels.count) : bias
    if requantization.rounding.isFixedPoint {
      for index in channels.indices
      where !multipliers[index].suitsFastRequantization(bias: bias[index]) {
        // No input is farther than 255 from its zero point.
        let reach = 255 * column(index).magnitude(filter)
        if let ordinary = multipliers[index].ordinary(bias: bias[index], reach: reach) {
          (multipliers[index], bias[index]) = ordinary
        }
      }
    }
    bias.withUnsafeBufferPointer { bias in
      withRequantization(multipliers, of: channels) { body($0, bias.baseAddress) }
    }
  }
}
