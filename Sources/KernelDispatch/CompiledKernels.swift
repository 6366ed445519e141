package import OcellusKernelABI
package import OcellusPlatform

/// An instruction set that was compiled in.
package struct CompiledKernels {
  /// The name, as `OCELLUS_ISA` spells it.
  package var name: String
  /// The CPU features that its kernels require.
  package var needs: CPUFeatures
  /// Asks the system for a unit that processes may use by permission only.
  package var requestPermission: () -> Bool
  /// Makes the kernels for a processor with these features.
  package var table: (CPUFeatures) -> KernelTable

  /// Creates an entry of the list.
  package init(
    _ name: String, needs: CPUFeatures, requestPermission: @escaping () -> Bool = { true },
    table: @escaping (CPUFeatures) -> KernelTable
  ) {
    self.name = name
    self.needs = needs
    self.requestPermission = requestPermission
    self.table = table
  }
}

/// Returns the instruction sets that were compiled in, best first.
///
/// OcellusKernelTables defines it, and the linker joins them: this module and all that need it
/// compile while the kernels do, which take longest of all.
@_silgen_name("ocellus_compiled_kernels")
package func compiledKernels() -> [CompiledKernels]
