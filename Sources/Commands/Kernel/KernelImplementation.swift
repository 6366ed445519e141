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

  func options(_ options: Interpreter.Options) -> Interpreter.Options {
    var options = options
    change(&options)
    return options
  }
}
