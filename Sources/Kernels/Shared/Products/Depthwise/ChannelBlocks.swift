import OcellusKernelABI

/// How the channels of a quantized depthwise convolution are dealt out to vectors.
///
/// Where the channels do not fill vectors, neighbouring pixels follow each other without a gap:
/// 24 channels of two pixels are three vectors of 16. Weights are then packed once for every place
/// where a pixel may begin in a vector. Where that would take many copies, the last vector of
/// every pixel is filled up instead.
struct ChannelBlocks {
  var channels: Int
  /// The vectors until a pixel begins where a vector does: blocks of packed weights.
  var count: Int
  /// Whether pixels follow each other without a gap.
  var isDense: Bool
  /// The blocks that are computed together, all of them if pixels share vectors.
  var perChunk: Int

  @inline(__always)
  init(channels: Int) {
    self.channels = channels
    let lanes = SumVector.scalarCount
    let filled = (channels &+ lanes &- 1) / lanes
    let repeated = channels / ChannelBlocks.commonDivisor(channels, lanes)
    #if PLANAR_PAIRS
      // A vector cannot be read from the middle of another on.
      isDense = channels % lanes == 0
    #else
      isDense = repeated == filled || (channels < 4 &* lanes && repeated <= 2 &* filled &+ 2)
    #endif
    count = isDense ? repeated : filled
    let isShared = isDense && repeated != filled
    let isWide = channels > 256 || channels % 64 == 0
    perChunk = isWide && !isShared ? smaller(count, 64 / lanes) : count
  }

  /// The lanes from a pixel to the next in a chunk of all or some channels.
  @inline(__always)
  var pixelLanes: Int {
    isDense && perChunk == count ? channels : perChunk &* SumVector.scalarCount
  }

  /// Whether a chunk has all channels and whole pixels follow each other.
  @inline(__always)
  var chunksAreLines: Bool { isDense && perChunk == count }

  /// The lanes after which the blocks of a chunk repeat: of one pixel or, if pixels share vectors,
  /// of several.
  @inline(__always)
  var periodLanes: Int { perChunk &* SumVector.scalarCount }

  /// Whether vectors hold channels of several pixels.
  @inline(__always)
  var shareVectors: Bool { pixelLanes < periodLanes }

  /// The channel of a lane, or `nil` if it is filled up.
  func channel(block: Int, lane: Int) -> Int? {
    let place = block &* SumVector.scalarCount &+ lane
    if isDense { return place % channels }
    return place < channels ? place : nil
  }

  /// `lanes` is a power of two.
  @inline(__always)
  private static func commonDivisor(_ channels: Int, _ lanes: Int) -> Int {
    smaller(channels & (0 &- channels), lanes)
  }
}
