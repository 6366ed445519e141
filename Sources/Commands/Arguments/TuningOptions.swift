import OcellusEngine

/// The options for choosing strategies of kernels by measurements.
enum TuningOptions {
  private static let tune = Option<Double?>.number(
    "tune", "S", in: 0.001...86_400,
    help: """
      Before the first run, spend at most so many seconds on timing the strategies of kernels that \
      accept each node, and take the fastest. Results do not change. Default: take those that are \
      expected to be the fastest.
      """)
  private static let tuned = Option<String?>.text(
    "tuned", "FILE", accepts: .file,
    help: """
      Take the strategies that this file remembers from earlier measurements; --tune adds its own, \
      and makes the file if there is none.
      """)

  /// The options in the order of the help page.
  static let definitions = [tune.definition, tuned.definition]

  static func read(_ arguments: ParsedArguments) throws(UsageError) -> Interpreter.Tuning {
    let path = try arguments[tuned]
    if let seconds = try arguments[tune] {
      return .measured(within: .seconds(seconds), rememberedIn: path)
    }
    return path.map { .remembered(in: $0) } ?? .off
  }
}
