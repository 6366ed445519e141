import OcellusKernelABI

// Winograd's method for bytes. The factors of one half in G are omitted so that everything stays an
// integer; the sums are then four times too large.

#if WINOGRAD
  /// Winograd's method for 3×3 convolutions with stride 1: four output pixels at once, with 16
  /// products per channel instead of 36.
  enum QuantizedWinograd: QuantizedGEMMStrategy {
    static var name: StaticString { "winograd" }

    /// Returns the reason why the method does not apply.
    ///
    /// Sums and differences of bytes must fit 16 bits, and the sums of their products 32 bits.
    static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
      let geometry = problem.patches
      if let refusal = geometry.refusalOfWinograd { return refusal }
      if geometry.channels < winogradChannelsAtOnce { return .fewChannels }
      if geometry.channels % 2 != 0 { return .oddChannels }
      if problem.isRowByRow { return .computedRowByRow }
      if problem.packsInEveryRun { return .packsInEveryRun }
      if problem.results == .sums { return .wantsUnscaledSums }
      if problem.results == .bytesOfRealScales { return .doublePrecisionScales }
      // Four times the sums of products must fit 32 bits.
      return weightBound(depth: geometry.depth, problem.filter) > maximumWeightSum
        ? .sumsMayOverflow : nil
    }

    static func work(_ problem: GEMMProblem) -> KernelWork {
      let geometry = problem.patches
      let pixels = larger(geometry.outputHeight &* geometry.outputWidth, 1)
      let tiles = larger(problem.rows / pixels, 1) &* geometry.winogradTiles
      let steps = winogradPositions &* (geometry.channels / depthPerDot)
      var work = KernelWork(tiles: tiles, problem, steps: steps)
      // The four results of a tile, and its 16 input pixels.
      work.results *= 4
      work.loops = Double(tiles)
      work.loads = Double(
        tiles &* winogradPositions &* ceilingQuotient(geometry.channels, winogradChannelsAtOnce))
      return work
    }

    static func tileRows(_ geometry: PatchGeometry) -> Int {
      2 &* geometry.dilationHeight &* geometry.outputWidth
    }

    static func packedByteCount(columns: Int, _ geometry: PatchGeometry) -> Int {
      winogradWeights(channels: geometry.channels).byteCount(columns: columns)
    }

    static func pack(_ arguments: QuantizedPackingArguments) { packWinograd(arguments) }

    static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
      // The size is the same for every writer.
      WinogradScratch(geometry, ByteMethod<HybridWriter>.self).byteCount
    }

    static func run(_ arguments: GEMMBlock<QuantizedEpilogue>) { convolve(arguments) }
  }

  typealias WinogradFour = (SumVector, SumVector, SumVector, SumVector)

  /// The number of channels of a vector of 16-bit integers.
  @inline(__always)
  var winogradChannelsAtOnce: Int { 2 * SumVector.scalarCount }

  /// Returns the layout of the weights.
  ///
  /// They begin with a `PackedHeader`. A panel begins with initial sums and scales, and every
  /// position has one vector of weights per two channels.
  @inline(__always)
  func winogradWeights(channels: Int) -> WinogradWeights {
    WinogradWeights(
      headBytes: PackedHeader.byteCount, panelHeadBytes: scaleBytes,
      positionBytes: channels / depthPerDot &* sumVectorBytes)
  }

  private func convolve(_ arguments: GEMMBlock<QuantizedEpilogue>) {
    let range = arguments.epilogue.range
    if let hybrid = arguments.epilogue.hybrid {
      return convolve(arguments, hybrid, HybridWriter.self)
    }
    switch PackedHeader(arguments.packed).scaleKind {
    case ScaleKind.bounded where range.minimum >= range.zeroPoint:
      convolve(arguments, range, ScaledWriter<RectifiedScale>.self)
    case ScaleKind.bounded: convolve(arguments, range, ScaledWriter<BoundedScale>.self)
    default: convolve(arguments, range, ScaledWriter<FixedPointScale>.self)
    }
  }

  @inline(__always)
  private func convolve<Writer: SumWriter>(
    _ arguments: GEMMBlock<QuantizedEpilogue>, _ scaling: Writer.Scaling, _: Writer.Type
  ) {
    convolveByWinograd(arguments, ByteMethod<Writer>(arguments: arguments, scaling: scaling))
  }

  private struct ByteMethod<Writer: SumWriter>: WinogradMethod {
    typealias Epilogue = QuantizedEpilogue
    typealias Arithmetic = Int16Arithmetic
    typealias Rows = TileRows

    let arguments: GEMMBlock<QuantizedEpilogue>
    let scaling: Writer.Scaling

    @inline(__always)
    static var vectorsAtOnce: Int { tileVectors }

    @inline(__always)
    static var inputBytes: Int { 1 }

    @inline(__always)
    static var rowBytes: Int { 2 }

    @inline(__always)
    static func weights(channels: Int) -> WinogradWeights { winogradWeights(channels: channels) }

    @inline(__always)
    func fillPadding(_ pixel: UnsafeMutableRawPointer) {
      let zero = UInt8(truncatingIfNeeded: arguments.epilogue.inputFormat.zeroPoint)
      for channel in 0..<arguments.patches.channels { store(zero, to: pixel + channel) }
    }

    @inline(__always)
    func transform(
      _ pixel: (Int) -> UnsafeRawPointer, to target: UnsafeMutableRawPointer, positionStride: Int
    ) {
      if arguments.epilogue.inputFormat.isSigned {
        transform(pixel, isSigned: true, to: target, positionStride: positionStride)
      } else {
        transform(pixel, isSigned: false, to: target, positionStride: positionStride)
      }
    }

    /// Computes the input transform; `isSigned` is a literal at every call.
    @inline(__always)
    private func transform(
      _ pixel: (Int) -> UnsafeRawPointer, isSigned: Bool, to target: UnsafeMutableRawPointer,
      positionStride: Int
    ) {
      let channels = arguments.patches.channels
      for next in stride(from: 0, to: channels, by: winogradChannelsAtOnce) {
        // The last vector may overlap the one before.
        let channel = smaller(next, channels &- winogradChannelsAtOnce)
        @inline(__always)
        func column(_ index: Int) -> WinogradFour {
          let a = loadWidened(pixel(index) + channel, isSigned: isSigned)
          let b = loadWidened(pixel(4 &+ index) + channel, isSigned: isSigned)
          let c = loadWidened(pixel(8 &+ index) + channel, isSigned: isSigned)
          let d = loadWidened(pixel(12 &+ index) + channel, isSigned: isSigned)
          return (subtractWords(a, c), addWords(b, c), subtractWords(c, b), subtractWords(b, d))
        }
        let first = target + 2 &* channel
        @inline(__always)
        func write(
          _ column: Int, _ a: WinogradFour, _ b: WinogradFour,
          _ combine: (SumVector, SumVector) -> SumVector
        ) {
          let address = first + column &* positionStride
          store(combine(a.0, b.0), to: address)
          store(combine(a.1, b.1), to: address + 4 &* positionStride)
          store(combine(a.2, b.2), to: address + 8 &* positionStride)
          store(combine(a.3, b.3), to: address + 12 &* positionStride)
        }
        let second = column(1), third = column(2)
        write(0, column(0), third, subtractWords)
        write(1, second, third, addWords)
        write(2, third, second, subtractWords)
        write(3, second, column(3), subtractWords)
      }
    }

    @inline(never)
    func write(_ sums: WinogradSums, panel: UnsafeRawPointer, column: Int) {
      let start = loadSums(panel)
      let writer = Writer(panel + sumVectorBytes, scaling)
      let patches = arguments.patches
      let pixelBytes = arguments.outputStride &* Writer.outputBytes
      let rowStride = patches.dilationHeight &* patches.outputWidth &* pixelBytes
      let width = smaller(SumVector.scalarCount, arguments.columns.upperBound &- column)
      for index in 0..<sums.count {
        let target = sums.targets[index]
        let results = pixels(sums, tile: index, start)
        let destination = ResultDestination(
          output: arguments.output + (target.offset &+ column) &* Writer.outputBytes,
          stride: patches.dilationWidth &* pixelBytes, pairStride: rowStride, width: width,
          scratch: arguments.scratch)
        switch target.rows {
        case .both:
          writer.write(results.0, results.1, results.2, results.3, count: 4, to: destination)
        case .upper:
          writer.write(results.0, results.1, results.0, results.1, count: 2, to: destination)
        case .lower:
          var lower = destination
          lower.output += destination.pairStride
          writer.write(results.2, results.3, results.2, results.3, count: 2, to: lower)
        }
      }
    }

    /// Returns the four output pixels of a tile: a quarter of `Aᵀ m A`, plus the initial sums.
    @inline(__always)
    private func pixels(_ sums: WinogradSums, tile: Int, _ start: SumVector) -> WinogradFour {
      @inline(__always)
      func row(_ index: Int) -> (SumVector, SumVector) {
        let first = sums.row(index, ofTile: tile)
        let b = loadSums(first + sums.positionStride)
        let c = loadSums(first + 2 &* sums.positionStride)
        let d = loadSums(first + 3 &* sums.positionStride)
        return (loadSums(first) &+ b &+ c, b &- c &- d)
      }
      let a = row(0), b = row(1), c = row(2), d = row(3)
      let two = SumVector(repeating: 2)
      return (
        shiftRight(a.0 &+ b.0 &+ c.0, two) &+ start, shiftRight(a.1 &+ b.1 &+ c.1, two) &+ start,
        shiftRight(b.0 &- c.0 &- d.0, two) &+ start, shiftRight(b.1 &- c.1 &- d.1, two) &+ start
      )
    }
  }
#endif
