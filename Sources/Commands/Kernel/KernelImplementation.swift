import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch

/// One of the implementations with which this machine can compute a node.
struct KernelImplementation {
  let name: String
  /// A description for help.
  let summary: String
  /// Whether the implementation differs for floats only.
  private(set) var isForFloats = false
  /// The forced strategy, if it is not the one that the plan chose.
  private(set) var strategy: String?
  /// Changes the interpreter's options to use the implementation.
  private let change: @Sendable (inout Interpreter.Options) -> Void

  /// The reference kernels, which define the right results.
  static let reference = KernelImplementation(
    name: "reference", summary: "the reference kernel, which defines the correct result"
  ) { $0.usesReferenceKernels = true }

  /// All implementations, the fastest instruction set first and the reference kernels last.
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

  /// Returns implementations for the strategies that accept a node but were not chosen.
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
