import OcellusKernelABI

#if WINDOW_QUADS
  // Packed weights are a `PackedHeader` and blocks of 64 channels. A block has a
  // `DepthwiseBlockHeader`, initial sums and multipliers (`scaleBytes` together) for each of its
  // four vectors, and four vectors of weights for every four taps, row by row. Further terms of
  // weights beyond eight bits follow.

  /// The mapping of channels to blocks, and to the lanes of their vectors.
  ///
  /// The last block ends with the last channel, so that it may overlap the block before; both
  /// compute the same results.
  struct QuadBlocks {
    var channels: Int

    @inline(__always)
    static var channelsPerBlock: Int { 64 }

    @inline(__always)
    var count: Int { (channels &+ QuadBlocks.channelsPerBlock &- 1) / QuadBlocks.channelsPerBlock }

    @inline(__always)
    func firstChannel(_ block: Int) -> Int {
      smaller(block &* QuadBlocks.channelsPerBlock, channels &- QuadBlocks.channelsPerBlock)
    }

    /// Returns the channel of a lane in its block: byte unpacking and packing work in 128-bit
    /// lanes.
    @inline(__always)
    static func channel(vector: Int, lane: Int) -> Int {
      lane / 4 &* 16 &+ vector &* 4 &+ lane % 4
    }
  }

  /// The dimensions of packed windows.
  struct QuadPacking {
    /// The number of taps of a window, padded to a multiple of `depthPerDot`.
    var taps: Int

    @inline(__always)
    init(_ geometry: PatchGeometry) {
      taps = roundUp(geometry.windowHeight &* geometry.windowWidth, to: depthPerDot)
    }

    @inline(__always)
    var termBytes: Int { taps &* QuadBlocks.channelsPerBlock }

    @inline(__always)
    func blockBytes(terms: Int) -> Int {
      DepthwiseBlockHeader.byteCount &+ 4 &* scaleBytes &+ terms &* termBytes
    }

    static func byteCount(_ geometry: PatchGeometry) -> Int {
      QuadBlocks(channels: geometry.channels).count
        * QuadPacking(geometry).blockBytes(terms: DepthwisePacking.maximumTerms)
    }
  }

  /// Packs the weights for windows that are read in place.
  func packWindowQuads(_ arguments: QuantizedDepthwisePackingArguments) {
    let packing = QuadPacking(arguments.geometry)
    let blocks = QuadBlocks(channels: arguments.geometry.channels)
    var block = arguments.packed + PackedHeader.byteCount
    for index in 0..<blocks.count {
      fillWithZeros(block, count: packing.blockBytes(terms: DepthwisePacking.maximumTerms))
      let heads = block + DepthwiseBlockHeader.byteCount
      var terms = 1
      for vector in 0..<4 {
        let head = heads + vector &* scaleBytes
        for lane in 0..<SumVector.scalarCount {
          let channel =
            blocks.firstChannel(index) &+ QuadBlocks.channel(vector: vector, lane: lane)
          let weights =
            heads + (4 &* scaleBytes &+ vector &* sumVectorBytes &+ lane &* depthPerDot)
          let packed = packChannel(arguments, channel, packing, to: weights)
          store(packed.sum, to: head + lane &* 4)
          terms = larger(terms, packed.terms)
          arguments.packStart(of: channel, lane: lane, to: head)
        }
      }
      store(Int32(truncatingIfNeeded: terms), to: block)
      block += packing.blockBytes(terms: terms)
    }
  }

  /// Packs the weights of one channel, and returns their sum and their number of terms.
  private func packChannel(
    _ arguments: QuantizedDepthwisePackingArguments, _ channel: Int, _ packing: QuadPacking,
    to lane: UnsafeMutableRawPointer
  ) -> (sum: Int32, terms: Int) {
    let (geometry, format) = (arguments.geometry, arguments.filterFormat)
    var sum: Int32 = 0
    var terms = 1
    for tap in 0..<geometry.windowHeight &* geometry.windowWidth {
      let byte = loadByte(
        arguments.filter + (tap &* geometry.channels &+ channel), isSigned: format.isSigned)
      let weight = byte &- format.zeroPoint
      let quad = tap / depthPerDot &* 4 &* sumVectorBytes
      sum &+= weight
      terms = larger(
        terms,
        storeTerms(weight, to: lane + (quad &+ tap % depthPerDot), apart: packing.termBytes))
    }
    return (sum, terms)
  }
#endif
