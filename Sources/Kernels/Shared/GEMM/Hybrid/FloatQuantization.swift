import OcellusKernelABI

var floatQuantization: FloatQuantization {
  FloatQuantization(extremes: { extremes($0, $1, $2) }, round: { round($0) })
}

private func extremes(
  _ values: UnsafePointer<Float>, _ count: Int, _ first: Float
) -> FloatExtremes {
  var low = FloatVector(repeating: first)
  var (high, low1, high1) = (low, low, low)
  let lanes = FloatVector.scalarCount
  var address = UnsafeRawPointer(values)
  var left = count
  while left >= 2 &* lanes {
    let x = loadFloats(address), y = loadFloats(address + lanes &* 4)
    // `minimum` and `maximum` return the second operand if either is NaN.
    low = minimum(x, low)
    high = maximum(x, high)
    low1 = minimum(y, low1)
    high1 = maximum(y, high1)
    address += lanes &* 8
    left &-= 2 &* lanes
  }
  low = minimum(low1, low)
  high = maximum(high1, high)
  while left > 0 {
    let x = FloatVector(repeating: loadFloat(address))
    low = minimum(x, low)
    high = maximum(x, high)
    address += 4
    left &-= 1
  }
  // Lanes are NaN only if `first` is, and then all are.
  return FloatExtremes(
    lowest: -greatestLane(FloatVector.zero - low), highest: greatestLane(high))
}

private func round(_ arguments: FloatQuantizationArguments) {
  if arguments.roundsToEven {
    round(arguments, RoundedToEven(arguments), wholeCount: arguments.count)
  } else {
    round(arguments, RoundedBytes(arguments), wholeCount: arguments.count & ~7)
  }
}

/// Rounds the first `wholeCount` values in vectors.
@inline(__always)
private func round<Rounding: ByteRounding>(
  _ arguments: FloatQuantizationArguments, _ rounded: Rounding, wholeCount: Int
) {
  let input = UnsafeRawPointer(arguments.input)
  let lanes = FloatVector.scalarCount
  let (low, high) = (everyByte(0x80), everyByte(0x7F))
  let signToggle = everyByte(arguments.makesUnsigned ? 0x80 : 0)
  var index = 0
  while index &+ 4 &* lanes <= wholeCount {
    let four = Quartet(at: input + index &* 4)
    store(
      narrowed(
        rounded.cut(four.a), rounded.cut(four.b), rounded.cut(four.c), rounded.cut(four.d),
        low: low, high: high) ^ signToggle, to: arguments.output + index)
    index &+= 4 &* lanes
  }
  while index &+ lanes <= wholeCount {
    storeBytes(
      rounded.cut(loadFloats(input + index &* 4)) ^ signToggle, to: arguments.output + index)
    index &+= lanes
  }
  while index < arguments.count {
    let x = FloatVector(repeating: loadFloat(input + index &* 4))
    let vector = index < wholeCount ? rounded.cut(x) : rounded(x)
    store(UInt8(truncatingIfNeeded: (vector ^ signToggle)[0]), to: arguments.output + index)
    index &+= 1
  }
}

/// The quantization of vectors.
private protocol ByteRounding {
  /// Rounds values of a whole group.
  func cut(_ x: FloatVector) -> SumVector
  /// Rounds a value of the rest.
  func callAsFunction(_ x: FloatVector) -> SumVector
}

/// A quantization without its rounding.
private struct ByteScale {
  var factor: FloatVector
  var zeroPoint: SumVector
  // The output range, relative to the zero point.
  var low: FloatVector
  var high: FloatVector

  @inline(__always)
  init(_ arguments: FloatQuantizationArguments) {
    factor = FloatVector(repeating: arguments.factor)
    zeroPoint = SumVector(repeating: arguments.zeroPoint)
    low = FloatVector(repeating: Float(arguments.minimum &- arguments.zeroPoint))
    high = FloatVector(repeating: Float(arguments.maximum &- arguments.zeroPoint))
  }
}

/// The quantization of the official kernels.
private struct RoundedBytes: ByteRounding {
  private var scale: ByteScale

  @inline(__always)
  init(_ arguments: FloatQuantizationArguments) { scale = ByteScale(arguments) }

  /// Rounds by adding one half away from zero and truncating.
  @inline(__always)
  func cut(_ x: FloatVector) -> SumVector {
    let steps = bounded(x)
    let sign = asLanes(steps) & SumVector(repeating: .min)
    let half = asLanes(FloatVector(repeating: 0.5)) | sign
    return truncated(steps + unsafeBitCast(half, to: FloatVector.self)) &+ scale.zeroPoint
  }

  /// Rounds exactly to nearest.
  @inline(__always)
  func callAsFunction(_ x: FloatVector) -> SumVector {
    roundedAwayFromZero(bounded(x)) &+ scale.zeroPoint
  }

  /// Returns the steps from the zero point, the fewest for NaN.
  @inline(__always)
  private func bounded(_ x: FloatVector) -> FloatVector {
    // `minimum` and `maximum` return the second operand if either is NaN.
    minimum(maximum(x * scale.factor, scale.low), scale.high)
  }
}

/// The quantization of XNNPACK: half to even.
private struct RoundedToEven: ByteRounding {
  private var scale: ByteScale

  @inline(__always)
  init(_ arguments: FloatQuantizationArguments) { scale = ByteScale(arguments) }

  @inline(__always)
  func cut(_ x: FloatVector) -> SumVector { self(x) }

  /// Adding 3 · 2²² leaves no bits for a fraction, so this addition rounds, and the integer is in
  /// the lowest bits.
  @inline(__always)
  func callAsFunction(_ x: FloatVector) -> SumVector {
    // NaN becomes the most steps, unlike in the official kernels.
    let steps = maximum(minimum(x * scale.factor, scale.high), scale.low)
    let shifter = FloatVector(repeating: 0x1.8p23)
    return (asLanes(steps + shifter) &- asLanes(shifter)) &+ scale.zeroPoint
  }
}
