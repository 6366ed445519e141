import OcellusKernelABI

#if DIRECT_WINDOWS
  // Packed weights are a `PackedHeader` and blocks of two vectors of channels. A block has initial
  // sums and multipliers (`scaleBytes` together) for each of its vectors, and then two vectors of
  // weights for every pair of taps, in the order of `interleavedWords`.

  /// The mapping of channels to blocks.
  ///
  /// The last block ends with the last channel, so that it may overlap the block before; both
  /// compute the same results.
  struct DirectBlocks {
    var channels: Int

    @inline(__always)
    static var channelsPerBlock: Int { 2 &* SumVector.scalarCount }

    /// The number of pairs of taps of a window; the last one has a single tap.
    @inline(__always)
    static var pairs: Int { 5 }

    /// Returns a tap of a pair, counted row by row.
    ///
    /// The first three pairs are columns of the upper two rows; the others are two taps of the last
    /// row.
    @inline(__always)
    static func tap(_ pair: Int, second isSecond: Bool) -> Int? {
      if pair < 3 { return isSecond ? pair &+ 3 : pair }
      let tap = 2 &* pair &+ (isSecond ? 1 : 0)
      return tap < 9 ? tap : nil
    }

    @inline(__always)
    static var weightBytes: Int { 2 &* pairs &* sumVectorBytes }

    @inline(__always)
    static var byteCount: Int { 2 &* scaleBytes &+ weightBytes }

    @inline(__always)
    var count: Int {
      (channels &+ DirectBlocks.channelsPerBlock &- 1) / DirectBlocks.channelsPerBlock
    }

    @inline(__always)
    func firstChannel(_ block: Int) -> Int {
      smaller(block &* DirectBlocks.channelsPerBlock, channels &- DirectBlocks.channelsPerBlock)
    }
  }

  /// Packs the weights for windows that are read in place.
  func packDirectWindows(_ arguments: QuantizedDepthwisePackingArguments) {
    let blocks = DirectBlocks(channels: arguments.geometry.channels)
    var block = arguments.packed + PackedHeader.byteCount
    for index in 0..<blocks.count {
      let channel = blocks.firstChannel(index)
      fillWithZeros(block, count: 2 &* scaleBytes)
      let sums = packWeights(arguments, channel, to: block + 2 &* scaleBytes)
      store(sums.first, to: block)
      store(sums.second, to: block + scaleBytes)
      for lane in 0..<SumVector.scalarCount {
        arguments.packStart(of: channel &+ lane, lane: lane, to: block)
        arguments.packStart(
          of: channel &+ SumVector.scalarCount &+ lane, lane: lane, to: block + scaleBytes)
      }
      block += DirectBlocks.byteCount
    }
  }

  /// Packs the weights of a block of channels, and returns their sums.
  @inline(__always)
  private func packWeights(
    _ arguments: QuantizedDepthwisePackingArguments, _ channel: Int,
    to target: UnsafeMutableRawPointer
  ) -> BlockSums {
    let format = arguments.filterFormat
    let ones = SumVector(repeating: 0x0001_0001)
    let weights = { (tap: Int?) -> SumVector in
      guard let tap else { return SumVector() }
      let bytes = arguments.filter + (tap &* arguments.geometry.channels &+ channel)
      return subtractFromWords(
        loadWidened(bytes, isSigned: format.isSigned), format.zeroPoint)
    }
    var sums = BlockSums()
    for pair in 0..<DirectBlocks.pairs {
      let words = interleavedWords(
        weights(DirectBlocks.tap(pair, second: false)),
        weights(DirectBlocks.tap(pair, second: true)))
      sums.first = dot(sums.first, words.low, ones)
      sums.second = dot(sums.second, words.high, ones)
      store(words.low, to: target + 2 &* pair &* sumVectorBytes)
      store(words.high, to: target + (2 &* pair &+ 1) &* sumVectorBytes)
    }
    let (first, second) = wordsInOrder(low: sums.first, high: sums.second)
    return BlockSums(first: first, second: second)
  }
#endif
