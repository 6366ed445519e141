/// Adds the bias, multiplies in double precision, moves to the output's zero point and clamps.
package struct RealStage<
  Sum: FixedWidthInteger & BitwiseCopyable, Output: FixedWidthInteger & BitwiseCopyable
>: OutputStage {
  /// Empty, or one for each channel.
  let bias: UnsafeBufferPointer<Sum>
  /// One for each channel.
  let multipliers: UnsafeBufferPointer<Double>
  let zeroPoint: Int32
  let range: ClosedRange<Int32>

  @inline(__always)
  package func output(_ sum: Sum, channel: Int) -> Output {
    let sum = bias.isEmpty ? sum : sum &+ bias[channel]
    let rounded = (Double(sum) * multipliers[channel]).rounded(.toNearestOrAwayFromZero)
    // The conversion of the official kernels on x86 gives this for what does not fit.
    let scaled = Int32(exactly: rounded) ?? .min
    return Output(truncatingIfNeeded: (scaled &+ zeroPoint).clamped(to: range))
  }
}
