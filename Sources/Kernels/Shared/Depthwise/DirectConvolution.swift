import OcellusKernelABI

#if DIRECT_WINDOWS
  // Not taken: windows of one row, with copied edge columns (mww_vad 4.8 → 3.2 µs on Zen 3, but
  // mltk_kws_on_off_v3 0.26 → 0.31 ms).
  /// The strategy that reads 3×3 windows in place.
  ///
  /// Nothing is copied, but overlapping windows widen shared pixels again, and the last channels
  /// may be computed twice.
  enum DirectWindows: QuantizedDepthwiseStrategy {
    static var name: StaticString { "direct-windows" }

    static func refusal(_ geometry: PatchGeometry) -> StrategyRefusal? {
      if geometry.windowHeight != 3 || geometry.windowWidth != 3 { return .notThreeByThree }
      return geometry.channels < DirectBlocks.channelsPerBlock ? .fewChannels : nil
    }

    static func packedByteCount(_ geometry: PatchGeometry) -> Int {
      DirectBlocks(channels: geometry.channels).count * DirectBlocks.byteCount
    }

    static func pack(_ arguments: QuantizedDepthwisePackingArguments) {
      packDirectWindows(arguments)
    }

    static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
      DirectConvolution<PlainWriter>.scratchByteCount(geometry)
    }

    static func run<Writer: SumWriter>(
      _ arguments: WindowBlock<QuantizedEpilogue>, _ scaling: Writer.Scaling, _: Writer.Type
    ) {
      DirectConvolution<Writer>(arguments: arguments, scaling: scaling).run()
    }

    static func work(_ geometry: PatchGeometry) -> KernelWork {
      let blocks = DirectBlocks(channels: geometry.channels).count
      let results = Double(2 * blocks * geometry.outputHeight * geometry.outputWidth)
      // A vector of bytes is two vectors of results; four windows of three rows may share columns.
      let columns =
        geometry.strideWidth <= 2 * geometry.dilationWidth
        ? 3 + 3 * geometry.strideWidth / geometry.dilationWidth : 12
      return KernelWork(
        loops: Double(blocks * geometry.outputHeight), loads: results / 8 * Double(3 * columns),
        results: results, products: results * Double(DirectBlocks.pairs))
    }
  }

  /// The direct convolution of a range of output pixels.
  struct DirectConvolution<Writer: SumWriter> {
    var arguments: WindowBlock<QuantizedEpilogue>
    var scaling: Writer.Scaling

    /// Returns the size of a vector for partial results and a row of padding.
    static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
      sumVectorBytes &+ roundUp(rowBytes(geometry), to: 64)
    }

    private static func rowBytes(_ geometry: PatchGeometry) -> Int {
      geometry.inputWidth &* geometry.pixelStride
    }

    /// Fills the row of padding.
    @inline(__always)
    private func preparedPadding() -> UnsafeRawPointer {
      let padding = arguments.scratch + sumVectorBytes
      let zero = everyByte(UInt8(truncatingIfNeeded: arguments.epilogue.inputFormat.zeroPoint))
      var offset = 0
      while offset < Self.rowBytes(arguments.patches) {
        store(zero, to: padding + offset)
        offset &+= sumVectorBytes
      }
      return UnsafeRawPointer(padding)
    }

    @inline(__always)
    func run() {
      if arguments.epilogue.inputFormat.isSigned {
        run(SignedBytes.self)
      } else {
        run(UnsignedBytes.self)
      }
    }

    // Not taken: four blocks of channels, which share cache lines, for a few rows at a time
    // (44 layers 0.93 times as fast on Zen 3: beginning a block costs more than the cache lines).
    /// Computes several output rows together, so that the weights loaded for a block of channels
    /// serve enough windows.
    @inline(never)
    private func run<Bytes: ByteKind>(_: Bytes.Type) {
      let geometry = arguments.patches
      let blocks = DirectBlocks(channels: geometry.channels)
      let windows = DirectGrid(
        geometry: geometry, input: arguments.input, padding: preparedPadding())
      let rowsAtOnce = larger(1, 32 / geometry.outputWidth)
      let step = geometry.channels &* Writer.outputBytes
      var pixel = arguments.pixels.lowerBound
      while pixel < arguments.pixels.upperBound {
        let row = pixel / geometry.outputWidth
        let end = smaller(
          arguments.pixels.upperBound, (row &+ rowsAtOnce) &* geometry.outputWidth)
        var weights = arguments.packed + PackedHeader.byteCount
        for block in 0..<blocks.count {
          let channel = blocks.firstChannel(block)
          let destination = ResultDestination(
            output: arguments.output + channel &* Writer.outputBytes, stride: step,
            pairStride: 2 &* step, width: SumVector.scalarCount, scratch: arguments.scratch)
          BlockWeights<Writer, Bytes>(weights, scaling)
            .convolve(pixel..<end, windows, channel: channel, to: destination)
          weights += DirectBlocks.byteCount
        }
        pixel = end
      }
    }
  }

  /// The signedness of bytes, as a type.
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

  /// The sums of one window and one block of channels.
  struct BlockSums {
    var first = SumVector()
    var second = SumVector()
  }

  /// One value for each of four windows.
  private struct FourWindows<Value> {
    var a, b, c, d: Value

    @inline(__always)
    init(a: Value, b: Value, c: Value, d: Value) {
      (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    @inline(__always)
    init(repeating value: Value) { self.init(a: value, b: value, c: value, d: value) }
  }

  /// The weights of a block of channels, and the scaling of its sums.
  private struct BlockWeights<Writer: SumWriter, Bytes: ByteKind> {
    /// The three input rows under four windows.
    private typealias Lines = (DirectRow, DirectRow, DirectRow)
    /// Interleaved words of two pixels, or of one pixel and zeros.
    private typealias Words = (low: SumVector, high: SumVector)

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

    /// Computes the block's channels of a range of output pixels.
    @inline(never)
    func convolve(
      _ pixels: Range<Int>, _ windows: DirectGrid, channel: Int, to first: ResultDestination
    ) {
      var destination = first
      destination.output += pixels.lowerBound &* destination.stride
      var pixel = OutputPixel(pixels.lowerBound, windows.geometry)
      var left = pixels.count
      while left > 0 {
        let count = smaller(windows.geometry.outputWidth &- pixel.x, left)
        var run = windows.run(pixel, channel: channel)
        convolve(&run, count: count, to: destination)
        destination.output += count &* destination.stride
        pixel.advance(windows.geometry, by: count)
        left &-= count
      }
    }

    /// Computes windows of an output row, four at a time where all their inner columns are in the
    /// input.
    @inline(__always)
    private func convolve(_ run: inout DirectRun, count: Int, to first: ResultDestination) {
      var destination = first
      var left = count
      var mayOverlap = count >= 4
      while left > 0 {
        if left == 3 && mayOverlap {
          // The last four windows overlap those before by one.
          run.advance(by: -1)
          destination.output -= destination.stride
          left = 4
          mayOverlap = false
        }
        if left >= 4, let rows = run.four() {
          run.advance(by: 4)
          write(sums(rows, run.grid.geometry), count: 4, to: destination)
          destination.output += 4 &* destination.stride
          left &-= 4
        } else {
          write(FourWindows(repeating: sums(run.next())), count: 1, to: destination)
          destination.output += destination.stride
          left &-= 1
        }
      }
    }

    /// Computes the sums of four windows.
    @inline(__always)
    private func sums(_ rows: Lines, _ geometry: PatchGeometry) -> FourWindows<BlockSums> {
      if geometry.strideWidth == geometry.dilationWidth { return sumsOfNeighbours(rows) }
      return geometry.strideWidth == 2 &* geometry.dilationWidth
        ? sumsOfOverlapping(rows) : sumsApart(rows)
    }

    /// Computes the sums of a single window.
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

    /// Computes the sums of four windows that share no columns.
    @inline(__always)
    private func sumsApart(_ rows: Lines) -> FourWindows<BlockSums> {
      var sums = FourWindows(repeating: BlockSums())
      addColumn(0, ofEach: rows, to: &sums)
      addColumn(1, ofEach: rows, to: &sums)
      addColumn(2, ofEach: rows, to: &sums)
      addEach(3, to: &sums) { window in
        interleavedWords(
          words(rows.2.pixel(window: window, column: 0)),
          words(rows.2.pixel(window: window, column: 1)))
      }
      addEach(4, to: &sums) { window in
        interleavedWords(words(rows.2.pixel(window: window, column: 2)), SumVector())
      }
      return sums
    }

    /// Adds the products of one column in the upper two rows; `column` is a literal at every call.
    @inline(__always)
    private func addColumn(
      _ column: Int, ofEach rows: Lines, to sums: inout FourWindows<BlockSums>
    ) {
      addEach(column, to: &sums) { window in
        interleavedWords(
          words(rows.0.pixel(window: window, column: column)),
          words(rows.1.pixel(window: window, column: column)))
      }
    }

    /// Computes the sums of four windows, each of which begins with the last column of the one
    /// before.
    @inline(__always)
    private func sumsOfOverlapping(_ rows: Lines) -> FourWindows<BlockSums> {
      var sums = FourWindows(repeating: BlockSums())
      let upper = { (column: Int) in upperWords(rows, column, last: 8) }
      let w2 = upper(2), w4 = upper(4), w6 = upper(6)
      add(upper(0), upper(1), w2, to: &sums.a)
      add(w2, upper(3), w4, to: &sums.b)
      add(w4, upper(5), w6, to: &sums.c)
      add(w6, upper(7), upper(8), to: &sums.d)
      let lower = { (column: Int) in words(rows.2.pixel(column, last: 8)) }
      let y2 = lower(2), y4 = lower(4), y6 = lower(6)
      addRow(lower(0), lower(1), y2, to: &sums.a)
      addRow(y2, lower(3), y4, to: &sums.b)
      addRow(y4, lower(5), y6, to: &sums.c)
      addRow(y6, lower(7), lower(8), to: &sums.d)
      return sums
    }

    /// Computes the sums of four windows, each of which begins with the second column of the one
    /// before.
    @inline(__always)
    private func sumsOfNeighbours(_ rows: Lines) -> FourWindows<BlockSums> {
      var sums = FourWindows(repeating: BlockSums())
      let upper = { (column: Int) in upperWords(rows, column, last: 5) }
      let w1 = upper(1), w2 = upper(2), w3 = upper(3), w4 = upper(4)
      add(upper(0), w1, w2, to: &sums.a)
      add(w1, w2, w3, to: &sums.b)
      add(w2, w3, w4, to: &sums.c)
      add(w3, w4, upper(5), to: &sums.d)
      let lower = { (column: Int) in words(rows.2.pixel(column, last: 5)) }
      let y1 = lower(1), y2 = lower(2), y3 = lower(3), y4 = lower(4)
      addRow(lower(0), y1, y2, to: &sums.a)
      addRow(y1, y2, y3, to: &sums.b)
      addRow(y2, y3, y4, to: &sums.c)
      addRow(y3, y4, lower(5), to: &sums.d)
      return sums
    }

    /// Loads a column of the upper two rows.
    @inline(__always)
    private func upperWords(_ rows: Lines, _ column: Int, last: Int) -> Words {
      interleavedWords(
        words(rows.0.pixel(column, last: last)), words(rows.1.pixel(column, last: last)))
    }

    /// Adds the products of a window's columns in the upper two rows.
    @inline(__always)
    private func add(_ a: Words, _ b: Words, _ c: Words, to sums: inout BlockSums) {
      add(0, a, to: &sums)
      add(1, b, to: &sums)
      add(2, c, to: &sums)
    }

    /// Adds the products of a window's last row.
    @inline(__always)
    private func addRow(
      _ a: SumVector, _ b: SumVector, _ c: SumVector, to sums: inout BlockSums
    ) {
      add(3, a, b, to: &sums)
      add(4, c, SumVector(), to: &sums)
    }

    @inline(__always)
    private func words(_ pixel: UnsafeRawPointer) -> SumVector {
      loadWidened(pixel, isSigned: Bytes.isSigned)
    }

    /// Adds the products of a pair of taps of each of four windows.
    @inline(__always)
    private func addEach(
      _ pair: Int, to sums: inout FourWindows<BlockSums>,
      words: (_ window: Int) -> Words
    ) {
      add(pair, words(0), to: &sums.a)
      add(pair, words(1), to: &sums.b)
      add(pair, words(2), to: &sums.c)
      add(pair, words(3), to: &sums.d)
    }

    /// Adds the products of a pair of taps of one window.
    @inline(__always)
    private func add(_ pair: Int, _ a: SumVector, _ b: SumVector, to sums: inout BlockSums) {
      add(pair, interleavedWords(a, b), to: &sums)
    }

    @inline(__always)
    private func add(_ pair: Int, _ words: Words, to sums: inout BlockSums) {
      let weights = address + 2 &* pair &* sumVectorBytes
      sums.first = dot(sums.first, words.low, loadSums(weights))
      sums.second = dot(sums.second, words.high, loadSums(weights + sumVectorBytes))
    }

    /// Writes the results of `count` windows; `count` is a literal at every call.
    @inline(__always)
    private func write(
      _ sums: FourWindows<BlockSums>, count: Int, to destination: ResultDestination
    ) {
      let a = result(sums.a), b = result(sums.b), c = result(sums.c), d = result(sums.d)
      first.write(a.first, b.first, c.first, d.first, count: count, to: destination)
      var destination = destination
      destination.output += SumVector.scalarCount &* Writer.outputBytes
      second.write(a.second, b.second, c.second, d.second, count: count, to: destination)
    }

    @inline(__always)
    private func result(_ sums: BlockSums) -> BlockSums {
      let (first, second) = wordsInOrder(low: sums.first, high: sums.second)
      return BlockSums(first: first &+ start.first, second: second &+ start.second)
    }
  }
#endif
