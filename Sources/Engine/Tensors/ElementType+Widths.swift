extension ElementType {
  /// The types whose elements fill whole bytes up to 64 bits: those that kernels take which
  /// move elements by width alone.
  package static let upTo64Bits = allCases.filter { (8...64).contains($0.bitWidth ?? 0) }

  /// Whether several elements share a byte.
  package var isPacked: Bool { (1..<8).contains(bitWidth ?? 8) }
}
