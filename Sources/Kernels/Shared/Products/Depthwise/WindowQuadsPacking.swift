import OcellusKernelABI

#if WINDOW_QUADS
  // Packed weights are a `PackedHeader` and blocks of 64 channels. A block is a `DepthwiseBlockHeader`, starting sums
  // and multipliers (`scaleBytes` together) for each of its four vectors, and four vectors of weights for every four
  // places of the window, line by line; then again for what is left of weights beyond eight bits.

  /// How channels are dealt out to blocks, and to the lanes of their vectors.
  ///
  /// The last block ends where the channels do, so that it may share some with the one before: both compute the same
  /// results.
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

    /// The channel of a block that a lane of one of its vectors has: unpacking and packing work in parts of 16 bytes.
    @inline(__always)
    static func channel(vector: Int, lane: Int) -> Int {
      lane / 4 &* 16 &+ vector &* 4 &+ lane % 4
    }
  }

  /// The sizes of packed windows.
  struct QuadPacking {
    /// The places of a window, filled up to what `dot` takes.
    var places: Int

    @inline(__always)
    init(_ geometry: PatchGeometry) {
      places = roundUp(geometry.windowHeight &* geometry.windowWidth, to: depthPerDot)
    }

    @inline(__always)
    var partBytes: Int { places &* QuadBlocks.channelsPerBlock }

    @inline(__always)
    func blockBytes(parts: Int) -> Int {
      DepthwiseBlockHeader.byteCount &+ 4 &* scaleBytes &+ parts &* partBytes
    }

    static func byteCount(_ geometry: PatchGeometry) -> Int {
      QuadBlocks(channels: geometry.channels).count
        * QuadPacking(geometry).blockBytes(parts: DepthwisePacking.maximumParts)
    }
  }

  /// Packs the weights of windows that are read where they lie.
  func packWindowQuads(_ arguments: QuantizedDepthwisePackingArguments) {
    let packing = QuadPacking(arguments.geometry)
    let blocks = QuadBlocks(channels: arguments.geometry.channels)
    var block = arguments.packed + PackedHeader.byteCount
    for index in 0..<blocks.count {
      fillWithZeros(block, count: packing.blockBytes(parts: DepthwisePacking.maximumParts))
      let heads = block + DepthwiseBlockHeader.byteCount
      var parts = 1
      for vector in 0..<4 {
        let head = heads + vector &* scaleBytes
        for lane in 0..<SumVector.scalarCount {
          let channel =
            blocks.firstChannel(index) &+ QuadBlocks.channel(vector: vector, lane: lane)
          let weights =
            heads + (4 &* scaleBytes &+ vector &* sumVectorBytes &+ lane &* depthPerDot)
          let packed = packChannel(arguments, channel, packing, to: weights)
          store(packed.sum, to: head + lane &* 4)
          parts = larger(parts, packed.parts)
          arguments.packStart(of: channel, lane: lane, to: head)
        }
      }
      store(Int32(truncatingIfNeeded: parts), to: block)
      block += packing.blockBytes(parts: parts)
    }
  }

  /// Packs the weights of one channel and returns their sum and the parts they take.
  private func packChannel(
    _ arguments: QuantizedDepthwisePackingArguments, _ channel: Int, _ packing: QuadPacking,
    to lane: UnsafeMutableRawPointer
  ) -> (sum: Int32, parts: Int) {
    let (geometry, format) = (arguments.geometry, arguments.filterFormat)
    var sum: Int32 = 0
    var parts = 1
    for place in 0..<geometry.windowHeight &* geometry.windowWidth {
      let byte = loadByte(
        arguments.filter + (place &* geometry.channels &+ channel), isSigned: format.isSigned)
      let weight = byte &- format.zeroPoint
      let quad = place / depthPerDot &* 4 &* sumVectorBytes
      sum &+= weight
      parts = larger(
        parts,
        storeParts(weight, to: lane + (quad &+ place % depthPerDot), apart: packing.partBytes))
    }
    return (sum, parts)
  }
#endif
