import OcellusEngine
import OcellusProof

/// The options that say how precisely an engine must compute to be called correct.
struct BoundsOptions {
  private static let factors = Option<BoundsArithmetic.Factors?>.choice(
    "factors", "FORMAT", of: BoundsArithmetic.Factors.allCases.map { ($0.rawValue, $0) },
    help: """
      The format to which factors of products may be rounded before they are multiplied: float32, \
      bfloat16 or float16. Sums are of float32. Default: bfloat16 with --numerics bfloat16, else \
      float32.
      """)
  private static let functionUnits = Option<Double?>.number(
    "function-units", "N", in: 0.5...1e6,
    help: """
      Units in the last place by which approximations of exp, tanh and the like may be off. \
      Default: 8.
      """)

  static let definitions = [factors.definition, functionUnits.definition]

  /// Whether an option was given.
  static func areGiven(_ arguments: ParsedArguments) throws(UsageError) -> Bool {
    let (format, units) = (try arguments[factors], try arguments[functionUnits])
    return format != nil || units != nil
  }

  /// Returns the arithmetic that is right for numerics, unless the arguments say otherwise.
  static func read(
    _ arguments: ParsedArguments, for numerics: Interpreter.Numerics = .fast
  ) throws(UsageError) -> BoundsArithmetic {
    var arithmetic = BoundsArithmetic()
    if numerics == .bfloat16 { arithmetic.factors = .bfloat16 }
    if let format = try arguments[factors] { arithmetic.factors = format }
    if let units = try arguments[functionUnits] { arithmetic.functionUnits = units }
    return arithmetic
  }
}
