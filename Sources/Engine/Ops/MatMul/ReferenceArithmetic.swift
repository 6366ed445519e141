import OcellusKernelABI

/// The arithmetic of a sum of products: how a product is added, and how the sum becomes a result.
protocol ReferenceArithmetic<Input, Weight, Output> {
  associatedtype Input: BitwiseCopyable
  associatedtype Weight: BitwiseCopyable
  associatedtype Sum: BitwiseCopyable
  associatedtype Output: BitwiseCopyable

  /// The sum of no products.
  static var zero: Sum { get }
  /// Returns the sum of no products of an output channel.
  func start(of channel: Int) -> Sum
  /// Returns the sum before the product of a channel under a tap, whose place is counted in the
  /// order of visits, is added.
  func reaching(place: Int, channel: Int, _ sum: Sum) -> Sum
  /// Returns a sum plus the product of an input and a weight of an output channel.
  func adding(_ input: Input, times weight: Weight, of channel: Int, to sum: Sum) -> Sum
  /// Returns the result of an output channel.
  func output(_ sum: Sum, of channel: Int) -> Output
}

extension ReferenceArithmetic {
  @inline(__always)
  func start(of channel: Int) -> Sum { Self.zero }

  @inline(__always)
  func reaching(place: Int, channel: Int, _ sum: Sum) -> Sum { sum }
}

/// Floats in one chain of fused multiply-adds that begins with the bias, clamped.
struct FusedFloatReference: ReferenceArithmetic {
  static let zero: Float = 0
  let bias: [Float]?
  let range: ClosedRange<Float>

  func start(of channel: Int) -> Float { bias?[channel] ?? 0 }

  @inline(__always)
  func adding(_ input: Float, times weight: Float, of channel: Int, to sum: Float) -> Float {
    sum.addingProduct(input, weight)
  }

  @inline(__always)
  func output(_ sum: Float, of channel: Int) -> Float { sum.clamped(to: range) }
}

/// Floats, clamped.
struct FloatReference: ReferenceArithmetic {
  static let zero: Float = 0
  let bias: [Float]?
  let range: ClosedRange<Float>

  @inline(__always)
  func adding(_ input: Float, times weight: Float, of channel: Int, to sum: Float) -> Float {
    sum + input * weight
  }

  @inline(__always)
  func output(_ sum: Float, of channel: Int) -> Float {
    (bias.map { sum + $0[channel] } ?? sum).clamped(to: range)
  }
}

/// `int8` numbers without scaling.
struct IntegerReference: ReferenceArithmetic {
  static let zero: Int32 = 0

  @inline(__always)
  func adding(_ input: Int8, times weight: Int8, of channel: Int, to sum: Int32) -> Int32 {
    sum &+ Int32(input) &* Int32(weight)
  }

  @inline(__always)
  func output(_ sum: Int32, of channel: Int) -> Int32 { sum }
}

/// Floats rounded to `int8` and quantized weights, whose sums are scaled to floats.
struct HybridReference: ReferenceArithmetic {
  static let zero: Int32 = 0
  let weights: HybridWeights
  let input: HybridQuantization
  let bias: [Float]?

  @inline(__always)
  func adding(_ input: Int8, times weight: Int8, of channel: Int, to sum: Int32) -> Int32 {
    sum &+ (Int32(input) &- Int32(truncatingIfNeeded: self.input.zeroPoint)) &* Int32(weight)
  }

  @inline(__always)
  func output(_ sum: Int32, of channel: Int) -> Float {
    let scale = weights.scale(of: channel)
    let product: Float
    switch weights.order {
    case .scales: product = Float(sum) * (scale * input.scale)
    case .sumAndColumn where weights.scalesInputsFirst(in: channel):
      product = Float(sum) * input.scale * scale
    case .sumAndColumn: product = Float(sum) * scale * input.scale
    case .sumAndRowFused:
      let start = bias?[channel] ?? 0
      return start.addingProduct(Float(sum) * input.scale, scale).clamped(to: weights.range)
    }
    return (bias.map { product + $0[channel] } ?? product).clamped(to: weights.range)
  }
}

/// Floats rounded to `int8` and quantized weights, whose products are scaled to floats one by one.
struct ScaledHybridReference: ReferenceArithmetic {
  static let zero: Float = 0
  let weights: HybridWeights
  let input: HybridQuantization
  let bias: [Float]?

  @inline(__always)
  func adding(_ input: Int8, times weight: Int8, of channel: Int, to sum: Float) -> Float {
    let input = Int32(input) &- Int32(truncatingIfNeeded: self.input.zeroPoint)
    return sum + Float(input &* Int32(weight)) * weights.scale(of: channel) * self.input.scale
  }

  @inline(__always)
  func output(_ sum: Float, of channel: Int) -> Float {
    (bias.map { sum + $0[channel] } ?? sum).clamped(to: weights.range)
  }
}

/// Quantized numbers, whose sums wrap around as those of the official kernels do.
struct QuantizedReference<
  Input: FixedWidthInteger & BitwiseCopyable, Weight: FixedWidthInteger & BitwiseCopyable,
  Sum: FixedPointScalable, Output: FixedWidthInteger & BitwiseCopyable
>: ReferenceArithmetic {
  static var zero: Sum { 0 }
  let bias: [Sum]?
  private let inputZeroPoint: Sum
  private let weightZeroPoint: Sum
  private let outputZeroPoint: Int32
  private let range: ClosedRange<Int32>
  private let scaling: Scaling

  /// The factors that convert the sum of each channel to steps of the output.
  private enum Scaling {
    case fixedPoint([FixedPointMultiplier])
    case real([Double])
    case single([Float])
    case halfUp([HalfUpFactor])
  }

  init(_ requantization: Requantization, bias: [Sum]?, channels: Int) {
    self.bias = bias
    inputZeroPoint = Sum(truncatingIfNeeded: requantization.inputZeroPoint)
    weightZeroPoint = Sum(truncatingIfNeeded: requantization.weightZeroPoint)
    outputZeroPoint = Int32(truncatingIfNeeded: requantization.outputZeroPoint)
    range = requantization.range
    scaling =
      switch requantization.rounding {
      case .doublePrecision: .real(requantization.realMultipliers(channels: channels))
      case .singlePrecision: .single(requantization.singleMultipliers(channels: channels))
      case .halfUp:
        .halfUp(requantization.singleMultipliers(channels: channels).map { HalfUpFactor($0) })
      case .fixedPoint, .fixedPointFromSinglePrecision:
        .fixedPoint(requantization.multipliers(channels: channels))
      }
  }

  @inline(__always)
  func adding(_ input: Input, times weight: Weight, of channel: Int, to sum: Sum) -> Sum {
    sum &+ (Sum(truncatingIfNeeded: input) &- inputZeroPoint)
      &* (Sum(truncatingIfNeeded: weight) &- weightZeroPoint)
  }

  @inline(__always)
  func output(_ sum: Sum, of channel: Int) -> Output {
    let sum = bias.map { sum &+ $0[channel] } ?? sum
    let scaled =
      switch scaling {
      case .fixedPoint(let multipliers): sum.scaled(by: multipliers[channel])
      case .real(let multipliers): Self.rounded(Double(sum) * multipliers[channel])
      case .single(let multipliers): (Float(sum) * multipliers[channel]).roundedToStep
      case .halfUp(let factors): factors[channel].scaled(Int64(truncatingIfNeeded: sum))
      }
    return Output(truncatingIfNeeded: (scaled &+ outputZeroPoint).clamped(to: range))
  }

  private static func rounded(_ value: Double) -> Int32 {
    // On x86, the conversion of the official kernels gives this for values that do not fit.
    Int32(exactly: value.rounded(.toNearestOrAwayFromZero)) ?? .min
  }
}
