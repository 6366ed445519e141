import OcellusKernelABI

/// The order in which a float depthwise convolution goes over windows and channels: the strategies of the family.
///
/// Every sum has its terms in the same order. Windows at borders are computed one by one in all of them.
enum FloatDepthwiseOrder: Sendable {
  /// Four windows of a line, one vector of channels after the other.
  case fourWindows
  /// The same, two vectors at a time: where they are half a line of the cache each, both halves are read together, which
  /// matters where pixels push each other out of the cache.
  case fourWindowsOfTwoVectors
  /// Four windows of two lines, which share rows of the input.
  case twoLines
  /// Runs of numbers, whatever pixel they belong to: channels need not fill vectors.
  case runs
  /// Runs of two lines.
  case runsOfTwoLines
  /// One window after the other, all channels of each, as memory is read fastest.
  case eachWindow

  /// Whether two lines are computed together.
  @inline(__always)
  var pairsLines: Bool { self == .twoLines || self == .runsOfTwoLines }

  @inline(__always)
  var takesRuns: Bool { self == .runs || self == .runsOfTwoLines }

  func refusal(_ geometry: PatchGeometry) -> StrategyRefusal? {
    switch self {
    case .fourWindows: nil
    case .eachWindow:
      geometry.windowHeight == 3 && geometry.windowWidth == 3 ? nil : .notThreeByThree
    case .fourWindowsOfTwoVectors: refusalOfTwoVectors(geometry)
    case .twoLines: refusalOfPairs(geometry)
    case .runs: refusalOfRuns(geometry)
    case .runsOfTwoLines: refusalOfRuns(geometry) ?? refusalOfPairs(geometry)
    }
  }

  private func refusalOfTwoVectors(_ geometry: PatchGeometry) -> StrategyRefusal? {
    if geometry.windowWidth != 3 && geometry.windowWidth != 5 { return .notThreeOrFiveWide }
    let stride = geometry.strideWidth
    if stride > 2 || stride > 1 && geometry.dilationWidth > 1 { return .windowsApart }
    return geometry.channels < 2 * FloatVector.scalarCount ? .fewChannels : nil
  }

  private func refusalOfPairs(_ geometry: PatchGeometry) -> StrategyRefusal? {
    if geometry.windowWidth != 3 && geometry.windowWidth != 5 { return .notThreeOrFiveWide }
    if geometry.strideWidth != 1 || geometry.strideHeight != 1 { return .windowsApart }
    if geometry.dilationWidth != 1 || geometry.dilationHeight != 1 { return .windowsWithGaps }
    return geometry.outputHeight < 2 ? .oneLine : nil
  }

  private func refusalOfRuns(_ geometry: PatchGeometry) -> StrategyRefusal? {
    let width = geometry.windowWidth
    if width != 3 && width != 5 && width != 1 { return .notOneThreeOrFiveWide }
    if geometry.strideWidth != 1 { return .windowsApart }
    if geometry.channels % FloatVector.scalarCount == 0 { return .channelsFillVectors }
    return ChannelBlocks(channels: geometry.channels).isDense ? nil : .manyCopies
  }
}

// MARK: - Costs

extension FloatDepthwiseOrder {
  func work(_ geometry: PatchGeometry) -> KernelWork {
    let lanes = FloatVector.scalarCount
    let (height, width) = (geometry.outputHeight, geometry.outputWidth)
    let filled = (geometry.channels + lanes - 1) / lanes
    let vectorsOfPixel = takesRuns ? Double(geometry.channels) / Double(lanes) : Double(filled)
    // Windows at the left and right edges are computed by themselves, four vectors at a time.
    let inner = innerColumns(geometry)
    let edges = Double(height * (width - inner) * filled) / 4
    let results = Double(height * width) * vectorsOfPixel
    let innerResults = Double(height * inner) * vectorsOfPixel
    return KernelWork(
      loops: Double(pairsLines ? (height + 1) / 2 : height) + edges,
      loads: innerResults * loadsOfVector(geometry), results: results,
      products: innerResults * Double(geometry.windowHeight * geometry.windowWidth),
      fetches: fetches(geometry))
  }

  /// The windows of a line that lie inside the width of the input.
  private func innerColumns(_ geometry: PatchGeometry) -> Int {
    let stride = geometry.strideWidth
    let reach = (geometry.windowWidth - 1) * geometry.dilationWidth
    let first = (geometry.paddingLeft + stride - 1) / stride
    let room = geometry.inputWidth + geometry.paddingLeft - reach - 1
    return room < 0 ? 0 : max(0, min(room / stride + 1, geometry.outputWidth) - first)
  }

  /// The vectors that are loaded for a vector of results.
  private func loadsOfVector(_ geometry: PatchGeometry) -> Double {
    let (height, width) = (geometry.windowHeight, geometry.windowWidth)
    let taps = Double(height * width)
    let shares = (width == 3 || width == 5) && geometry.strideWidth <= 2
    switch self {
    case .fourWindows where !shares: return taps
    case .fourWindows, .fourWindowsOfTwoVectors:
      return Double(height * (3 * geometry.strideWidth + width)) / 4
    case .twoLines: return Double((height + 1) * (3 + width)) / 8
    case .runs, .eachWindow: return taps
    case .runsOfTwoLines: return taps * Double(height + 1) / Double(2 * height)
    }
  }

  /// The lines of the cache under windows that are computed together, where all their channels do not stay in the nearest
  /// cache: the windows beside them find nothing there, and the more pixels are read in turns, the worse processors guess
  /// what comes next.
  private func fetches(_ geometry: PatchGeometry) -> Double {
    let windows = self == .eachWindow ? 1 : 4
    let lines = pairsLines ? 2 : 1
    let columns =
      geometry.dilationWidth == 1
      ? (windows - 1) * geometry.strideWidth + geometry.windowWidth
      : windows * geometry.windowWidth
    let pixels = (geometry.windowHeight + lines - 1) * columns
    let pixelBytes = max(64, geometry.channels * 4)
    let excess = Double(pixels * pixelBytes - (16 << 10)) / Double(32 << 10)
    let groups = geometry.outputHeight * geometry.outputWidth / (windows * lines)
    return Double(groups * pixels * pixelBytes / 64) * min(max(excess, 0), 1)
  }
}
