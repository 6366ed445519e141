/// Floats in two chains of fused multiply-adds, of even and of odd taps or channels; the first begins
/// with the bias.
struct TwoChainsReference: ReferenceArithmetic {
  struct Chains {
    var even: Float
    var odd: Float = 0
    var isAtOddPlace = false
  }

  static let zero = Chains(even: 0)
  let bias: [Float]?
  let range: ClosedRange<Float>
  /// Whether the parity is that of the channel under a tap, not of the tap.
  let alternatesChannels: Bool

  func start(of channel: Int) -> Chains { Chains(even: bias?[channel] ?? 0) }

  @inline(__always)
  func reaching(place: Int, channel: Int, _ chains: Chains) -> Chains {
    let isOdd = (alternatesChannels ? channel : place) & 1 != 0
    return Chains(even: chains.even, odd: chains.odd, isAtOddPlace: isOdd)
  }

  @inline(__always)
  func adding(
    _ input: Float, times weight: Float, of channel: Int, to chains: Chains
  ) -> Chains {
    var chains = chains
    if chains.isAtOddPlace {
      chains.odd.addProduct(input, weight)
    } else {
      chains.even.addProduct(input, weight)
    }
    return chains
  }

  @inline(__always)
  func output(_ chains: Chains, of channel: Int) -> Float {
    (chains.even + chains.odd).clamped(to: range)
  }
}

/// Floats in four chains of fused multiply-adds, of every fourth product.
///
/// The first begins with the bias. The products after the last whole four follow on the sum of the
/// chains.
struct FourLanesReference: ReferenceArithmetic {
  struct Lanes {
    var sums: SIMD4<Float>
    var lane = 0

    /// The sum of all lanes in the first one.
    var merged: Lanes {
      let sum = (sums[0] + sums[1]) + (sums[2] + sums[3])
      return Lanes(sums: SIMD4(sum, 0, 0, 0))
    }
  }

  static let zero = Lanes(sums: .zero)
  let bias: [Float]?
  let range: ClosedRange<Float>
  /// The number of products that are in lanes.
  private let wholeDepth: Int

  init(bias: [Float]?, range: ClosedRange<Float>, depth: Int) {
    self.bias = bias
    self.range = range
    wholeDepth = depth / 4 * 4
  }

  func start(of channel: Int) -> Lanes {
    Lanes(sums: SIMD4(bias?[channel] ?? 0, 0, 0, 0))
  }

  @inline(__always)
  func reaching(place: Int, channel: Int, _ lanes: Lanes) -> Lanes {
    if channel < wholeDepth { return Lanes(sums: lanes.sums, lane: channel % 4) }
    return channel == wholeDepth ? lanes.merged : lanes
  }

  @inline(__always)
  func adding(_ input: Float, times weight: Float, of channel: Int, to lanes: Lanes) -> Lanes {
    var lanes = lanes
    lanes.sums[lanes.lane].addProduct(input, weight)
    return lanes
  }

  @inline(__always)
  func output(_ lanes: Lanes, of channel: Int) -> Float {
    // Lanes without a rest have not been added yet, and others have only one that is not zero.
    lanes.merged.sums[0].clamped(to: range)
  }
}
