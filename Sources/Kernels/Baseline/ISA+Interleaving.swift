/// The bytes of a row that `interleaveUnit` processes at once.
let unitChannels = SumVector.scalarCount

/// Interleaves bytes of two rows to a vector of activations for `dot`.
@inline(__always)
func interleaveUnit(
  _ line0: UnsafeRawPointer, _ line1: UnsafeRawPointer, _ line2: UnsafeRawPointer,
  _ line3: UnsafeRawPointer, isSigned: Bool, to target: UnsafeMutableRawPointer
) {
  store(interleaved(line0, line1, line2, line3, isSigned: isSigned), to: target)
}
