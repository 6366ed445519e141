public import OcellusKernelABI

extension KernelTable {
  /// The tables that this process may use, best first; none on a processor that is older than
  /// x86-64-v2.
  public static let available = KernelChoice.current.candidates.filter(\.isAvailable)
    .compactMap(\.table)

  /// What to tell somebody whose processor is too old.
  public static let absence = "Ocellus needs a CPU with x86-64-v2 (SSE4.2)"

  /// The best table that this process may use.
  public static var best: KernelTable {
    guard let table = available.first else { fatalError(absence) }
    return table
  }
}
