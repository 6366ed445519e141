/// The number of bytes of a row that `interleaveUnit` processes at once.
let unitChannels = SumVector.scalarCount

/// Interleaves bytes of two rows to a vector of activations for `dot`.
@inline(__always)
func interleaveUnit(
  _ row0: UnsafeRawPointer, _ row1: UnsafeRawPointer, _ row2: UnsafeRawPointer,
  _ row3: UnsafeRawPointer, isSigned: Bool, to target: UnsafeMutableRawPointer
) {
  store(interleaved(row0, row1, row2, row3, isSigned: isSigned), to: target)
}
