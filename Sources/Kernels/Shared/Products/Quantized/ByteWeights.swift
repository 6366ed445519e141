import OcellusKernelABI

// Weights that meet only few rows are read once, from wherever they are, which takes longer than multiplying them.
// Where `dot` takes 16-bit numbers, such weights are therefore packed as bytes (`rowWeightsAreWidened`), half as many
// to read, and widened between memory and product. What their zero point then adds is taken off the sums of a row.

#if arch(x86_64) && !BYTE_DOTS
  let rowWeightsAreWidened = true

  /// Packs weights of 16 bits as bytes, in place.
  func narrowWeights(_ weights: UnsafeMutableRawPointer, vectors: Int) {
    for vector in 0..<vectors {
      storeNarrowed(
        loadSums(weights + vector &* sumVectorBytes), to: weights + vector &* (sumVectorBytes / 2))
    }
  }

  /// The products of a row with such weights.
  enum ByteWeights: TileArithmetic {
    @inline(__always)
    static var weightStep: Int { sumVectorBytes / 2 }

    @inline(__always)
    static func load(_ address: UnsafeRawPointer) -> SumVector { loadWidened(address) }

    @inline(__always)
    static func broadcast(_ row: UnsafeRawPointer) -> SumVector {
      QuantizedArithmetic<SingleGroup>.broadcast(row)
    }
  }
#else
  let rowWeightsAreWidened = false

  func narrowWeights(_: UnsafeMutableRawPointer, vectors _: Int) {}

  /// Weights are bytes anyway, or stay as they are.
  typealias ByteWeights = QuantizedArithmetic<SingleGroup>
#endif
