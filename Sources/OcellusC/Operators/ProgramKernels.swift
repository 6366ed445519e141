import CTensorFlowLite
import OcellusModelFile

/// The kernels that a program brings: a list, or a function that finds kernels.
struct ProgramKernels {
  /// A kernel for some versions of an operator.
  private struct Entry {
    /// The operator's name in the schema, or the name of a custom operator.
    var name: String
    var isCustom: Bool
    var versions: ClosedRange<Int>
    var kernel: Kernel
  }

  /// A function that returns the kernel of an operator in the file, or `nil`.
  typealias Resolver = (OperatorCodeRecord) -> Kernel?

  private var entries: [Entry] = []
  /// Replaces the list and also the engine's operators.
  var resolver: Resolver?

  /// Whether the program brings no kernels.
  var isEmpty: Bool { entries.isEmpty && resolver == nil }

  mutating func add(_ name: String, isCustom: Bool, versions: ClosedRange<Int>, _ kernel: Kernel) {
    entries.append(Entry(name: name, isCustom: isCustom, versions: versions, kernel: kernel))
  }

  /// Returns the program's kernel for an operator in the file; later entries take precedence.
  func kernel(for code: OperatorCodeRecord) -> Kernel? {
    if let resolver { return resolver(code) }
    return entries.last {
      $0.isCustom == code.isCustom && $0.name == code.name && $0.versions.contains(code.version)
    }?.kernel
  }
}
