import OcellusAudit
import OcellusEngine

/// The options for the rules by which numbers are computed.
enum NumericsOptions {
  private static let exact = Option.flag(
    "exact",
    help: """
      Compute floats with the bits of the official reference kernels, on every processor; takes \
      longer. The same as --numerics exact.
      """)

  private static let numerics = choice(
    help: """
      The rules for numbers: 'fast'; 'exact', the bits of the official reference kernels; \
      'bfloat16', which rounds the factors of float matrix multiplications to bfloat16, for \
      processors with AMX and for half of the weights' memory; or 'litert', the bits of what LiteRT \
      2.3 computes by default on this processor, integers included ('inspect --numerics litert' \
      lists the nodes that are not imitated); 'litert-2.3/avx2' (AMD's), 'litert-2.3/avx2-intel', \
      'litert-2.3/avx512' and 'litert-2.3/neon' name the processor. Default: fast.
      """)

  /// The options in the order of the help page.
  static let definitions = [exact.definition, numerics.definition]

  static func read(_ arguments: ParsedArguments) throws(UsageError) -> Interpreter.Numerics {
    let named = try arguments[numerics]
    guard try arguments[exact] else { return named ?? .fast }
    if let named, named != .exact {
      throw UsageError("--exact contradicts --numerics; leave one of them out")
    }
    return .exact
  }

  /// Returns the numerics that a command line asks for, without checking it.
  static func requested(by words: [String]) -> Interpreter.Numerics {
    if words.contains("--exact") { return .exact }
    for (position, word) in words.enumerated() {
      let value =
        word == "--numerics" && position + 1 < words.count
        ? words[position + 1] : word.hasPrefix("--numerics=") ? String(word.dropFirst(11)) : nil
      if let value, let name = Interpreter.Numerics.named.first(where: { $0.word == value }) {
        return name.value
      }
    }
    return .fast
  }

  /// Makes the choice alone, for commands that describe a model.
  static func choice(help: String) -> Option<Interpreter.Numerics?> {
    .choice("numerics", "NAME", of: Interpreter.Numerics.named, help: help)
  }
}
