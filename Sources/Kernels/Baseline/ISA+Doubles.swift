// Floats in double precision, half a vector each.

@inline(__always)
func doublesOfLowHalf(_ x: FloatVector) -> DoubleVector {
  DoubleVector(Double(x[0]), Double(x[1]))
}

@inline(__always)
func doublesOfHighHalf(_ x: FloatVector) -> DoubleVector {
  DoubleVector(Double(x[2]), Double(x[3]))
}

/// Rounds two vectors to the halves of one.
@inline(__always)
func floats(_ low: DoubleVector, _ high: DoubleVector) -> FloatVector {
  FloatVector(Float(low[0]), Float(low[1]), Float(high[0]), Float(high[1]))
}

/// 32 doubles to be looked up, which stay where they are.
struct DoubleTable {
  private let address: UnsafeRawPointer

  @inline(__always)
  init(_ address: UnsafeRawPointer) { self.address = address }

  /// The entries that the lowest five bits of numbers name.
  @inline(__always)
  subscript(number: WideVector) -> DoubleVector {
    DoubleVector(entry(number[0]), entry(number[1]))
  }

  @inline(__always)
  private func entry(_ number: Int64) -> Double { loadDouble(address + Int(number & 31) &* 8) }
}
