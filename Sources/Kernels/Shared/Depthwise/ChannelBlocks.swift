import OcellusKernelABI

/// The mapping of the channels of a depthwise convolution to vectors.
///
/// If the channels do not fill vectors, neighbouring pixels may be stored without gaps: 24 channels
/// of two pixels are three vectors of 16. Weights are then packed once for every lane at which a
/// pixel may begin. If that takes too many copies, the last vector of every pixel is padded
/// instead.
struct ChannelBlocks {
  var channels: Int
  /// The number of blocks of packed weights: the vectors until a pixel begins at a vector again.
  var count: Int
  /// Whether pixels are stored without gaps.
  var isDense: Bool
  /// The number of blocks of a channel slice, which are computed together: all of them if pixels
  /// share vectors.
  var blocksPerSlice: Int

  @inline(__always)
  init(channels: Int) {
    self.channels = channels
    let lanes = SumVector.scalarCount
    let filled = (channels &+ lanes &- 1) / lanes
    let repeated = channels / ChannelBlocks.commonDivisor(channels, lanes)
    #if PLANAR_PAIRS
      // A vector cannot be loaded across two others.
      isDense = channels % lanes == 0
    #else
      isDense = repeated == filled || (channels < 4 &* lanes && repeated <= 2 &* filled &+ 2)
    #endif
    count = isDense ? repeated : filled
    let isShared = isDense && repeated != filled
    let suitsSlices = channels > 256 || channels % 64 == 0
    blocksPerSlice = suitsSlices && !isShared ? smaller(count, 64 / lanes) : count
  }

  /// The distance in lanes from one pixel to the next in a channel slice.
  @inline(__always)
  var pixelLanes: Int {
    isDense && blocksPerSlice == count ? channels : blocksPerSlice &* SumVector.scalarCount
  }

  /// Whether a channel slice has all channels, and pixels are stored without gaps.
  @inline(__always)
  var slicesAreContiguous: Bool { isDense && blocksPerSlice == count }

  /// The number of lanes after which the blocks of a slice repeat: those of one pixel or, if pixels
  /// share vectors, of several.
  @inline(__always)
  var periodLanes: Int { blocksPerSlice &* SumVector.scalarCount }

  /// Whether vectors hold channels of several pixels.
  @inline(__always)
  var shareVectors: Bool { pixelLanes < periodLanes }

  /// Returns the channel of a lane, or `nil` for padding.
  func channel(block: Int, lane: Int) -> Int? {
    let index = block &* SumVector.scalarCount &+ lane
    if isDense { return index % channels }
    return index < channels ? index : nil
  }

  /// Returns the greatest common divisor; `lanes` must be a power of two.
  @inline(__always)
  private static func commonDivisor(_ channels: Int, _ lanes: Int) -> Int {
    smaller(channels & (0 &- channels), lanes)
  }
}
