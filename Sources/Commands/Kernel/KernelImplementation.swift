import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch

/// One of the ways in which this machine can compute a node.
struct KernelImplementation {
  let name: String
  /// What it is, for people.
  let summary: String
  /// Whether it is only about floats.
  private(set) var isForFloats = false
  /// The strategy that it takes, where there is a choice that a plan would decide otherwise.
  private(set) var strategy: String?
  /// What to run it with.
  private let change: @Sendable (inout Interpreter.Options) -> Void

  /// The plain loops that say what is right.
  static let reference = KernelImplementation(
    name: "reference", summary: "the plain loops that say what is right"
  ) { $0.usesReferenceKernels = true }

  /// All of them, the fastest instruction set first, the plain loops last.
  static var all: [KernelImplementation] {
    let tiers = KernelTable.available.map(\.name)
    let kernels = tiers.map { name in
      KernelImplementation(name: name, summary: "kernels of the instruction set") {
        $0.instructionSet = name
      }
    }
    let exact = tiers.prefix(1).map { name in
      KernelImplementation(
        name: "\(name),exact", summary: "floats with the official bits", isForFloats: true,
        change: {
          $0.instructionSet = name
          $0.numerics = .exact
        })
    }
    let blas =
      OpenBLAS.installed == nil
      ? []
      : [
        KernelImplementation(
          name: "blas", summary: "OpenBLAS, for matrices of floats", isForFloats: true
        ) {
          $0.backend = .blas
        }
      ]
    return kernels + exact + blas + [reference]
  }

  /// The strategies of an instruction set that accept a node and that its plan did not choose.
  static func others(than choice: StrategyChoice, on tier: String) -> [KernelImplementation] {
    choice.candidates.filter { $0.refusal == nil && $0.name != choice.name }.map { candidate in
      KernelImplementation(
        name: "\(tier), \(candidate.name)", summary: "another strategy", strategy: candidate.name
      ) {
        $0.instructionSet = tier
        $0.strategies = [choice.family: candidate.name]
      }
    }
  }

  func options(_ options: Interpreter.Options) -> Interpreter.Options {
    var options = options
    change(&options)
    return options
  }
}
