import OcellusKernelABI

// Weights that meet only few rows are read once, from wherever they are, which takes longer than multiplying them.
// Where `dot` takes 16-bit numbers, such weights are therefore packed as bytes (`rowWeightsAreWidened`), half as many
// to read, and widened between memory and product. What their zero point then adds is taken off the sums of a row.

#if arch(x86_64) && !BYTE_DOTS
  let rowWeightsAreWidened = true

  /// The bytes that a step takes of the weights of a panel.
  let rowWeightBytes = sumVectorBytes / 2

  /// The products of a row with such weights.
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

  /// Weights are bytes anyway, or stay as they are.
  typealias ByteWeights = QuantizedArithmetic<SingleGroup>
#endif

/// Puts vectors of weights, as other products take them, so many bytes apart, as bytes if those are widened again.
func copyRowWeights(
  _ vectors: UnsafeRawPointer, count: Int, to weights: UnsafeMutableRawPointer, stride: Int
) {
  for index in 0..<count {
    let vector = loadSums(vectors + index &* sumVectorBytes)
    let place = weights + index &* stride
    #if arch(x86_64) && !BYTE_DOTS
      storeNarrowed(vector, to: place)
    #else
      store(vector, to: place)
    #endif
  }
}
