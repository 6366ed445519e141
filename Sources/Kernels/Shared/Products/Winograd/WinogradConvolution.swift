import OcellusKernelABI

#if WINOGRAD
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
    let geometry = arguments.patches
    let input = WinogradInput(arguments)
    var block = WinogradTiles<Writer>(arguments, scaling)
    // Blocks of about as many tiles each.
    let tilesPerLine = (geometry.outputWidth &+ 1) / 2
    let lines = arguments.rows.upperBound / geometry.outputWidth
    var line = arguments.rows.lowerBound / geometry.outputWidth
    guard line < lines else { return }
    let tileCount = (lines &- line &+ 1) / 2 &* tilesPerLine
    let blockCount = (tileCount &+ block.scratch.tiles &- 1) / block.scratch.tiles
    let tilesAtOnce = roundUp((tileCount &+ blockCount &- 1) / blockCount, to: tileRows)
    while line < lines {
      let image = line / geometry.outputHeight
      let y = line &- image &* geometry.outputHeight
      // A line without another one is computed with one that is not its tile's to write.
      let isPair = line &+ 1 < lines && y &+ 1 < geometry.outputHeight
      let top = isPair || y == 0 ? y : y &- 1
      let written: WinogradLines = isPair ? .both : top == y ? .upper : .lower
      for index in 0..<tilesPerLine {
        // The last tile may have a column of the one before.
        let x = smaller(2 &* index, geometry.outputWidth &- 2)
        input.transform(
          image: image, y: top, x: x,
          to: arguments.scratch
            + (block.scratch.rows &+ block.count &* block.scratch.rowBytes),
          placeStride: block.scratch.rowStride)
        let pixel = (line &- y &+ top) &* geometry.outputWidth &+ x
        block.append(WinogradTarget(offset: pixel &* arguments.outputStride, lines: written))
        if block.count == tilesAtOnce { block.finish() }
      }
      line &+= isPair ? 2 : 1
    }
    if block.count > 0 { block.finish() }
  }

  /// The input, of which tiles are made.
  private struct WinogradInput {
    private let geometry: PatchGeometry
    private let input: UnsafeRawPointer
    private let isSigned: Bool
    private let padding: UnsafeRawPointer
    /// Where the pixels under a tile are.
    private let pixels: UnsafeMutablePointer<UnsafeRawPointer>

    init(_ arguments: ProductBlock<QuantizedFinish>) {
      geometry = arguments.patches
      input = arguments.input
      let format = arguments.finish.inputFormat
      isSigned = format.isSigned
      let scratch = WinogradScratch(geometry)
      let padding = arguments.scratch + scratch.padding
      let zero = UInt8(truncatingIfNeeded: format.zeroPoint)
      for channel in 0..<geometry.channels { store(zero, to: padding + channel) }
      self.padding = UnsafeRawPointer(padding)
      pixels = (arguments.scratch + scratch.pixels)
        .assumingMemoryBound(to: UnsafeRawPointer.self)
    }

    /// Writes the sums and differences of a tile, place by place.
    @inline(__always)
    func transform(
      image: Int, y: Int, x: Int, to target: UnsafeMutableRawPointer, placeStride: Int
    ) {
      findPixels(image: image, top: y &- geometry.paddingTop, left: x &- geometry.paddingLeft)
      if isSigned {
        transform(isSigned: true, to: target, placeStride: placeStride)
      } else {
        transform(isSigned: false, to: target, placeStride: placeStride)
      }
    }

    @inline(__always)
    private func findPixels(image: Int, top: Int, left: Int) {
      let lineBytes = geometry.inputWidth &* geometry.pixelStride
      let first = input + image &* geometry.inputHeight &* lineBytes
      for row in 0..<4 {
        let y = top &+ row
        let hasLine = y >= 0 && y < geometry.inputHeight
        for column in 0..<4 {
          let x = left &+ column
          let isInside = hasLine && x >= 0 && x < geometry.inputWidth
          pixels[4 &* row &+ column] =
            isInside ? first + (y &* lineBytes &+ x &* geometry.pixelStride) : padding
        }
      }
    }

    /// `Bᵀ d B` of all channels; `isSigned` is a literal at every call.
    @inline(__always)
    private func transform(
      isSigned: Bool, to target: UnsafeMutableRawPointer, placeStride: Int
    ) {
      var next = 0
      while next < geometry.channels {
        // The last vector may have channels of the one before.
        let channel = smaller(next, geometry.channels &- WinogradWeights.channelsAtOnce)
        @inline(__always)
        func column(_ index: Int) -> WinogradFour {
          let a = loadWidened(pixels[index] + channel, isSigned: isSigned)
          let b = loadWidened(pixels[4 &+ index] + channel, isSigned: isSigned)
          let c = loadWidened(pixels[8 &+ index] + channel, isSigned: isSigned)
          let d = loadWidened(pixels[12 &+ index] + channel, isSigned: isSigned)
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

  /// The products of all tiles in one place.
  private struct WinogradProducts {
    var rows: StripRows
    var rowBytes: Int
    var weights: UnsafeRawPointer
    var panelStride: Int
    var sums: UnsafeMutableRawPointer

    /// A function of its own, so that sums need share the registers with nothing else.
    @inline(never)
    func multiply<Vectors: Literal>(_: Vectors.Type) {
      var left = rows.count
      var (rows, sums) = (rows, sums)
      while left > tileRows / 2 {
        multiply(rows, to: sums, TileRows.self, Vectors.self)
        rows.start += tileRows &* rowBytes
        sums += tileRows &* tileVectors &* sumVectorBytes
        left &-= tileRows
      }
      // What there is behind the last row no one reads.
      if left > 0 { multiply(rows, to: sums, Three.self, Vectors.self) }
    }

    @inline(__always)
    private func multiply<Rows: Literal, Vectors: Literal>(
      _ rows: StripRows, to sums: UnsafeMutableRawPointer, _: Rows.Type, _: Vectors.Type
    ) {
      var tile = RowTile<Int16Arithmetic, Rows, Vectors>(
        panel: weights, panelStride: panelStride)
      tile.addProducts(rows, row: 0, weights: weights, panelStride: panelStride)
      let (vectors, stride) = (Vectors.value, tileVectors &* sumVectorBytes)
      tile.r0.store(to: sums, vectors: vectors)
      tile.r1.store(to: sums + stride, vectors: vectors)
      tile.r2.store(to: sums + 2 &* stride, vectors: vectors)
      guard Rows.value > 3 else { return }
      tile.r3.store(to: sums + 3 &* stride, vectors: vectors)
      tile.r4.store(to: sums + 4 &* stride, vectors: vectors)
      tile.r5.store(to: sums + 5 &* stride, vectors: vectors)
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
      scratch = WinogradScratch(arguments.patches)
      panels = WinogradWeights(channels: arguments.patches.channels)
      targets = (arguments.scratch + scratch.targets)
        .assumingMemoryBound(to: WinogradTarget.self)
      let offsets = (arguments.scratch + scratch.offsets).assumingMemoryBound(to: Int32.self)
      for row in 0..<tileRows {
        offsets[row] = Int32(truncatingIfNeeded: row &* scratch.rowBytes)
      }
      self.offsets = UnsafePointer(offsets)
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
      let products = WinogradProducts(
        rows: StripRows(
          start: arguments.scratch + (scratch.rows &+ place &* scratch.rowStride),
          offsets: offsets, count: count, runs: 1, runStride: 0, runBytes: scratch.rowBytes),
        rowBytes: scratch.rowBytes, weights: weights, panelStride: panels.panelBytes,
        sums: arguments.scratch + (scratch.sums &+ place &* scratch.sumsStride))
      if vectors == tileVectors {
        products.multiply(Two.self)
      } else {
        products.multiply(One.self)
      }
    }

    /// Writes a vector of columns of all tiles.
    @inline(never)
    private func write(_ panel: UnsafeRawPointer, vector: Int, column: Int) {
      let start = loadSums(panel)
      let writer = Writer(panel + sumVectorBytes, scaling)
      let stride = arguments.outputStride &* Writer.outputBytes
      let width = smaller(SumVector.scalarCount, arguments.columns.upperBound &- column)
      var sums = UnsafeRawPointer(
        arguments.scratch + (scratch.sums &+ vector &* sumVectorBytes))
      for index in 0..<count {
        let target = targets[index]
        let results = results(sums, start)
        let place = ResultPlace(
          output: arguments.output + (target.offset &+ column) &* Writer.outputBytes,
          stride: stride, pairStride: arguments.patches.outputWidth &* stride, width: width,
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
        sums += tileVectors &* sumVectorBytes
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
#endif
