import OcellusKernelABI

// Weights for few rows are loaded once, and that takes longer than multiplying. Where `dot` takes
// 16 bits, such weights are therefore packed as bytes (`rowWeightsAreWidened`), which halves the
// memory traffic, and are widened after loading. Their zero point is corrected in the sums of a
// row.

#if arch(x86_64) && !BYTE_DOTS
  let rowWeightsAreWidened = true

  /// The number of weight bytes that a panel has in one step.
  let rowWeightBytes = sumVectorBytes / 2

  // Not taken: multiplying bytes, magnitudes times weights with signs (4 instead of 6 instructions
  // for 32 weights, but memory is the limit: 58 → 59 GB/s for 768 → 3072 on Zen 3, in C).
  /// The arithmetic of byte weights that are widened.
  enum ByteWeights: TileArithmetic {
    @inline(__always)
    static var weightStep: Int { rowWeightBytes }

    @inline(__always)
    static func load(_ address: UnsafeRawPointer) -> SumVector { loadWidened(address) }

    @inline(__always)
    static func broadcast(_ row: UnsafeRawPointer) -> SumVector {
      QuantizedArithmetic<SingleGroup>.broadcast(row)
    }
  }
#else
  let rowWeightsAreWidened = false
  let rowWeightBytes = sumVectorBytes

  /// Weights are bytes anyway, or keep the type that `dot` takes.
  typealias ByteWeights = QuantizedArithmetic<SingleGroup>
#endif

/// Copies packed vectors of weights to a layout for few rows, `stride` bytes apart, as bytes if
/// they are widened later.
func copyRowWeights(
  _ vectors: UnsafeRawPointer, count: Int, to weights: UnsafeMutableRawPointer, stride: Int
) {
  for index in 0..<count {
    let vector = loadSums(vectors + index &* sumVectorBytes)
    let address = weights + index &* stride
    #if arch(x86_64) && !BYTE_DOTS
      storeNarrowed(vector, to: address)
    #else
      store(vector, to: address)
    #endif
  }
}
