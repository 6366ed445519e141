import OcellusKernelABI

// Floats: all instruction sets with fused products have the same bits, since sums are made in one order, channel after
// channel. The others keep the matrix product, whose rounding differs from theirs anyway.

#if FMA
  var floatWinograd: FloatGEMM? {
    FloatGEMM(
      panelColumns: FloatVector.scalarCount, tileRows: floatTileRows,
      packedByteCount: { FloatWinogradWeights(depth: $1).byteCount(columns: $0) },
      pack: packFloatWinograd, scratchByteCount: { WinogradScratch(ofFloats: $0).byteCount },
      run: convolveFloatsByWinograd)
  }

  /// Packed weights: panels, each of which has a vector of bias and then, place by place, one of weights for every
  /// channel.
  private struct FloatWinogradWeights {
    var channels: Int

    @inline(__always)
    init(depth: Int) { channels = depth / 9 }

    @inline(__always)
    var placeBytes: Int { channels &* sumVectorBytes }

    @inline(__always)
    var panelBytes: Int { sumVectorBytes &+ winogradPlaces &* placeBytes }

    func byteCount(columns: Int) -> Int {
      roundUp(columns, to: FloatVector.scalarCount) / FloatVector.scalarCount * panelBytes
    }
  }

  extension WinogradScratch {
    @inline(__always)
    fileprivate init(ofFloats geometry: PatchGeometry) {
      self.init(
        rowBytes: 4 &* geometry.channels, pixelBytes: 4 &* geometry.channels,
        sumBytes: floatTileVectors &* sumVectorBytes, tileRows: floatTileRows)
    }
  }

  // MARK: Packing

  private func packFloatWinograd(_ arguments: FloatPackingArguments) {
    let weights = FloatWinogradWeights(depth: arguments.depth)
    var panel = arguments.packed
    for column in stride(from: 0, to: arguments.columns, by: FloatVector.scalarCount) {
      let width = smaller(FloatVector.scalarCount, arguments.columns &- column)
      storeLanes(width, to: panel) { lane in
        guard let bias = arguments.bias else { return 0 }
        return bias[column &+ lane]
      }
      packWeights(arguments, column, width, weights, to: panel + sumVectorBytes)
      panel += weights.panelBytes
    }
  }

  /// Packs the weights of the columns of a panel, four channels at a time.
  private func packWeights(
    _ arguments: FloatPackingArguments, _ column: Int, _ width: Int,
    _ weights: FloatWinogradWeights, to target: UnsafeMutableRawPointer
  ) {
    let filter = arguments.filter + column &* arguments.columnStride
    let isWhole = width == FloatVector.scalarCount && arguments.depthStride == 1
    withUnsafeTemporaryAllocation(byteCount: 36 &* sumVectorBytes, alignment: 64) { room in
      let window = room.baseAddress.unsafelyUnwrapped
      for next in stride(from: 0, to: weights.channels, by: 4) {
        // The last four may have channels of those before.
        let channel = smaller(next, weights.channels &- 4)
        for place in 0..<9 {
          let source = filter + (place &* weights.channels &+ channel) &* arguments.depthStride
          let vectors = window + place &* sumVectorBytes
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
            to: target + (channel &+ index) &* sumVectorBytes, placeStride: weights.placeBytes)
        }
      }
    }
  }

  /// `G g Gᵀ` of one channel.
  @inline(__always)
  private func transformWindow(
    _ window: UnsafeRawPointer, to target: UnsafeMutableRawPointer, placeStride: Int
  ) {
    @inline(__always)
    func column(_ index: Int) -> Quartet {
      fourOfThree(
        loadFloats(window + index &* sumVectorBytes),
        loadFloats(window + (3 &+ index) &* sumVectorBytes),
        loadFloats(window + (6 &+ index) &* sumVectorBytes))
    }
    @inline(__always)
    func write(_ line: Int, _ a: FloatVector, _ b: FloatVector, _ c: FloatVector) {
      let four = fourOfThree(a, b, c)
      let place = target + 4 &* line &* placeStride
      store(four.a, to: place)
      store(four.b, to: place + placeStride)
      store(four.c, to: place + 2 &* placeStride)
      store(four.d, to: place + 3 &* placeStride)
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

  private func convolveFloatsByWinograd(_ arguments: ProductBlock<FloatFinish>) {
    var block = FloatWinogradTiles(arguments)
    let most = block.scratch.tilesAtOnce(
      arguments.patches, rows: arguments.rows, tileRows: floatTileRows)
    forEachWinogradTile(of: arguments.patches, rows: arguments.rows) { tile in
      block.append(tile)
      if block.count == most { block.finish() }
    }
    if block.count > 0 { block.finish() }
  }

  /// Transformed tiles that wait for being multiplied.
  private struct FloatWinogradTiles {
    private let arguments: ProductBlock<FloatFinish>
    private let weights: FloatWinogradWeights
    let scratch: WinogradScratch
    private let pixels: WinogradPixels
    private let targets: UnsafeMutablePointer<WinogradTarget>
    private let offsets: UnsafePointer<Int32>
    private(set) var count = 0

    init(_ arguments: ProductBlock<FloatFinish>) {
      self.arguments = arguments
      weights = FloatWinogradWeights(depth: arguments.patches.depth)
      scratch = WinogradScratch(ofFloats: arguments.patches)
      let padding = arguments.scratch + scratch.padding
      fillWithZeros(padding, count: 4 &* arguments.patches.channels)
      pixels = WinogradPixels(
        arguments.patches, input: arguments.input, elementBytes: 4,
        padding: UnsafeRawPointer(padding), pixels: arguments.scratch + scratch.pixels)
      targets = (arguments.scratch + scratch.targets)
        .assumingMemoryBound(to: WinogradTarget.self)
      offsets = scratch.writeOffsets(arguments.scratch)
    }

    @inline(__always)
    mutating func append(_ tile: WinogradTile) {
      let target = arguments.scratch + (scratch.rows &+ count &* scratch.rowBytes)
      pixels.visit(tile) { transform($0, to: target) }
      targets[count] = WinogradTarget(
        offset: tile.pixel &* arguments.outputStride, lines: tile.lines)
      count &+= 1
    }

    /// `Bᵀ d B` of all channels.
    @inline(__always)
    private func transform(
      _ pixel: (Int) -> UnsafeRawPointer, to target: UnsafeMutableRawPointer
    ) {
      let (channels, lanes) = (arguments.patches.channels, FloatVector.scalarCount)
      let placeStride = scratch.rowStride
      for next in stride(from: 0, to: channels, by: lanes) {
        // The last vector may have channels of the one before.
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
          let place = target + (offset &+ column &* placeStride)
          store(four.a, to: place)
          store(four.b, to: place + 4 &* placeStride)
          store(four.c, to: place + 8 &* placeStride)
          store(four.d, to: place + 12 &* placeStride)
        }
        let second = column(1), third = column(2)
        write(0, column(0) - third)
        write(1, second + third)
        write(2, third - second)
        write(3, second - column(3))
      }
    }

    /// Multiplies all tiles with all panels and writes what they become.
    mutating func finish() {
      let lanes = FloatVector.scalarCount
      for column in stride(
        from: arguments.columns.lowerBound, to: arguments.columns.upperBound,
        by: floatTileVectors &* lanes)
      {
        let width = smaller(floatTileVectors &* lanes, arguments.columns.upperBound &- column)
        let vectors = (width &+ lanes &- 1) / lanes
        let panel = arguments.packed + column / lanes &* weights.panelBytes
        for place in 0..<winogradPlaces {
          multiply(place, with: panel + (sumVectorBytes &+ place &* weights.placeBytes), vectors)
        }
        for vector in 0..<vectors {
          write(
            panel + vector &* weights.panelBytes, vector: vector,
            column: column &+ vector &* lanes)
        }
      }
      count = 0
    }

    /// The sums of products in one place.
    @inline(__always)
    private func multiply(_ place: Int, with weights: UnsafeRawPointer, _ vectors: Int) {
      let products = WinogradProducts<FloatArithmetic<FusedMultiplyAdd>>(
        rows: StripRows(
          start: arguments.scratch + (scratch.rows &+ place &* scratch.rowStride),
          offsets: offsets, count: count, runs: 1, runStride: 0, runBytes: scratch.rowBytes),
        rowBytes: scratch.rowBytes, sumBytes: scratch.sumBytes, weights: weights,
        panelStride: self.weights.panelBytes,
        sums: arguments.scratch + (scratch.sums &+ place &* scratch.sumsStride))
      switch vectors {
      case 1: products.multiply(FloatTileRows.self, One.self)
      case 2: products.multiply(FloatTileRows.self, Two.self)
      case 3 where floatTileVectors > 2: products.multiply(FloatTileRows.self, Three.self)
      case 4 where floatTileVectors > 3: products.multiply(FloatTileRows.self, Four.self)
      default: break
      }
    }

    /// Writes a vector of columns of all tiles.
    @inline(never)
    private func write(_ panel: UnsafeRawPointer, vector: Int, column: Int) {
      let bias = loadFloats(panel)
      let low = FloatVector(repeating: arguments.finish.minimum)
      let high = FloatVector(repeating: arguments.finish.maximum)
      let patches = arguments.patches
      let stride = patches.dilationWidth &* arguments.outputStride &* 4
      let lineStride =
        patches.dilationHeight &* patches.outputWidth &* arguments.outputStride &* 4
      let width = smaller(FloatVector.scalarCount, arguments.columns.upperBound &- column)
      @inline(__always)
      func write(_ sums: FloatVector, to address: UnsafeMutableRawPointer) {
        let results = clamp(sums + bias, low, high)
        if width == FloatVector.scalarCount { return store(results, to: address) }
        store(results, to: arguments.scratch)
        copyShortFloats(arguments.scratch, to: address, count: width)
      }
      var sums = UnsafeRawPointer(arguments.scratch + (scratch.sums &+ vector &* sumVectorBytes))
      for index in 0..<count {
        let four = fourPixels(sums)
        let upper = arguments.output + (targets[index].offset &+ column) &* 4
        if targets[index].lines != .lower {
          write(four.a, to: upper)
          write(four.b, to: upper + stride)
        }
        if targets[index].lines != .upper {
          write(four.c, to: upper + lineStride)
          write(four.d, to: upper + (lineStride &+ stride))
        }
        sums += scratch.sumBytes
      }
    }

    /// `Aᵀ m A`: two pixels of a line and two of the next.
    @inline(__always)
    private func fourPixels(_ sums: UnsafeRawPointer) -> Quartet {
      @inline(__always)
      func line(_ index: Int) -> (FloatVector, FloatVector) {
        let first = sums + 4 &* index &* scratch.sumsStride
        let b = loadFloats(first + scratch.sumsStride)
        let c = loadFloats(first + 2 &* scratch.sumsStride)
        let d = loadFloats(first + 3 &* scratch.sumsStride)
        return (loadFloats(first) + b + c, b - c - d)
      }
      let a = line(0), b = line(1), c = line(2), d = line(3)
      return Quartet(
        a.0 + b.0 + c.0, a.1 + b.1 + c.1, b.0 - c.0 - d.0, b.1 - c.1 - d.1)
    }
  }
#else
  let floatWinograd: FloatGEMM? = nil
#endif
