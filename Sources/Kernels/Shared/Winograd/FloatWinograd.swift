import OcellusKernelABI

// Winograd's method for floats. All instruction sets with FMA give the same bits, since sums are
// formed in one order, channel after channel. The others use GEMM, whose rounding differs anyway.

#if FMA
  var floatWinograd: FloatGEMM? {
    FloatGEMM(
      panelColumns: FloatVector.scalarCount, tileRows: floatTileRows,
      packedByteCount: { FloatMethod.weights(channels: $1.channels).byteCount(columns: $0) },
      pack: packFloatWinograd,
      scratchByteCount: { WinogradScratch($0, FloatMethod.self).byteCount },
      run: { convolveByWinograd($0, FloatMethod(arguments: $0)) })
  }

  // MARK: Packing

  private func packFloatWinograd(_ arguments: FloatPackingArguments) {
    let channels = arguments.patches.channels
    let weights = FloatMethod.weights(channels: channels)
    var panel = arguments.packed
    for column in stride(from: 0, to: arguments.columns, by: FloatVector.scalarCount) {
      let width = smaller(FloatVector.scalarCount, arguments.columns &- column)
      storeLanes(width, to: panel) { lane in
        guard let bias = arguments.bias else { return 0 }
        return bias[column &+ lane]
      }
      packWeights(
        arguments, column, width, channels: channels, positionStride: weights.positionBytes,
        to: panel + weights.panelHeadBytes)
      panel += weights.panelBytes
    }
  }

  /// Packs the transformed weights of a panel, four channels at a time.
  private func packWeights(
    _ arguments: FloatPackingArguments, _ column: Int, _ width: Int, channels: Int,
    positionStride: Int, to target: UnsafeMutableRawPointer
  ) {
    let filter = arguments.filter + column &* arguments.columnStride
    let isWhole = width == FloatVector.scalarCount && arguments.depthStride == 1
    withUnsafeTemporaryAllocation(byteCount: 36 &* sumVectorBytes, alignment: 64) { buffer in
      let window = buffer.baseAddress.unsafelyUnwrapped
      for next in stride(from: 0, to: channels, by: 4) {
        // The last four channels may overlap those before.
        let channel = smaller(next, channels &- 4)
        for tap in 0..<9 {
          let source = filter + (tap &* channels &+ channel) &* arguments.depthStride
          let vectors = window + tap &* sumVectorBytes
          if isWhole {
            let rows = transposedRows(
              UnsafeRawPointer(source), apart: arguments.columnStride &* 4)
            store(rows.0, to: vectors)
            store(rows.1, to: vectors + 9 &* sumVectorBytes)
            store(rows.2, to: vectors + 18 &* sumVectorBytes)
            store(rows.3, to: vectors + 27 &* sumVectorBytes)
          } else {
            for index in 0..<4 {
              storeLanes(width, to: vectors + index &* 9 &* sumVectorBytes) {
                source[$0 &* arguments.columnStride &+ index &* arguments.depthStride]
              }
            }
          }
        }
        for index in 0..<4 {
          transformWindow(
            window + index &* 9 &* sumVectorBytes,
            to: target + (channel &+ index) &* sumVectorBytes, positionStride: positionStride)
        }
      }
    }
  }

  /// Computes the weight transform `G g Gᵀ` of one channel.
  @inline(__always)
  private func transformWindow(
    _ window: UnsafeRawPointer, to target: UnsafeMutableRawPointer, positionStride: Int
  ) {
    @inline(__always)
    func column(_ index: Int) -> Quartet {
      fourOfThree(
        loadFloats(window + index &* sumVectorBytes),
        loadFloats(window + (3 &+ index) &* sumVectorBytes),
        loadFloats(window + (6 &+ index) &* sumVectorBytes))
    }
    @inline(__always)
    func write(_ row: Int, _ a: FloatVector, _ b: FloatVector, _ c: FloatVector) {
      let four = fourOfThree(a, b, c)
      let address = target + 4 &* row &* positionStride
      store(four.a, to: address)
      store(four.b, to: address + positionStride)
      store(four.c, to: address + 2 &* positionStride)
      store(four.d, to: address + 3 &* positionStride)
    }
    let left = column(0), middle = column(1), right = column(2)
    write(0, left.a, middle.a, right.a)
    write(1, left.b, middle.b, right.b)
    write(2, left.c, middle.c, right.c)
    write(3, left.d, middle.d, right.d)
  }

  @inline(__always)
  private func fourOfThree(_ a: FloatVector, _ b: FloatVector, _ c: FloatVector) -> Quartet {
    let half = FloatVector(repeating: 0.5)
    let outer = a + c
    return Quartet(a, (outer + b) * half, (outer - b) * half, c)
  }

  // MARK: Convolution

  private struct FloatMethod: WinogradMethod {
    typealias Epilogue = FloatEpilogue
    typealias Arithmetic = FloatArithmetic<FusedMultiplyAdd>
    typealias Rows = FloatTileRows

    let arguments: GEMMBlock<FloatEpilogue>

    @inline(__always)
    static var vectorsAtOnce: Int { floatTileVectors }

    @inline(__always)
    static var inputBytes: Int { 4 }

    @inline(__always)
    static var rowBytes: Int { 4 }

    /// Returns the layout of the weights: panels begin with a vector of biases, and every position
    /// has one vector of weights per channel.
    @inline(__always)
    static func weights(channels: Int) -> WinogradWeights {
      WinogradWeights(panelHeadBytes: sumVectorBytes, positionBytes: channels &* sumVectorBytes)
    }

    @inline(__always)
    func fillPadding(_ pixel: UnsafeMutableRawPointer) {
      fillWithZeros(pixel, count: 4 &* arguments.patches.channels)
    }

    @inline(__always)
    func transform(
      _ pixel: (Int) -> UnsafeRawPointer, to target: UnsafeMutableRawPointer, positionStride: Int
    ) {
      let (channels, lanes) = (arguments.patches.channels, FloatVector.scalarCount)
      for next in stride(from: 0, to: channels, by: lanes) {
        // The last vector may overlap the one before.
        let offset = smaller(next, channels &- lanes) &* 4
        @inline(__always)
        func column(_ index: Int) -> Quartet {
          let a = loadFloats(pixel(index) + offset)
          let b = loadFloats(pixel(4 &+ index) + offset)
          let c = loadFloats(pixel(8 &+ index) + offset)
          let d = loadFloats(pixel(12 &+ index) + offset)
          return Quartet(a - c, b + c, c - b, b - d)
        }
        @inline(__always)
        func write(_ column: Int, _ four: Quartet) {
          let address = target + (offset &+ column &* positionStride)
          store(four.a, to: address)
          store(four.b, to: address + 4 &* positionStride)
          store(four.c, to: address + 8 &* positionStride)
          store(four.d, to: address + 12 &* positionStride)
        }
        let second = column(1), third = column(2)
        write(0, column(0) - third)
        write(1, second + third)
        write(2, third - second)
        write(3, second - column(3))
      }
    }

    @inline(never)
    func write(_ sums: WinogradSums, panel: UnsafeRawPointer, column: Int) {
      let bias = loadFloats(panel)
      let low = FloatVector(repeating: arguments.epilogue.minimum)
      let high = FloatVector(repeating: arguments.epilogue.maximum)
      let patches = arguments.patches
      let stride = patches.dilationWidth &* arguments.outputStride &* 4
      let rowStride =
        patches.dilationHeight &* patches.outputWidth &* arguments.outputStride &* 4
      let width = smaller(FloatVector.scalarCount, arguments.columns.upperBound &- column)
      @inline(__always)
      func write(_ sums: FloatVector, to address: UnsafeMutableRawPointer) {
        let results = clamp(sums + bias, low, high)
        if width == FloatVector.scalarCount { return store(results, to: address) }
        store(results, to: arguments.scratch)
        copyShortFloats(arguments.scratch, to: address, count: width)
      }
      for index in 0..<sums.count {
        let four = pixels(sums, tile: index)
        let target = sums.targets[index]
        let upper = arguments.output + (target.offset &+ column) &* 4
        if target.rows != .lower {
          write(four.a, to: upper)
          write(four.b, to: upper + stride)
        }
        if target.rows != .upper {
          write(four.c, to: upper + rowStride)
          write(four.d, to: upper + (rowStride &+ stride))
        }
      }
    }

    /// Returns the four output pixels of a tile: the output transform `Aᵀ m A`.
    @inline(__always)
    private func pixels(_ sums: WinogradSums, tile: Int) -> Quartet {
      @inline(__always)
      func row(_ index: Int) -> (FloatVector, FloatVector) {
        let first = sums.row(index, ofTile: tile)
        let b = loadFloats(first + sums.positionStride)
        let c = loadFloats(first + 2 &* sums.positionStride)
        let d = loadFloats(first + 3 &* sums.positionStride)
        return (loadFloats(first) + b + c, b - c - d)
      }
      let a = row(0), b = row(1), c = row(2), d = row(3)
      return Quartet(
        a.0 + b.0 + c.0, a.1 + b.1 + c.1, b.0 - c.0 - d.0, b.1 - c.1 - d.1)
    }
  }
#else
  let floatWinograd: FloatGEMM? = nil
#endif
