import OcellusKernelABI

// Winograd's method F(2×2, 3×3): an output of 2×2 pixels sees 4×4 of the input. Of those and of the weights one makes
// sums and differences, `Bᵀ d B` and `G g Gᵀ`; their products, place by place and added up over all channels, are
// sums of which the output is made, `Aᵀ m A`. There are 16 in the place of 4 · 9. The halves of G are left out, so that
// everything is whole, and results are four times what they should be.

#if WINOGRAD
  var quantizedWinograd: QuantizedWinograd? {
    QuantizedWinograd(
      panelColumns: SumVector.scalarCount, suits: suitsWinograd,
      packedByteCount: { WinogradWeights(channels: $1).byteCount(columns: $0) },
      pack: packWinograd, scratchByteCount: { WinogradScratch($0).byteCount },
      run: convolveByWinograd)
  }

  /// With fewer channels than a vector has 16-bit numbers, or fewer columns, what is done beside the products takes as
  /// long as it saves; with fewer pixels weights are read more often than multiplied.
  private func suitsWinograd(
    _ geometry: PatchGeometry, columns: Int, filter: QuantizedFormat
  ) -> Bool {
    geometry.windowHeight == 3 && geometry.windowWidth == 3
      && geometry.strideHeight == 1 && geometry.strideWidth == 1
      && geometry.dilationHeight == 1 && geometry.dilationWidth == 1
      && geometry.outputHeight >= 2 && geometry.outputWidth >= 2
      && geometry.outputHeight * geometry.outputWidth >= 36
      && geometry.channels >= WinogradWeights.channelsAtOnce && geometry.channels % 2 == 0
      && columns >= 2 * SumVector.scalarCount
      // Four times the sums of products fit 32 bits.
      && weightBound(depth: geometry.depth, filter) <= mostWeight
  }

  typealias WinogradFour = (SumVector, SumVector, SumVector, SumVector)

  /// The places of sums of products: 4×4.
  let winogradPlaces = 16

  /// Packed weights: a `PackedHeader` and panels, each of which has starting sums and multipliers and then, place by
  /// place, a vector of weights for every two channels.
  struct WinogradWeights {
    var channels: Int

    /// The 16-bit numbers of a vector.
    static var channelsAtOnce: Int { 2 * SumVector.scalarCount }

    @inline(__always)
    var steps: Int { channels / depthPerDot }

    @inline(__always)
    var placeBytes: Int { steps &* sumVectorBytes }

    @inline(__always)
    var panelBytes: Int { scaleBytes &+ winogradPlaces &* placeBytes }

    func byteCount(columns: Int) -> Int {
      PackedHeader.byteCount + panelCount(columns) * panelBytes
    }
  }

  /// The parts of the scratch memory: a vector, offsets of rows, a pixel of padding, the pixels under a tile, where tiles
  /// go, their sums and differences, and their sums of products.
  struct WinogradScratch {
    /// The tiles that are multiplied at once.
    var tiles: Int
    /// The sums and differences of a tile in one place.
    var rowBytes: Int
    var offsets: Int { sumVectorBytes }
    var padding: Int { 64 &+ sumVectorBytes }
    var pixels: Int
    var targets: Int
    var rows: Int
    var sums: Int
    var byteCount: Int

    /// What a second-level cache holds beside weights.
    private static var rowsBytes: Int { 384 * 1024 }

    @inline(__always)
    init(_ geometry: PatchGeometry) {
      rowBytes = 2 &* geometry.channels
      let fitting = WinogradScratch.rowsBytes / (winogradPlaces &* rowBytes)
      tiles = larger(1, smaller(8, fitting / tileRows)) &* tileRows
      pixels = roundUp(64 &+ sumVectorBytes &+ geometry.channels, to: 64)
      targets = pixels &+ winogradPlaces &* 8
      rows = roundUp(targets &+ tiles &* MemoryLayout<WinogradTarget>.stride, to: 64)
      sums = rows &+ roundUp(winogradPlaces &* tiles &* rowBytes, to: 64)
      byteCount = sums &+ winogradPlaces &* tiles &* tileVectors &* sumVectorBytes
    }

    /// From a place to the next, of rows and of sums.
    @inline(__always)
    var rowStride: Int { tiles &* rowBytes }

    @inline(__always)
    var sumsStride: Int { tiles &* tileVectors &* sumVectorBytes }
  }

  /// Where a tile goes: the first of its pixels, and which of its lines.
  struct WinogradTarget {
    var offset: Int
    var lines: WinogradLines
  }

  /// Lines of a tile that are written: the others belong to someone else.
  enum WinogradLines {
    case both, upper, lower
  }
#else
  let quantizedWinograd: QuantizedWinograd? = nil
#endif
