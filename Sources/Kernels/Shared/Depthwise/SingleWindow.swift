import OcellusKernelABI

/// The strategy that reads the only window of an image in place.
enum SingleWindowStrategy: QuantizedDepthwiseStrategy {
  static var name: StaticString { "single-window" }

  static func refusal(_ geometry: PatchGeometry) -> StrategyRefusal? {
    geometry.hasSingleWindow ? nil : .severalWindows
  }

  static func packedByteCount(_ geometry: PatchGeometry) -> Int { packedWindowsByteCount(geometry) }

  static func pack(_ arguments: QuantizedDepthwisePackingArguments) { packWindows(arguments) }

  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    SingleWindowConvolution<PlainWriter>.scratchByteCount(geometry)
  }

  static func run<Writer: SumWriter>(
    _ arguments: WindowBlock<QuantizedEpilogue>, _ scaling: Writer.Scaling, _: Writer.Type
  ) {
    SingleWindowConvolution<Writer>(arguments: arguments, scaling: scaling).run()
  }

  static func work(_ geometry: PatchGeometry) -> KernelWork {
    let packing = DepthwisePacking(height: geometry.windowHeight, width: geometry.windowWidth)
    let lanes = SumVector.scalarCount
    let results = Double((geometry.channels + lanes - 1) / lanes)
    return KernelWork(
      loops: 1, loads: results * Double(packing.taps), results: results,
      products: results * Double(packing.taps))
  }
}

/// A depthwise convolution with a single window per image, as in streaming models.
///
/// No windows share interleaved rows, so rows are interleaved just before the multiplication. The
/// weights are packed as for `InterleavedWindows`.
struct SingleWindowConvolution<Writer: SumWriter> {
  var arguments: WindowBlock<QuantizedEpilogue>
  var scaling: Writer.Scaling

  // Scratch: a vector for results, the ends of four rows, and the taps of the window.

  private static var endBytes: Int { 4 * SumVector.scalarCount }

  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    let window = geometry.folded
    let groups = InterleavedLayout.groups(window.windowHeight)
    let tapBytes = window.windowWidth * groups * MemoryLayout<Tap>.size
    return sumVectorBytes + endBytes + roundUp(tapBytes, to: 64)
  }

  /// The offsets of the pixels of a lane from the first of the image.
  private struct Tap {
    var offset0, offset1, offset2, offset3: Int
  }

  /// The taps of the window, in the order of their weights.
  private var taps: UnsafeMutablePointer<Tap> {
    @inline(__always)
    get {
      (arguments.scratch + (sumVectorBytes &+ Self.endBytes)).assumingMemoryBound(to: Tap.self)
    }
  }

  @inline(__always)
  func run() {
    let geometry = arguments.patches
    let packing = DepthwisePacking(height: geometry.windowHeight, width: geometry.windowWidth)
    let count = findTaps()
    let imageBytes = geometry.inputHeight &* geometry.inputWidth &* geometry.pixelStride
    let isSigned = arguments.epilogue.inputFormat.isSigned
    for image in arguments.pixels {
      let input = arguments.input + image &* imageBytes
      let output = arguments.output + image &* geometry.channels &* Writer.outputBytes
      if isSigned {
        convolve(input, tapCount: count, packing, isSigned: true, to: output)
      } else {
        convolve(input, tapCount: count, packing, isSigned: false, to: output)
      }
    }
  }

  /// Stores the taps of the window, and returns their number.
  @inline(__always)
  private func findTaps() -> Int {
    let geometry = arguments.patches, window = geometry.folded
    let rowBytes = geometry.inputWidth &* geometry.pixelStride
    let isFolded = geometry.foldsColumns
    let count = isFolded ? geometry.windowWidth : geometry.windowHeight
    let step =
      isFolded
      ? geometry.dilationWidth &* geometry.pixelStride : geometry.dilationHeight &* rowBytes
    let columnStep = window.dilationWidth &* geometry.pixelStride
    let groups = InterleavedLayout.groups(window.windowHeight)
    var index = 0
    for column in 0..<window.windowWidth {
      for group in 0..<groups {
        let first = (isFolded ? column : group) &* depthPerDot
        // Elements that pad the last lanes have weights of zero, so any pixel will do.
        let offset = { (element: Int) in
          (isFolded ? 0 : column &* columnStep)
            &+ (first &+ element < count ? (first &+ element) &* step : 0)
        }
        taps[index] = Tap(
          offset0: offset(0), offset1: offset(1), offset2: offset(2), offset3: offset(3))
        index &+= 1
      }
    }
    return index
  }

  /// Computes one image; `isSigned` is a literal at every call.
  @inline(__always)
  private func convolve(
    _ input: UnsafeRawPointer, tapCount: Int, _ packing: DepthwisePacking, isSigned: Bool,
    to output: UnsafeMutableRawPointer
  ) {
    let lanes = SumVector.scalarCount
    let channels = arguments.patches.channels
    var pixel = input
    var destination = ResultDestination(
      output: output, stride: 0, pairStride: 0, width: lanes, scratch: arguments.scratch)
    var block = arguments.packed + PackedHeader.byteCount
    for _ in 0..<channels / lanes {
      let terms = convolve(block, packing, tapCount: tapCount, to: destination) { tap in
        interleaved(
          pixel + tap.offset0, pixel + tap.offset1, pixel + tap.offset2, pixel + tap.offset3,
          isSigned: isSigned)
      }
      block += packing.blockBytes(terms: terms)
      pixel += lanes
      destination.output += lanes &* Writer.outputBytes
    }
    destination.width = channels % lanes
    guard destination.width > 0 else { return }
    let end = endOfImage(input)
    let copies = arguments.scratch + sumVectorBytes
    /// Returns the last channels of a row, or a copy if a vector load would exceed the image.
    @inline(__always)
    func readable(_ address: UnsafeRawPointer, _ number: Int) -> UnsafeRawPointer {
      if address + lanes <= end { return address }
      let copy = copies + number &* lanes
      copyBytes(address, to: copy, count: destination.width)
      return UnsafeRawPointer(copy)
    }
    _ = convolve(block, packing, tapCount: tapCount, to: destination) { tap in
      interleaved(
        readable(pixel + tap.offset0, 0), readable(pixel + tap.offset1, 1),
        readable(pixel + tap.offset2, 2),
        readable(pixel + tap.offset3, 3), isSigned: isSigned)
    }
  }

  /// Computes one block of channels from the activations of every tap.
  ///
  /// - Returns: the number of terms of the weights.
  @inline(__always)
  private func convolve(
    _ block: UnsafeRawPointer, _ packing: DepthwisePacking, tapCount: Int,
    to destination: ResultDestination,
    _ activations: (Tap) -> SumVector
  ) -> Int {
    let starts = block + DepthwiseBlockHeader.byteCount
    let terms = DepthwiseBlockHeader(block).terms
    let taps = taps
    var weights = starts + scaleBytes
    var sum = loadSums(starts)
    for _ in 0..<terms {
      for tap in 0..<tapCount {
        sum = dot(sum, activations(taps[tap]), loadSums(weights))
        weights += packing.outputRows &* sumVectorBytes
      }
    }
    Writer(starts + sumVectorBytes, scaling).write(sum, sum, sum, sum, count: 1, to: destination)
    return terms
  }

  /// Returns the end of the channels of the last pixel.
  @inline(__always)
  private func endOfImage(_ image: UnsafeRawPointer) -> UnsafeRawPointer {
    let geometry = arguments.patches
    let pixels = geometry.inputHeight &* geometry.inputWidth
    return image + ((pixels &- 1) &* geometry.pixelStride &+ geometry.channels)
  }
}

extension PatchGeometry {
  /// Whether each image has a single window, without padding.
  @inline(__always)
  var hasSingleWindow: Bool {
    outputHeight == 1 && outputWidth == 1 && paddingTop == 0 && paddingLeft == 0
      && (windowHeight &- 1) &* dilationHeight < inputHeight
      && (windowWidth &- 1) &* dilationWidth < inputWidth
  }
}
