import CTensorFlowLite
import OcellusModelFile

/// The kernels that a program brings: those that it has listed, or a function that finds them.
struct ProgramKernels {
  /// A kernel for some versions of an operator.
  private struct Entry {
    /// The schema's name of the operator, or the custom one's.
    var name: String
    var isCustom: Bool
    var versions: ClosedRange<Int>
    var kernel: Kernel
  }

  /// Finds the kernel of an operator of the file; `nil` where there is none.
  typealias Resolver = (OperatorCodeRecord) -> Kernel?

  private var entries: [Entry] = []
  /// In place of everything else, the engine's operators included.
  var resolver: Resolver?

  /// Whether there are any.
  var isEmpty: Bool { entries.isEmpty && resolver == nil }

  mutating func add(_ name: String, isCustom: Bool, versions: ClosedRange<Int>, _ kernel: Kernel) {
    entries.append(Entry(name: name, isCustom: isCustom, versions: versions, kernel: kernel))
  }

  /// The program's kernel for an operator of the file; the last one that was added wins.
  func kernel(for code: OperatorCodeRecord) -> Kernel? {
    if let resolver { return resolver(code) }
    return entries.last {
      $0.isCustom == code.isCustom && $0.name == code.name && $0.versions.contains(code.version)
    }?.kernel
  }
}
