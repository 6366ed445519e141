public import OcellusKernelABI

extension KernelTable {
  /// The tables that this process may use, best first; never empty.
  public static let available: [KernelTable] = {
    let tables = KernelChoice.current.candidates.filter(\.isAvailable).map(\.table)
    // A processor older than x86-64-v2 has no table to be right with.
    precondition(!tables.isEmpty, "Ocellus needs a CPU with x86-64-v2 (SSE4.2)")
    return tables
  }()

  /// The best table that this process may use.
  public static var best: KernelTable { available[0] }
}
