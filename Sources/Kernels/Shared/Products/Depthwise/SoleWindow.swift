import OcellusKernelABI

/// A depthwise convolution of images that one window lies over, as models of streams have them.
///
/// No windows share what would be prepared for them: lines are interleaved where they meet their
/// weights, which are packed as ever.
struct SoleWindow<Writer: SumWriter> {
  var arguments: WindowBlock<QuantizedFinish>
  var scaling: Writer.Scaling

  /// A vector for results, and the places of the window.
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    let window = geometry.folded
    let groups = InterleavedLayout.groups(window.windowHeight)
    return sumVectorBytes + roundUp(window.windowWidth * groups * MemoryLayout<Tap>.size, to: 64)
  }

  /// How far the pixels that a lane holds are from the first of the image.
  private struct Tap {
    var line0, line1, line2, line3: Int
  }

  @inline(__always)
  func run() {
    let geometry = arguments.patches
    let packing = DepthwisePacking(height: geometry.windowHeight, width: geometry.windowWidth)
    let taps = (arguments.scratch + sumVectorBytes).assumingMemoryBound(to: Tap.self)
    let count = findTaps(taps)
    let imageBytes = geometry.inputHeight &* geometry.inputWidth &* geometry.pixelStride
    let isSigned = arguments.finish.inputFormat.isSigned
    for image in arguments.pixels {
      let input = arguments.input + image &* imageBytes
      let output = arguments.output + image &* geometry.channels &* Writer.outputBytes
      if isSigned {
        convolve(input, taps, count: count, packing, isSigned: true, to: output)
      } else {
        convolve(input, taps, count: count, packing, isSigned: false, to: output)
      }
    }
  }

  /// Notes the places of the window in the order of their weights, and returns how many there are.
  @inline(__always)
  private func findTaps(_ taps: UnsafeMutablePointer<Tap>) -> Int {
    let geometry = arguments.patches, window = geometry.folded
    let lineBytes = geometry.inputWidth &* geometry.pixelStride
    let isFolded = geometry.foldsColumns
    let count = isFolded ? geometry.windowWidth : geometry.windowHeight
    let step =
      isFolded
      ? geometry.dilationWidth &* geometry.pixelStride : geometry.dilationHeight &* lineBytes
    let columnStep = window.dilationWidth &* geometry.pixelStride
    let groups = InterleavedLayout.groups(window.windowHeight)
    var place = 0
    for column in 0..<window.windowWidth {
      for group in 0..<groups {
        let first = (isFolded ? column : group) &* depthPerDot
        // Places that fill up the last lanes have weights of zero: any will do.
        let line = { (line: Int) in
          (isFolded ? 0 : column &* columnStep)
            &+ (first &+ line < count ? (first &+ line) &* step : 0)
        }
        taps[place] = Tap(line0: line(0), line1: line(1), line2: line(2), line3: line(3))
        place &+= 1
      }
    }
    return place
  }

  /// `isSigned` is a literal at every call.
  @inline(__always)
  private func convolve(
    _ input: UnsafeRawPointer, _ taps: UnsafePointer<Tap>, count: Int, _ packing: DepthwisePacking,
    isSigned: Bool, to output: UnsafeMutableRawPointer
  ) {
    let lanes = SumVector.scalarCount
    var pixel = input
    var place = ResultPlace(
      output: output, stride: 0, pairStride: 0, width: lanes, scratch: arguments.scratch)
    var block = arguments.packed + PackedHeader.byteCount
    for _ in 0..<arguments.patches.channels / lanes {
      let starts = block + DepthwiseBlockHeader.byteCount
      let parts = DepthwiseBlockHeader(block).parts
      var weights = starts + scaleBytes
      var sum = loadSums(starts)
      for _ in 0..<parts {
        for tap in 0..<count {
          let lines = taps[tap]
          let activations = interleaved(
            pixel + lines.line0, pixel + lines.line1, pixel + lines.line2, pixel + lines.line3,
            isSigned: isSigned)
          sum = dot(sum, activations, loadSums(weights))
          weights += packing.lines &* sumVectorBytes
        }
      }
      Writer(starts + sumVectorBytes, scaling).write(sum, sum, sum, sum, count: 1, to: place)
      block += packing.blockBytes(parts: parts)
      pixel += lanes
      place.output += lanes &* Writer.outputBytes
    }
  }
}

extension PatchGeometry {
  /// Whether one window lies over every image, without padding, and its channels fill vectors.
  @inline(__always)
  var hasSoleWindow: Bool {
    outputHeight == 1 && outputWidth == 1 && paddingTop == 0 && paddingLeft == 0
      && channels % SumVector.scalarCount == 0
      && (windowHeight &- 1) &* dilationHeight < inputHeight
      && (windowWidth &- 1) &* dilationWidth < inputWidth
  }
}
