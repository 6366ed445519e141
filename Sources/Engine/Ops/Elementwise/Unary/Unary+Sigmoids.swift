import OcellusKernelABI
import OcellusModelFile
import OcellusPlatform

/// LOGISTIC and TANH, ELU, GELU.
extension Unary {
  private static let sigmoidTypes: [ElementType] = [
    .float32, .float16, .bfloat16, .uint8, .int8, .int16,
  ]

  static let logistic = define(
    "LOGISTIC", versions: 1...3, types: sigmoidTypes
  ) { node throws(ModelError) in
    let (input, output) = (try node.input(0), try node.output(0))
    switch input.type {
    case .float32, .float16, .bfloat16:
      return .floats(of: input.type, logistic(of:)).tuned(.logistic(.fast), of: input.type)
    case .int16: return try SigmoidTable.loop(node, .logistic)
    default:
      let scale = try node.affineScale(of: output).scale
      try node.require(
        scale == 1 / 256, "output \(output.label) has the scale \(scale), must be 1/256")
      return try node.quantizedLoop { 1 / (1 + expf(-$0)) }
    }
  }

  /// Returns the logistic function with the cut-offs of the official kernel.
  ///
  /// Beyond them the result rounds to 1, or exp alone is exact enough.
  @Sendable
  private static func logistic(of x: Float) -> Float {
    if x > 16.619047 { return 1 }
    return x < -9 ? expf(x) : 1 / (1 + expf(-x))
  }

  static let tanh = define(
    "TANH", versions: 1...3, types: sigmoidTypes
  ) { node throws(ModelError) in
    let input = try node.input(0)
    switch input.type {
    case .float32, .float16, .bfloat16:
      return .floats(of: input.type) { tanhf($0) }.tuned(.tanh(.fast), of: input.type)
    case .int16: return try SigmoidTable.loop(node, .tanh)
    default: return try node.quantizedLoop { tanhf($0) }
    }
  }

  static let elu = define("ELU", types: [.float32, .int8]) { node throws(ModelError) in
    if try node.input(0).type == .int8 {
      return try node.quantizedLoop { $0 < 0 ? expm1f($0) : $0 }
    }
    return .elements { (x: Float) in x < 0 ? expm1f(x) : x }.tuned(.exponentialLinear(.fast))
  }

  static let gelu = define(
    "GELU", versions: 1...3, types: [.float32, .float16, .uint8, .int8, .int16]
  ) { node throws(ModelError) in
    let isApproximate = try node.options(BuiltinOptionsTag.gelu).bool(0)
    switch try node.input(0).type {
    case .float32:
      let loop = gelu(of: Float.self, isApproximate: isApproximate)
      return loop.tuned(isApproximate ? .gaussianLinear(.fast) : .gaussianErrorLinear(.fast))
    case .float16: return gelu(of: Float16.self, isApproximate: isApproximate)
    default:
      // The official tables multiply in this order, the official float loops in the order below.
      return try node.quantizedLoop { x in
        isApproximate
          ? approximateGELU(of: x, cubicTerm: 0.044715 * x * x * x, tanhf) : gelu(of: x)
      }
    }
  }

  private static func gelu<Real: FloatElement & BinaryFloatingPoint>(
    of _: Real.Type, isApproximate: Bool
  ) -> ElementLoop {
    isApproximate
      ? .elements { (x: Real) in
        approximateGELU(of: x, cubicTerm: 0.044715 * (x * x * x), rationalTanh)
      }
      : .elements { (x: Real) in gelu(of: x) }
  }

  /// Returns `x/2 · (1 + erf(x/√2))`, written with erfc because the sum cancels for negative `x`.
  private static func gelu<Real: FloatElement & BinaryFloatingPoint>(of x: Real) -> Real {
    0.5 * x * Real(erfcf((x * -Real(0.5).squareRoot()).single))
  }

  /// Returns `x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))`, rounded to the type at every step.
  ///
  /// The sum cancels for negative `x`, which exposes the rounding of every step.
  private static func approximateGELU<Real: FloatElement & BinaryFloatingPoint>(
    of x: Real, cubicTerm: Real, _ tanh: (Float) -> Float
  ) -> Real {
    let sqrtTwoOverPi: Real = 0.797_884_560_802_865_4
    return 0.5 * x * (1 + Real(tanh((sqrtTwoOverPi * (x + cubicTerm)).single)))
  }
}
