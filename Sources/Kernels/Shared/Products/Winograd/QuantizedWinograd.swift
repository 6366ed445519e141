import OcellusKernelABI

// Bytes: the halves of G are left out, so that everything is whole, and results are four times what they should be.

#if WINOGRAD
  var quantizedWinograd: QuantizedWinograd? {
    QuantizedWinograd(
      panelColumns: SumVector.scalarCount, suits: suitsWinograd,
      packedByteCount: { WinogradWeights(channels: $1).byteCount(columns: $0) },
      pack: packWinograd, scratchByteCount: { WinogradScratch(ofBytes: $0).byteCount },
      run: convolveByWinograd)
  }

  /// With fewer channels than a vector has 16-bit numbers, or fewer columns, what is done beside the products takes as
  /// long as it saves.
  private func suitsWinograd(
    _ geometry: PatchGeometry, columns: Int, filter: QuantizedFormat
  ) -> Bool {
    geometry.suitsWinograd
      && geometry.channels >= WinogradWeights.channelsAtOnce && geometry.channels % 2 == 0
      && columns >= 2 * SumVector.scalarCount
      // Four times the sums of products fit 32 bits.
      && weightBound(depth: geometry.depth, filter) <= mostWeight
  }

  typealias WinogradFour = (SumVector, SumVector, SumVector, SumVector)

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

  extension WinogradScratch {
    @inline(__always)
    fileprivate init(ofBytes geometry: PatchGeometry) {
      self.init(
        rowBytes: 2 &* geometry.channels, pixelBytes: geometry.channels,
        sumBytes: tileVectors &* sumVectorBytes, tileRows: tileRows)
    }
  }

  func convolveByWinograd(_ arguments: ProductBlock<QuantizedFinish>) {
    let range = arguments.finish.range
    if let hybrid = arguments.finish.hybrid {
      return convolve(arguments, hybrid, HybridWriter.self)
    }
    switch PackedHeader(arguments.packed).scaleKind {
    case ScaleKind.bounded where range.minimum >= range.zeroPoint:
      convolve(arguments, range, ScaledWriter<RectifiedScale>.self)
    case ScaleKind.bounded: convolve(arguments, range, ScaledWriter<BoundedScale>.self)
    default: convolve(arguments, range, ScaledWriter<FixedPointScale>.self)
    }
  }

  /// Transforms tiles until there are enough to be multiplied.
  private func convolve<Writer: SumWriter>(
    _ arguments: ProductBlock<QuantizedFinish>, _ scaling: Writer.Scaling, _: Writer.Type
  ) {
    let input = WinogradInput(arguments)
    var block = WinogradTiles<Writer>(arguments, scaling)
    let most = block.scratch.tilesAtOnce(
      arguments.patches, rows: arguments.rows, tileRows: tileRows)
    forEachWinogradTile(of: arguments.patches, rows: arguments.rows) { tile in
      input.transform(
        tile,
        to: arguments.scratch + (block.scratch.rows &+ block.count &* block.scratch.rowBytes),
        placeStride: block.scratch.rowStride)
      block.append(
        WinogradTarget(offset: tile.pixel &* arguments.outputStride, lines: tile.lines))
      if block.count == most { block.finish() }
    }
    if block.count > 0 { block.finish() }
  }

  /// The input, of which tiles are made.
  private struct WinogradInput {
    private let channels: Int
    private let isSigned: Bool
    private let pixels: WinogradPixels

    init(_ arguments: ProductBlock<QuantizedFinish>) {
      channels = arguments.patches.channels
      let format = arguments.finish.inputFormat
      isSigned = format.isSigned
      let scratch = WinogradScratch(ofBytes: arguments.patches)
      let padding = arguments.scratch + scratch.padding
      let zero = UInt8(truncatingIfNeeded: format.zeroPoint)
      for channel in 0..<channels { store(zero, to: padding + channel) }
      pixels = WinogradPixels(
        arguments.patches, input: arguments.input, elementBytes: 1,
        padding: UnsafeRawPointer(padding), pixels: arguments.scratch + scratch.pixels)
    }

    /// Writes the sums and differences of a tile, place by place.
    @inline(__always)
    func transform(
      _ tile: WinogradTile, to target: UnsafeMutableRawPointer, placeStride: Int
    ) {
      pixels.visit(tile) { pixel in
        if isSigned {
          transform(pixel, isSigned: true, to: target, placeStride: placeStride)
        } else {
          transform(pixel, isSigned: false, to: target, placeStride: placeStride)
        }
      }
    }

    /// `Bᵀ d B` of all channels; `isSigned` is a literal at every call.
    @inline(__always)
    private func transform(
      _ pixel: (Int) -> UnsafeRawPointer, isSigned: Bool, to target: UnsafeMutableRawPointer,
      placeStride: Int
    ) {
      var next = 0
      while next < channels {
        // The last vector may have channels of the one before.
        let channel = smaller(next, channels &- WinogradWeights.channelsAtOnce)
        @inline(__always)
        func column(_ index: Int) -> WinogradFour {
          let a = loadWidened(pixel(index) + channel, isSigned: isSigned)
          let b = loadWidened(pixel(4 &+ index) + channel, isSigned: isSigned)
          let c = loadWidened(pixel(8 &+ index) + channel, isSigned: isSigned)
          let d = loadWidened(pixel(12 &+ index) + channel, isSigned: isSigned)
          return (subtractWords(a, c), addWords(b, c), subtractWords(c, b), subtractWords(b, d))
        }
        let place = target + 2 &* channel
        @inline(__always)
        func write(
          _ column: Int, _ a: WinogradFour, _ b: WinogradFour,
          _ combine: (SumVector, SumVector) -> SumVector
        ) {
          let place = place + column &* placeStride
          store(combine(a.0, b.0), to: place)
          store(combine(a.1, b.1), to: place + 4 &* placeStride)
          store(combine(a.2, b.2), to: place + 8 &* placeStride)
          store(combine(a.3, b.3), to: place + 12 &* placeStride)
        }
        let second = column(1), third = column(2)
        write(0, column(0), third, subtractWords)
        write(1, second, third, addWords)
        write(2, third, second, subtractWords)
        write(3, second, column(3), subtractWords)
        next &+= WinogradWeights.channelsAtOnce
      }
    }
  }

  /// Transformed tiles that wait for being multiplied.
  private struct WinogradTiles<Writer: SumWriter> {
    private let arguments: ProductBlock<QuantizedFinish>
    private let scaling: Writer.Scaling
    let scratch: WinogradScratch
    private let panels: WinogradWeights
    private let targets: UnsafeMutablePointer<WinogradTarget>
    /// How far the rows of a tile of sums are from the first.
    private let offsets: UnsafePointer<Int32>
    private(set) var count = 0

    init(_ arguments: ProductBlock<QuantizedFinish>, _ scaling: Writer.Scaling) {
      self.arguments = arguments
      self.scaling = scaling
      scratch = WinogradScratch(ofBytes: arguments.patches)
      panels = WinogradWeights(channels: arguments.patches.channels)
      targets = (arguments.scratch + scratch.targets)
        .assumingMemoryBound(to: WinogradTarget.self)
      offsets = scratch.writeOffsets(arguments.scratch)
    }

    @inline(__always)
    mutating func append(_ target: WinogradTarget) {
      targets[count] = target
      count &+= 1
    }

    /// Multiplies all tiles with all panels and writes what they become.
    mutating func finish() {
      let lanes = SumVector.scalarCount
      var column = arguments.columns.lowerBound
      while column < arguments.columns.upperBound {
        let width = smaller(tileVectors &* lanes, arguments.columns.upperBound &- column)
        let panel =
          arguments.packed + (PackedHeader.byteCount &+ column / lanes &* panels.panelBytes)
        let vectors = (width &+ lanes &- 1) / lanes
        for place in 0..<winogradPlaces {
          multiply(place, with: panel + (scaleBytes &+ place &* panels.placeBytes), vectors)
        }
        for vector in 0..<vectors {
          write(
            panel + vector &* panels.panelBytes, vector: vector, column: column &+ vector &* lanes)
        }
        column &+= width
      }
      count = 0
    }

    /// The sums of products in one place.
    @inline(__always)
    private func multiply(_ place: Int, with weights: UnsafeRawPointer, _ vectors: Int) {
      let products = WinogradProducts<Int16Arithmetic>(
        rows: StripRows(
          start: arguments.scratch + (scratch.rows &+ place &* scratch.rowStride),
          offsets: offsets, count: count, runs: 1, runStride: 0, runBytes: scratch.rowBytes),
        rowBytes: scratch.rowBytes, sumBytes: scratch.sumBytes, weights: weights,
        panelStride: panels.panelBytes,
        sums: arguments.scratch + (scratch.sums &+ place &* scratch.sumsStride))
      if vectors == tileVectors {
        products.multiply(TileRows.self, Two.self)
      } else {
        products.multiply(TileRows.self, One.self)
      }
    }

    /// Writes a vector of columns of all tiles.
    @inline(never)
    private func write(_ panel: UnsafeRawPointer, vector: Int, column: Int) {
      let start = loadSums(panel)
      let writer = Writer(panel + sumVectorBytes, scaling)
      let patches = arguments.patches
      let pixelBytes = arguments.outputStride &* Writer.outputBytes
      let lineStride = patches.dilationHeight &* patches.outputWidth &* pixelBytes
      let width = smaller(SumVector.scalarCount, arguments.columns.upperBound &- column)
      var sums = UnsafeRawPointer(
        arguments.scratch + (scratch.sums &+ vector &* sumVectorBytes))
      for index in 0..<count {
        let target = targets[index]
        let results = results(sums, start)
        let place = ResultPlace(
          output: arguments.output + (target.offset &+ column) &* Writer.outputBytes,
          stride: patches.dilationWidth &* pixelBytes, pairStride: lineStride, width: width,
          scratch: arguments.scratch)
        switch target.lines {
        case .both:
          writer.write(results.0, results.1, results.2, results.3, count: 4, to: place)
        case .upper:
          writer.write(results.0, results.1, results.0, results.1, count: 2, to: place)
        case .lower:
          var lower = place
          lower.output += place.pairStride
          writer.write(results.2, results.3, results.2, results.3, count: 2, to: lower)
        }
        sums += scratch.sumBytes
      }
    }

    /// The four pixels of a tile: a quarter of `Aᵀ m A`, and what their sums start with.
    @inline(__always)
    private func results(_ sums: UnsafeRawPointer, _ start: SumVector) -> WinogradFour {
      @inline(__always)
      func line(_ index: Int) -> (SumVector, SumVector) {
        let first = sums + 4 &* index &* scratch.sumsStride
        let b = loadSums(first + scratch.sumsStride)
        let c = loadSums(first + 2 &* scratch.sumsStride)
        let d = loadSums(first + 3 &* scratch.sumsStride)
        return (loadSums(first) &+ b &+ c, b &- c &- d)
      }
      let a = line(0), b = line(1), c = line(2), d = line(3)
      let two = SumVector(repeating: 2)
      return (
        shiftRight(a.0 &+ b.0 &+ c.0, two) &+ start, shiftRight(a.1 &+ b.1 &+ c.1, two) &+ start,
        shiftRight(b.0 &- c.0 &- d.0, two) &+ start, shiftRight(b.1 &- c.1 &- d.1, two) &+ start
      )
    }
  }
#else
  let quantizedWinograd: QuantizedWinograd? = nil
#endif
