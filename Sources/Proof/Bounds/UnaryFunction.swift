import OcellusEngine
import OcellusPlatform

/// A function of one number, and how far from it a correct engine may be.
struct UnaryFunction {
  /// The function, which is monotone between its turning points.
  let value: (Double) -> Double
  var turningPoints: [Double] = []
  /// The number of units in the last place of the result that an engine may be off.
  var units = 0.0
  /// The same for each 1 of the argument's magnitude, where an engine rounds a multiple of it.
  var unitsPerArgument = 0.0
  /// What it may be off in addition, given the largest magnitude of the argument.
  var margin: (_ argument: Double) -> Double = { _ in 0 }
  /// The arguments for which there is a result.
  var domain = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude

  /// Returns where the results of the arguments in an interval are.
  func bounds(_ argument: Interval) -> Interval {
    guard argument.isFinite, domain.contains(argument.low), domain.contains(argument.high) else {
      return .anything
    }
    let arguments =
      [argument.low, argument.high] + turningPoints.filter { argument.contains($0) }
    let result = Interval(around: arguments.map(value))
    guard units > 0 || margin(argument.magnitude) > 0 else { return result }
    // The function itself is computed in float64.
    return result.widened(by: 8 * doubleUnit * result.magnitude + margin(argument.magnitude))
      .rounded(units: units + unitsPerArgument * argument.magnitude)
  }

  func bounds(_ arguments: Intervals) -> Intervals {
    var result = arguments
    for index in 0..<arguments.count { result[index] = bounds(arguments[index]) }
    return result
  }
}

extension UnaryFunction {
  /// Returns the function of an operator.
  init?(_ operatorName: String, _ options: OperatorOptions, _ arithmetic: BoundsArithmetic) {
    let found =
      Self.exact(operatorName) ?? Self.basic(operatorName, slope: options.float("alpha"))
      ?? Self.approximated(
        operatorName, isApproximate: options.flag("approximate"), units: arithmetic.functionUnits)
    guard let found else { return nil }
    self = found
  }

  /// Functions that do not round.
  private static func exact(_ operatorName: String) -> UnaryFunction? {
    switch operatorName {
    case "ABS": .init(value: { abs($0) }, turningPoints: [0])
    case "NEG": .init(value: { -$0 })
    case "RELU": .init(value: { max($0, 0) })
    case "RELU6": .init(value: { $0.clamped(to: 0...6) })
    case "RELU_N1_TO_1": .init(value: { $0.clamped(to: -1...1) })
    case "RELU_0_TO_1": .init(value: { $0.clamped(to: 0...1) })
    case "FLOOR": .init(value: { $0.rounded(.down) })
    case "CEIL": .init(value: { $0.rounded(.up) })
    case "ROUND": .init(value: { $0.rounded(.toNearestOrEven) })
    default: nil
    }
  }

  /// Functions of basic operations, each of which rounds once.
  private static func basic(_ operatorName: String, slope: Double) -> UnaryFunction? {
    switch operatorName {
    case "SQUARE": .init(value: { $0 * $0 }, turningPoints: [0], units: 1)
    // A root and a division, or an estimate of 1/√x that is refined to as much.
    case "SQRT": .init(value: { $0.squareRoot() }, units: 4, domain: 0...(.infinity))
    case "RSQRT": .init(value: { 1 / $0.squareRoot() }, units: 4, domain: normal)
    case "LEAKY_RELU":
      .init(value: { $0 >= 0 ? $0 : slope * $0 }, turningPoints: [0], units: 1)
    // Engines add 3 before, or ½ after the division by 6.
    case "HARD_SWISH":
      .init(
        value: { $0 * ($0 + 3).clamped(to: 0...6) / 6 }, turningPoints: [-3, -1.5, 3], units: 6,
        margin: { 4 * Float32Rounding.halfUnit * min($0, 3) })
    default: nil
    }
  }

  /// Functions that engines approximate.
  ///
  /// They may be off by a number of units in the last place; where usual formulas subtract from 1,
  /// these are units of 1.
  private static func approximated(
    _ operatorName: String, isApproximate: Bool, units: Double
  ) -> UnaryFunction? {
    let unitsOfOne = units * Float32Rounding.halfUnit
    // Where exp becomes subnormal, engines clamp its argument.
    let end = 2 * Float32Rounding.smallestNormal
    switch operatorName {
    case "EXP":
      return .init(
        value: { exp($0) }, units: units, unitsPerArgument: 1, margin: { _ in end })
    // log m + e·log 2 cancels near 1.
    case "LOG":
      return .init(
        value: { log($0) }, units: units, margin: { _ in unitsOfOne }, domain: normal)
    case "LOGISTIC":
      // The official reference kernel gives exp(x) below -9, which is off by exp(2x).
      return .init(
        value: { 1 / (1 + exp(-$0)) }, units: units, unitsPerArgument: 1,
        margin: { $0 >= 9 ? 1.6e-8 : end })
    case "TANH": return .init(value: { tanh($0) }, units: units)
    case "ELU":
      return .init(
        value: { $0 >= 0 ? $0 : expm1($0) }, units: 1, margin: { _ in unitsOfOne })
    case "GELU":
      // The minimum is flat, so that this many digits of its place suffice.
      let margin = unitsOfOne + 1e-13
      return .init(
        value: { isApproximate ? approximateGELU($0) : exactGELU($0) },
        turningPoints: [isApproximate ? -0.752_461_4 : -0.751_791_5], units: units,
        margin: { margin * $0 })
    default: return nil
    }
  }

  /// The positive numbers that no engine takes for zero.
  private static let normal = Float32Rounding.smallestNormal...Double.infinity

  private static func exactGELU(_ x: Double) -> Double { x * erfc(-x / 2.0.squareRoot()) / 2 }

  private static func approximateGELU(_ x: Double) -> Double {
    x * (1 + tanh((2 / Double.pi).squareRoot() * (x + 0.044_715 * x * x * x))) / 2
  }
}
