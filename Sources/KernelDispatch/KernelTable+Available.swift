public import OcellusKernelABI

extension KernelTable {
  /// The tables that this process may use, best first.
  ///
  /// The list is empty on a processor older than x86-64-v2, or than what the build has kernels for,
  /// or if `OCELLUS_ISA` names an instruction set that cannot run.
  public static let available = KernelChoice.current.candidates.filter(\.isAvailable)
    .compactMap(\.table)

  /// The message for users when no table is available.
  public static let absence = KernelChoice.current.absence

  /// The best table for pictures.
  ///
  /// Pictures have the same bits with every table, so an invalid `OCELLUS_ISA` is no reason to
  /// stop.
  public static var best: KernelTable {
    guard let table = available.first ?? KernelChoice.current.candidates.last?.table else {
      fatalError(absence)
    }
    return table
  }
}
