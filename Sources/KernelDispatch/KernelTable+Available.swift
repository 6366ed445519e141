public import OcellusKernelABI

extension KernelTable {
  /// The tables that this process may use, best first; none on a processor that is older than
  /// x86-64-v2, or where `OCELLUS_ISA` asks for one that cannot run.
  public static let available = KernelChoice.current.candidates.filter(\.isAvailable)
    .compactMap(\.table)

  /// What to tell somebody for whom there are none.
  public static let absence =
    KernelChoice.current.problem
    ?? "Ocellus needs a CPU with \(KernelChoice.current.candidates.last?.needs.names.first ?? "")"

  /// The best table that this process may use, for pictures: they come out the same with every table,
  /// so that a wrong `OCELLUS_ISA` is no reason to stop.
  public static var best: KernelTable {
    guard let table = available.first ?? KernelChoice.current.candidates.last?.table else {
      fatalError(absence)
    }
    return table
  }
}
