/// What becomes of a sum of products on its way to the output.
package protocol OutputStage {
  associatedtype Sum: BitwiseCopyable
  associatedtype Output: BitwiseCopyable

  func output(_ sum: Sum, channel: Int) -> Output
}

/// Adds the bias and clamps.
package struct FloatStage: OutputStage {
  /// Empty, or one for each channel.
  let bias: UnsafeBufferPointer<Float>
  let range: ClosedRange<Float>

  @inline(__always)
  package func output(_ sum: Float, channel: Int) -> Float {
    (bias.isEmpty ? sum : sum + bias[channel]).clamped(to: range)
  }
}

/// Scales a sum of rounded inputs and weights back, adds the bias and clamps.
package struct HybridStage: OutputStage {
  let inputScale: Float
  /// One for the tensor, or one for each channel.
  let weightScales: UnsafeBufferPointer<Float>
  /// Empty, or one for each channel.
  let bias: UnsafeBufferPointer<Float>
  let range: ClosedRange<Float>

  @inline(__always)
  package func output(_ sum: Int32, channel: Int) -> Float {
    let scale = weightScales[weightScales.count == 1 ? 0 : channel]
    let product = Float(sum) * (scale * inputScale)
    return (bias.isEmpty ? product : product + bias[channel]).clamped(to: range)
  }
}

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

/// Leaves a sum as it is.
package struct PlainStage: OutputStage {
  @inline(__always)
  package func output(_ sum: Int32, channel: Int) -> Int32 { sum }
}
