import OcellusKernelABI

#if DIRECT_WINDOWS
  /// The convolution of some output pixels.
  struct DirectConvolution<Writer: SumWriter> {
    var arguments: WindowBlock<QuantizedFinish>
    var scaling: Writer.Scaling

    /// A vector for results that do not fill one, and a pixel of padding.
    static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
      roundUp(sumVectorBytes + geometry.channels, to: 64)
    }

    @inline(__always)
    private var padding: UnsafeMutableRawPointer { arguments.scratch + sumVectorBytes }

    @inline(__always)
    func run() {
      if arguments.finish.inputFormat.isSigned {
        run(SignedBytes.self)
      } else {
        run(UnsignedBytes.self)
      }
    }

    /// Some lines at once, so that what is known of a block of channels serves enough windows.
    @inline(never)
    private func run<Bytes: ByteKind>(_: Bytes.Type) {
      let geometry = arguments.patches
      let blocks = DirectBlocks(channels: geometry.channels)
      let zero = UInt8(truncatingIfNeeded: arguments.finish.inputFormat.zeroPoint)
      for channel in 0..<geometry.channels { store(zero, to: padding + channel) }
      let windows = DirectGrid(
        geometry: geometry, input: arguments.input, padding: UnsafeRawPointer(padding))
      let linesAtOnce = larger(1, 32 / geometry.outputWidth)
      let step = geometry.channels &* Writer.outputBytes
      var pixel = arguments.pixels.lowerBound
      while pixel < arguments.pixels.upperBound {
        let line = pixel / geometry.outputWidth
        let end = smaller(
          arguments.pixels.upperBound, (line &+ linesAtOnce) &* geometry.outputWidth)
        var weights = arguments.packed + PackedHeader.byteCount
        for block in 0..<blocks.count {
          let channel = blocks.firstChannel(block)
          let place = ResultPlace(
            output: arguments.output + channel &* Writer.outputBytes, stride: step,
            pairStride: 2 &* step, width: SumVector.scalarCount, scratch: arguments.scratch)
          BlockWeights<Writer, Bytes>(weights, scaling)
            .convolve(pixel..<end, windows, channel: channel, to: place)
          weights += DirectBlocks.byteCount
        }
        pixel = end
      }
    }
  }

  /// Whether bytes have signs, as a type.
  private protocol ByteKind {
    static var isSigned: Bool { get }
  }

  private enum SignedBytes: ByteKind {
    @inline(__always)
    static var isSigned: Bool { true }
  }

  private enum UnsignedBytes: ByteKind {
    @inline(__always)
    static var isSigned: Bool { false }
  }

  /// The sums of a window and a block of channels.
  struct BlockSums {
    var first = SumVector()
    var second = SumVector()
  }

  /// Something for each of four windows.
  private struct FourWindows<Value> {
    var a, b, c, d: Value

    @inline(__always)
    init(a: Value, b: Value, c: Value, d: Value) {
      (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    @inline(__always)
    init(repeating value: Value) { self.init(a: value, b: value, c: value, d: value) }
  }

  /// The weights of a block of channels, and how its sums are scaled.
  private struct BlockWeights<Writer: SumWriter, Bytes: ByteKind> {
    private var address: UnsafeRawPointer
    private var start: BlockSums
    private var first: Writer
    private var second: Writer

    @inline(__always)
    init(_ block: UnsafeRawPointer, _ scaling: Writer.Scaling) {
      start = BlockSums(first: loadSums(block), second: loadSums(block + scaleBytes))
      first = Writer(block + sumVectorBytes, scaling)
      second = Writer(block + (scaleBytes &+ sumVectorBytes), scaling)
      address = block + 2 &* scaleBytes
    }

    /// Computes the block's channels of output pixels.
    @inline(never)
    func convolve(
      _ pixels: Range<Int>, _ windows: DirectGrid, channel: Int, to first: ResultPlace
    ) {
      var place = first
      place.output += pixels.lowerBound &* place.stride
      var index = pixels.lowerBound
      while index < pixels.upperBound {
        let pixel = OutputPixel(index, windows.geometry)
        let count = smaller(windows.geometry.outputWidth &- pixel.x, pixels.upperBound &- index)
        var run = DirectRun(
          windows: windows, lines: windows.lines(pixel, channel: channel), x: pixel.x,
          channel: channel)
        convolve(&run, count: count, to: place)
        place.output += count &* place.stride
        index &+= count
      }
    }

    /// Computes windows of a line, four at once.
    @inline(__always)
    private func convolve(_ run: inout DirectRun, count: Int, to first: ResultPlace) {
      var place = first
      var left = count
      while left >= 4 || left > 0 && count >= 4 {
        if left < 4 {
          // The last four windows, some of them once more.
          run.advance(by: left &- 4)
          place.output -= (4 &- left) &* place.stride
          left = 4
        }
        write(fourSums(&run), count: 4, to: place)
        place.output += 4 &* place.stride
        left &-= 4
      }
      while left > 0 {
        write(FourWindows(repeating: sums(run.next())), count: 1, to: place)
        place.output += place.stride
        left &-= 1
      }
    }

    /// The sums of the next four windows.
    @inline(__always)
    private func fourSums(_ run: inout DirectRun) -> FourWindows<BlockSums> {
      guard run.isInside(count: 4) else {
        return FourWindows(
          a: sums(run.next()), b: sums(run.next()), c: sums(run.next()), d: sums(run.next()))
      }
      let lines = run.lines
      run.advance(by: 4)
      return run.areNeighbours ? sumsOfNeighbours(lines) : sumsApart(lines)
    }

    /// The sums of any window.
    @inline(__always)
    private func sums(_ pixels: DirectPixels) -> BlockSums {
      var sums = BlockSums()
      add(0, words(pixels.p00), words(pixels.p10), to: &sums)
      add(1, words(pixels.p01), words(pixels.p11), to: &sums)
      add(2, words(pixels.p02), words(pixels.p12), to: &sums)
      add(3, words(pixels.p20), words(pixels.p21), to: &sums)
      add(4, words(pixels.p22), SumVector(), to: &sums)
      return sums
    }

    /// The sums of four windows whose pixels are all in their place.
    @inline(__always)
    private func sumsApart(_ lines: DirectLines) -> FourWindows<BlockSums> {
      var sums = FourWindows(repeating: BlockSums())
      add(0, lines.line0.column(0), lines.line1.column(0), to: &sums)
      add(1, lines.line0.column(1), lines.line1.column(1), to: &sums)
      add(2, lines.line0.column(2), lines.line1.column(2), to: &sums)
      add(3, lines.line2.column(0), lines.line2.column(1), to: &sums)
      add(4, lines.line2.column(2), nil, to: &sums)
      return sums
    }

    /// The sums of four windows each of which begins with the second column of the one before.
    @inline(__always)
    private func sumsOfNeighbours(_ lines: DirectLines) -> FourWindows<BlockSums> {
      var sums = FourWindows(repeating: BlockSums())
      addColumn(0, lines, to: &sums)
      addColumn(1, lines, to: &sums)
      addColumn(2, lines, to: &sums)
      addColumn(3, lines, to: &sums)
      addColumn(4, lines, to: &sums)
      addColumn(5, lines, to: &sums)
      let last = lines.line2
      let y0 = words(last.neighbour(0)), y1 = words(last.neighbour(1))
      let y2 = words(last.neighbour(2)), y3 = words(last.neighbour(3))
      add(3, y0, y1, to: &sums.a)
      add(4, y2, SumVector(), to: &sums.a)
      add(3, y1, y2, to: &sums.b)
      add(4, y3, SumVector(), to: &sums.b)
      let y4 = words(last.neighbour(4)), y5 = words(last.neighbour(5))
      add(3, y2, y3, to: &sums.c)
      add(4, y4, SumVector(), to: &sums.c)
      add(3, y3, y4, to: &sums.d)
      add(4, y5, SumVector(), to: &sums.d)
      return sums
    }

    /// Adds the products of a column of the upper two lines, for all windows that it is under;
    /// `column` is a literal at every call.
    @inline(__always)
    private func addColumn(
      _ column: Int, _ lines: DirectLines, to sums: inout FourWindows<BlockSums>
    ) {
      let words = interleavedWords(
        words(lines.line0.neighbour(column)), words(lines.line1.neighbour(column)))
      if column <= 2 { add(column, words, to: &sums.a) }
      if column >= 1 && column <= 3 { add(column &- 1, words, to: &sums.b) }
      if column >= 2 && column <= 4 { add(column &- 2, words, to: &sums.c) }
      if column >= 3 { add(column &- 3, words, to: &sums.d) }
    }

    @inline(__always)
    private func words(_ pixel: UnsafeRawPointer) -> SumVector {
      loadWidened(pixel, isSigned: Bytes.isSigned)
    }

    /// Adds the products of two places of four windows, or of one if there is no other.
    @inline(__always)
    private func add(
      _ pair: Int, _ x: DirectLine, _ y: DirectLine?, to sums: inout FourWindows<BlockSums>
    ) {
      let second = { (window: Int) in
        y.map { words($0.neighbour(window)) } ?? SumVector()
      }
      add(pair, words(x.neighbour(0)), second(0), to: &sums.a)
      add(pair, words(x.neighbour(1)), second(1), to: &sums.b)
      add(pair, words(x.neighbour(2)), second(2), to: &sums.c)
      add(pair, words(x.neighbour(3)), second(3), to: &sums.d)
    }

    /// Adds the products of two places of a window.
    @inline(__always)
    private func add(_ pair: Int, _ a: SumVector, _ b: SumVector, to sums: inout BlockSums) {
      add(pair, interleavedWords(a, b), to: &sums)
    }

    @inline(__always)
    private func add(
      _ pair: Int, _ words: (low: SumVector, high: SumVector), to sums: inout BlockSums
    ) {
      let weights = address + 2 &* pair &* sumVectorBytes
      sums.first = dot(sums.first, words.low, loadSums(weights))
      sums.second = dot(sums.second, words.high, loadSums(weights + sumVectorBytes))
    }

    /// Writes the results of some windows; `count` is a literal at every call.
    @inline(__always)
    private func write(_ sums: FourWindows<BlockSums>, count: Int, to place: ResultPlace) {
      let a = result(sums.a), b = result(sums.b), c = result(sums.c), d = result(sums.d)
      first.write(a.first, b.first, c.first, d.first, count: count, to: place)
      var place = place
      place.output += SumVector.scalarCount &* Writer.outputBytes
      second.write(a.second, b.second, c.second, d.second, count: count, to: place)
    }

    @inline(__always)
    private func result(_ sums: BlockSums) -> BlockSums {
      let (first, second) = wordsInOrder(low: sums.first, high: sums.second)
      return BlockSums(first: first &+ start.first, second: second &+ start.second)
    }
  }
#endif
