import OcellusKernelABI

// Not taken: slices of channels from top to bottom, whose rows stay in the L1 cache (a tenth
// slower: beginning a slice costs more than rows from the L2 cache).
/// The traversal order of windows and channels: the strategies of float depthwise convolutions.
///
/// Every sum adds its terms in the same order. All strategies compute windows at borders one by
/// one.
enum FloatDepthwiseOrder: Sendable {
  /// Four windows of an output row, one vector of channels after the other.
  case fourWindows
  /// Four windows of an output row, two vectors of channels at a time.
  ///
  /// If a vector is half a cache line, both halves are then loaded together, before other pixels
  /// can evict the cache line.
  case fourWindowsOfTwoVectors
  /// Four windows of each of two output rows, which share input rows.
  case twoRows
  /// Contiguous runs over several pixels: channels need not fill vectors.
  case runs
  /// Contiguous runs of two output rows.
  case runsOfTwoRows
  /// One window after the other, all channels of each, which reads memory sequentially.
  case eachWindow

  /// Whether two output rows are computed together.
  @inline(__always)
  var pairsRows: Bool { self == .twoRows || self == .runsOfTwoRows }

  @inline(__always)
  var usesRuns: Bool { self == .runs || self == .runsOfTwoRows }

  func refusal(_ geometry: PatchGeometry) -> StrategyRefusal? {
    switch self {
    case .fourWindows: nil
    case .eachWindow:
      geometry.windowHeight == 3 && geometry.windowWidth == 3 ? nil : .notThreeByThree
    case .fourWindowsOfTwoVectors: refusalOfTwoVectors(geometry)
    case .twoRows: refusalOfPairs(geometry)
    case .runs: refusalOfRuns(geometry)
    case .runsOfTwoRows: refusalOfRuns(geometry) ?? refusalOfPairs(geometry)
    }
  }

  private func refusalOfTwoVectors(_ geometry: PatchGeometry) -> StrategyRefusal? {
    if geometry.windowWidth != 3 && geometry.windowWidth != 5 { return .notThreeOrFiveWide }
    let stride = geometry.strideWidth
    if stride > 2 || stride > 1 && geometry.dilationWidth > 1 { return .strideTooLong }
    return geometry.channels < 2 * FloatVector.scalarCount ? .fewChannels : nil
  }

  private func refusalOfPairs(_ geometry: PatchGeometry) -> StrategyRefusal? {
    if geometry.windowWidth != 3 && geometry.windowWidth != 5 { return .notThreeOrFiveWide }
    if geometry.strideWidth != 1 || geometry.strideHeight != 1 { return .strideTooLong }
    if geometry.dilationWidth != 1 || geometry.dilationHeight != 1 { return .dilatedWindows }
    return geometry.outputHeight < 2 ? .singleRow : nil
  }

  private func refusalOfRuns(_ geometry: PatchGeometry) -> StrategyRefusal? {
    let width = geometry.windowWidth
    if width != 3 && width != 5 && width != 1 { return .notOneThreeOrFiveWide }
    if geometry.strideWidth != 1 { return .strideTooLong }
    if geometry.channels % FloatVector.scalarCount == 0 { return .channelsFillVectors }
    return ChannelBlocks(channels: geometry.channels).isDense ? nil : .tooManyWeightCopies
  }
}

// MARK: - Costs

extension FloatDepthwiseOrder {
  func work(_ geometry: PatchGeometry) -> KernelWork {
    let lanes = FloatVector.scalarCount
    let (height, width) = (geometry.outputHeight, geometry.outputWidth)
    let filled = (geometry.channels + lanes - 1) / lanes
    let vectorsOfPixel = usesRuns ? Double(geometry.channels) / Double(lanes) : Double(filled)
    let inner = innerColumns(geometry)
    let (together, left) = groups(ofColumns: inner)
    // The others, and windows at the left and right edges, are computed separately, four vectors at
    // a time.
    let separate = Double(height * (width - inner + left) * filled) / 4
    let results = Double(height * (together + width - inner + left)) * vectorsOfPixel
    let resultsTogether = Double(height * together) * vectorsOfPixel
    return KernelWork(
      loops: Double(pairsRows ? (height + 1) / 2 : height) + separate,
      loads: resultsTogether * loadsOfVector(geometry), results: results,
      products: resultsTogether * Double(geometry.windowHeight * geometry.windowWidth),
      fetches: together == 0 ? 0 : fetches(geometry) + fetchesFromMemory(geometry))
  }

  /// Returns how many windows of `columns` are computed together, some of them twice, and how many
  /// are left (see `FloatDepthwiseRow.convolveFours`).
  private func groups(ofColumns columns: Int) -> (together: Int, left: Int) {
    if self == .eachWindow || usesRuns { return (columns, 0) }
    if columns < 4 { return (0, columns) }
    let left = columns % 4
    return left > 1 ? (columns - left + 4, 0) : (columns - left, left)
  }

  /// Returns the number of windows of an output row that are inside the width of the input.
  private func innerColumns(_ geometry: PatchGeometry) -> Int {
    let stride = geometry.strideWidth
    let reach = (geometry.windowWidth - 1) * geometry.dilationWidth
    let first = (geometry.paddingLeft + stride - 1) / stride
    let lastLeft = geometry.inputWidth + geometry.paddingLeft - reach - 1
    return lastLeft < 0 ? 0 : max(0, min(lastLeft / stride + 1, geometry.outputWidth) - first)
  }

  /// Returns the number of input vectors loaded per vector of results.
  private func loadsOfVector(_ geometry: PatchGeometry) -> Double {
    let (height, width) = (geometry.windowHeight, geometry.windowWidth)
    let taps = Double(height * width)
    let shares = (width == 3 || width == 5) && geometry.strideWidth <= 2
    switch self {
    case .fourWindows where !shares: return taps
    case .fourWindows, .fourWindowsOfTwoVectors:
      return Double(height * (3 * geometry.strideWidth + width)) / 4
    case .twoRows: return Double((height + 1) * (3 + width)) / 8
    case .runs, .eachWindow: return taps
    case .runsOfTwoRows: return taps * Double(height + 1) / Double(2 * height)
    }
  }

  /// Returns the number of cache lines that count more if the input exceeds the L2 cache: hardware
  /// prefetches less well what is not read sequentially.
  private func fetchesFromMemory(_ geometry: PatchGeometry) -> Double {
    let bytes = geometry.inputHeight * geometry.inputWidth * geometry.channels * 4
    return self == .eachWindow || bytes <= 1 << 20 ? 0 : Double(2 * bytes / 64)
  }

  /// Returns the number of cache lines that are fetched again, because the channels of windows
  /// computed together exceed the L1 cache.
  ///
  /// Neighbouring windows then find nothing in the cache. Besides, hardware prefetches less well
  /// the more pixels are read alternately.
  private func fetches(_ geometry: PatchGeometry) -> Double {
    let windows = self == .eachWindow ? 1 : 4
    let rows = pairsRows ? 2 : 1
    let columns =
      geometry.dilationWidth == 1
      ? (windows - 1) * geometry.strideWidth + geometry.windowWidth
      : windows * geometry.windowWidth
    let pixels = (geometry.windowHeight + rows - 1) * columns
    let pixelBytes = max(64, geometry.channels * 4)
    let excess = Double(pixels * pixelBytes - (16 << 10)) / Double(32 << 10)
    let groups = geometry.outputHeight * geometry.outputWidth / (windows * rows)
    return Double(groups * pixels * pixelBytes / 64) * min(max(excess, 0), 1)
  }
}
