import OcellusKernelABI

/// The chains of fused multiply-adds in which XNNPACK adds the products of a float result.
enum FloatChains: Sendable {
  /// One chain that begins with the bias.
  case one
  /// One of the taps at even places, which begins with the bias, and one of those at odd places.
  case ofTaps
  /// One of the even channels of every tap, which begins with the bias, and one of the odd ones.
  case ofChannels
  /// Four, of every fourth product, of which the first begins with the bias; the products after the
  /// last whole four are added to their sum.
  case ofLanes

  /// Whether the kernels compute them; the reference loops compute the others.
  var areTuned: Bool { self == .one || self == .ofTaps }

  /// Returns the chains of a matrix product, such as a fully connected layer or a 1×1 convolution.
  static func ofMatrix(columns: Int, on processor: LiteRTProcessor?) -> FloatChains {
    processor == .neon && prefersTwoColumns(columns) ? .ofLanes : .one
  }

  /// Returns the chains of a transposed convolution.
  static func ofTransposedWindows(columns: Int, on processor: LiteRTProcessor?) -> FloatChains {
    processor == .neon && prefersTwoColumns(columns) ? .ofChannels : .one
  }

  /// Whether XNNPACK on Arm multiplies two columns at a time, instead of eight: few columns, or
  /// those of which eights waste more than twos do and more than one percent.
  private static func prefersTwoColumns(_ columns: Int) -> Bool {
    let (idleOfEight, idleOfTwo) = ((8 - columns % 8) % 8, columns % 2)
    return columns < 8 || idleOfTwo < idleOfEight && idleOfEight * 100 > columns
  }

  /// Returns the chains of a convolution with the columns of a group.
  static func ofWindows(columns: Int, on processor: LiteRTProcessor?) -> FloatChains {
    processor == .neon && columns < 8 ? .ofChannels : .one
  }

  /// Returns the chains of a depthwise convolution in a single pass.
  static func ofDepthwise(taps: Int, on processor: LiteRTProcessor?) -> FloatChains {
    processor == .neon && taps > 9 ? .ofTaps : .one
  }
}
