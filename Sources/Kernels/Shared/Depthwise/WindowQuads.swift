import OcellusKernelABI

#if WINDOW_QUADS
  // Four taps of a window are read in place, for any shape of window, and transposed in registers
  // so that a lane holds the four elements of one channel. Byte unpacking does that in eight
  // instructions for 64 channels, in an order that byte packing undoes (see `QuadBlocks`). Nothing
  // is copied, and windows that share nothing, at borders or with large strides, are computed like
  // any others.

  /// The strategy that reads four taps of a window at a time.
  enum WindowQuadsStrategy: QuantizedDepthwiseStrategy {
    static var name: StaticString { "window-quads" }

    static func refusal(_ geometry: PatchGeometry) -> StrategyRefusal? {
      geometry.channels < QuadBlocks.channelsPerBlock ? .fewChannels : nil
    }

    static func packedByteCount(_ geometry: PatchGeometry) -> Int {
      QuadPacking.byteCount(geometry)
    }

    static func pack(_ arguments: QuantizedDepthwisePackingArguments) {
      packWindowQuads(arguments)
    }

    static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
      WindowQuads<PlainWriter>.scratchByteCount(geometry)
    }

    static func run<Writer: SumWriter>(
      _ arguments: WindowBlock<QuantizedEpilogue>, _ scaling: Writer.Scaling, _: Writer.Type
    ) {
      WindowQuads<Writer>(arguments: arguments, scaling: scaling).run()
    }

    static func work(_ geometry: PatchGeometry) -> KernelWork {
      let blocks = QuadBlocks(channels: geometry.channels).count
      let windows = geometry.outputHeight * geometry.outputWidth
      let results = Double(4 * blocks * windows)
      let quads = Double(QuadPacking(geometry).taps / depthPerDot)
      return KernelWork(
        loops: Double(windows), loads: results * quads, results: results,
        products: results * quads)
    }
  }

  /// The depthwise convolution of a range of output pixels, four windows at once.
  struct WindowQuads<Writer: SumWriter> {
    var arguments: WindowBlock<QuantizedEpilogue>
    var scaling: Writer.Scaling

    // Scratch: a pixel of padding, the offsets of a window's taps, and the tap addresses of a range
    // of windows.

    private static func paddingBytes(_ geometry: PatchGeometry) -> Int {
      roundUp(geometry.channels, to: sumVectorBytes)
    }

    /// Returns the number of taps of a window, padded to whole vectors of addresses.
    private static func slots(_ geometry: PatchGeometry) -> Int {
      roundUp(QuadPacking(geometry).taps, to: WideVector.scalarCount)
    }

    /// Returns the number of windows whose tap addresses are computed at once: the table stays in
    /// the L1 cache.
    private static func bandWindows(_ geometry: PatchGeometry) -> Int {
      larger(4, 8 * 1024 / (slots(geometry) * MemoryLayout<Int>.size) & ~3)
    }

    static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
      paddingBytes(geometry)
        + (1 + bandWindows(geometry)) * slots(geometry) * MemoryLayout<Int>.size
    }

    @inline(__always)
    func run() {
      let geometry = arguments.patches
      let packing = QuadPacking(geometry)
      let blocks = QuadBlocks(channels: geometry.channels)
      let indirection = WindowIndirection(
        geometry: geometry, input: arguments.input, padding: preparedPadding(),
        slots: Self.slots(geometry), memory: arguments.scratch + Self.paddingBytes(geometry))
      let bandWindows = Self.bandWindows(geometry)
      let pixelBytes = geometry.channels &* Writer.outputBytes
      var pixel = arguments.pixels.lowerBound
      while pixel < arguments.pixels.upperBound {
        let end = smaller(arguments.pixels.upperBound, pixel &+ bandWindows)
        let windows = Range(uncheckedBounds: (pixel, end))
        indirection.find(windows)
        var block = arguments.packed + PackedHeader.byteCount
        for index in 0..<blocks.count {
          let channel = blocks.firstChannel(index)
          let run = WindowQuadRun(
            table: indirection.table, slots: indirection.slots, taps: packing.taps,
            windows: windows.count, channel: channel,
            output: arguments.output + (pixel &* pixelBytes &+ channel &* Writer.outputBytes),
            outputStep: pixelBytes)
          let terms = DepthwiseBlockHeader(block).terms
          convolve(run, block, terms: terms)
          block += packing.blockBytes(terms: terms)
        }
        pixel = end
      }
    }

    /// Fills a pixel with padding.
    @inline(__always)
    private func preparedPadding() -> UnsafeRawPointer {
      let zero = everyByte(UInt8(truncatingIfNeeded: arguments.epilogue.inputFormat.zeroPoint))
      var offset = 0
      while offset < Self.paddingBytes(arguments.patches) {
        store(zero, to: arguments.scratch + offset)
        offset &+= sumVectorBytes
      }
      return UnsafeRawPointer(arguments.scratch)
    }

    /// Loads four taps of a window as `dot` takes them.
    @inline(__always)
    private func read(
      _ taps: UnsafePointer<UnsafeRawPointer>, _ run: WindowQuadRun, _ signToggle: SumVector
    ) -> QuadSums {
      let load = { (index: Int) in loadSums(taps[index] + run.channel) ^ signToggle }
      let quads = interleavedInSegments(load(0), load(1), load(2), load(3))
      return QuadSums(v0: quads.0, v1: quads.1, v2: quads.2, v3: quads.3)
    }

    /// Computes a block's channels of windows, four windows at a time, and a last one on its own.
    @inline(never)
    private func convolve(_ run: WindowQuadRun, _ block: UnsafeRawPointer, terms: Int) {
      let heads = block + DepthwiseBlockHeader.byteCount
      let weights = heads + 4 &* scaleBytes
      let start = QuadSums(
        v0: loadSums(heads), v1: loadSums(heads + scaleBytes),
        v2: loadSums(heads + 2 &* scaleBytes), v3: loadSums(heads + 3 &* scaleBytes))
      let scales = heads + sumVectorBytes
      let writer0 = Writer(scales, scaling), writer1 = Writer(scales + scaleBytes, scaling)
      let writer2 = Writer(scales + 2 &* scaleBytes, scaling)
      let writer3 = Writer(scales + 3 &* scaleBytes, scaling)
      let signToggle = SumVector(
        repeating: arguments.epilogue.inputFormat.isSigned ? Int32(bitPattern: 0x8080_8080) : 0)
      @inline(__always)
      func write(_ sums: QuadSums, _ window: Int) {
        let results = QuadSums(
          v0: writer0.result(sums.v0), v1: writer1.result(sums.v1),
          v2: writer2.result(sums.v2), v3: writer3.result(sums.v3))
        // The last window replaces missing ones.
        let offset = smaller(window, run.windows &- 1) &* run.outputStep
        Writer.write(results, scaling, to: run.output + offset)
      }
      let steps = run.taps / 4
      var window = 0
      while window &+ 1 < run.windows {
        var a = start, b = start, c = start, d = start
        var weight = weights
        for _ in 0..<terms {
          var entry = run.table + window &* run.slots
          for _ in 0..<steps {
            let w = QuadSums(vectors: weight)
            a.add(read(entry, run, signToggle), w)
            b.add(read(entry + run.slots, run, signToggle), w)
            c.add(read(entry + 2 &* run.slots, run, signToggle), w)
            d.add(read(entry + 3 &* run.slots, run, signToggle), w)
            entry += 4
            weight += 4 &* sumVectorBytes
          }
        }
        write(a, window)
        write(b, window &+ 1)
        write(c, window &+ 2)
        write(d, window &+ 3)
        window &+= 4
      }
      guard window < run.windows else { return }
      var sums = start
      var weight = weights
      for _ in 0..<terms {
        var entry = run.table + window &* run.slots
        for _ in 0..<steps {
          sums.add(read(entry, run, signToggle), QuadSums(vectors: weight))
          entry += 4
          weight += 4 &* sumVectorBytes
        }
      }
      write(sums, window)
    }
  }

  /// A run of neighbouring windows and a block of their channels.
  struct WindowQuadRun {
    /// The tap addresses of the windows, and the entries per window.
    var table: UnsafePointer<UnsafeRawPointer>
    var slots: Int
    var taps: Int
    var windows: Int
    var channel: Int
    var output: UnsafeMutableRawPointer
    /// The distance in bytes between results.
    var outputStep: Int
  }

  /// The sums of 64 channels: a vector for each quarter of every 16 channels.
  struct QuadSums {
    var v0, v1, v2, v3: SumVector

    @inline(__always)
    init(v0: SumVector, v1: SumVector, v2: SumVector, v3: SumVector) {
      (self.v0, self.v1, self.v2, self.v3) = (v0, v1, v2, v3)
    }

    @inline(__always)
    init(vectors: UnsafeRawPointer) {
      v0 = loadSums(vectors)
      v1 = loadSums(vectors + sumVectorBytes)
      v2 = loadSums(vectors + 2 &* sumVectorBytes)
      v3 = loadSums(vectors + 3 &* sumVectorBytes)
    }

    @inline(__always)
    mutating func add(_ activations: QuadSums, _ weights: QuadSums) {
      v0 = dot(v0, activations.v0, weights.v0)
      v1 = dot(v1, activations.v1, weights.v1)
      v2 = dot(v2, activations.v2, weights.v2)
      v3 = dot(v3, activations.v3, weights.v3)
    }
  }
#endif
