/// Adds the bias, multiplies in fixed point, moves to the output's zero point and clamps.
package struct FixedPointStage<
  Sum: FixedPointScalable, Output: FixedWidthInteger & BitwiseCopyable
>: OutputStage {
  /// Empty, or one for each channel.
  let bias: UnsafeBufferPointer<Sum>
  /// One for each channel.
  let multipliers: UnsafeBufferPointer<FixedPointMultiplier>
  let zeroPoint: Int32
  let range: ClosedRange<Int32>

  @inline(__always)
  package func output(_ sum: Sum, channel: Int) -> Output {
    let sum = bias.isEmpty ? sum : sum &+ bias[channel]
    let scaled = sum.scaled(by: multipliers[channel]) &+ zeroPoint
    return Output(truncatingIfNeeded: scaled.clamped(to: range))
  }
}

/// A sum that is requantized in fixed point, each width with its own rounding.
package protocol FixedPointScalable: FixedWidthInteger, BitwiseCopyable {
  func scaled(by multiplier: FixedPointMultiplier) -> Int32
}

extension Int32: FixedPointScalable {
  package func scaled(by multiplier: FixedPointMultiplier) -> Int32 { multiplier.scale(self) }
}

extension Int64: FixedPointScalable {
  package func scaled(by multiplier: FixedPointMultiplier) -> Int32 { multiplier.scale(self) }
}
