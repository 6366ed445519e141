package import OcellusEngine

/// The reason why two runs may round floats differently although both are right.
package enum RoundingCause: Sendable, Equatable {
  /// Only one of two instruction sets fuses multiplications and additions.
  case instructionSet(stated: String, own: String)
  /// Another version of the program may compute floats in another order.
  case version(stated: String, own: String)
  /// A BLAS library multiplied the matrices of one run.
  case library

  /// The reason as a clause.
  package var reason: String {
    switch self {
    case .instructionSet(let stated, let own):
      "the kernels '\(stated)' computed them, these are '\(own)', and only one of the two fuses "
        + "multiplications and additions"
    case .version(let stated, let own):
      "version \(stated) computed them, and this is version \(own)"
    case .library:
      "a BLAS library computed them, whose bits depend on its version and on the processor"
    }
  }

  /// What leads to a decision, as a clause.
  package var remedy: String {
    let place =
      switch self {
      case .instructionSet(let stated, _): "where the kernels '\(stated)' run ('ocellus cpu' tells)"
      case .version(let stated, _): "with version \(stated)"
      case .library: "with the same library on the same processor"
      }
    return "check it \(place), or make receipts with --exact, which hold everywhere"
  }
}

extension Receipt.Setting {
  /// The ways to compute that `numerics` may name.
  static let knownNumerics = Set(["exact", "fast", "bfloat16", "reference", "blas"]).union(
    Interpreter.LiteRTProcessor.allCases.map(\.numericsName))

  /// Whether the numerics are LiteRT's default.
  private var isLiteRT: Bool { Interpreter.LiteRTProcessor(numericsName: numerics) != nil }

  /// The platforms on which the same root can be reproduced.
  var promise: String {
    switch numerics {
    case "exact", "reference": "every instruction set and number of threads"
    case "blas": "this library on this processor"
    case _ where isLiteRT: "every instruction set with fused multiplication and addition"
    default:
      "every number of threads; integers on every instruction set, floats where it has fused "
        + "multiplication and addition, in this version"
    }
  }

  /// Returns why floats of a run with this setting may have other bits in a run with another one.
  ///
  /// - Returns: `nil` if all bits must be the same.
  package func roundingCause(in other: Receipt.Setting) -> RoundingCause? {
    switch numerics {
    case "exact", "reference": nil
    case "blas": .library
    case _ where version != other.version && !isLiteRT:
      .version(stated: version, own: other.version)
    case _ where Self.fuses(instructionSet) != Self.fuses(other.instructionSet):
      .instructionSet(stated: instructionSet, own: other.instructionSet)
    default: nil
    }
  }

  /// Changes options to those that give numbers the bits of this setting, where one of some
  /// instruction sets can.
  package func apply(
    to options: inout Interpreter.Options, among instructionSets: [String]
  ) {
    switch numerics {
    case "exact": options.numerics = .exact
    case "reference": options.usesReferenceKernels = true
    case "blas": options.backend = .blas
    default:
      if let processor = Interpreter.LiteRTProcessor(numericsName: numerics) {
        options.numerics = .litert(processor)
      } else {
        if numerics == "bfloat16" { options.numerics = .bfloat16 }
        options.instructionSet = equivalent(among: instructionSets)
      }
    }
  }

  /// Returns the first of some instruction sets that gives all results the bits of this setting.
  package func equivalent(among instructionSets: [String]) -> String? {
    instructionSets.first { Self.fuses($0) == Self.fuses(instructionSet) }
  }

  /// Whether kernels fuse multiplications and additions: all but those that run on any processor.
  private static func fuses(_ instructionSet: String) -> Bool { instructionSet != "baseline" }
}
