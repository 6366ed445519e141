import OcellusPlatform

/// The logistic function of gates in LiteRT's built-in kernels for x86, which compute four elements
/// at a time with an approximation and the others with the C library.
enum BuiltInLogistic {
  /// Above this argument, the result is one.
  private static let greatestArgument: Float = 16.635532

  /// Replaces some values by their logistic function; those in `vectors` are computed four at a
  /// time.
  static func apply(
    to values: UnsafeMutableBufferPointer<Float>, _ indices: Range<Int>, vectors: Range<Int>
  ) {
    let vectors = vectors.clamped(to: indices)
    for index in indices.lowerBound..<vectors.lowerBound { values[index] = ofSingle(values[index]) }
    for index in vectors { values[index] = ofVectorElement(values[index]) }
    for index in vectors.upperBound..<indices.upperBound { values[index] = ofSingle(values[index]) }
  }

  static func ofSingle(_ x: Float) -> Float {
    let exponential = expf(x > greatestArgument ? greatestArgument : x)
    return exponential / (1 + exponential)
  }

  /// Returns e / (1 + e), where e is the square of the exponential of half the argument; every
  /// operation is rounded by itself.
  @inline(__always)
  static func ofVectorElement(_ x: Float) -> Float {
    let half = (x > greatestArgument ? greatestArgument : x) * 0.5
    // exp(half) = 2ⁿ · exp(r)
    let n = floor(half * 1.442_695 + 0.5)
    let r = n * 2.121_944_4e-4 + (n * -0.693_359_375 + half)
    let square = r * r
    let even = square * 0.041_898_668 + 0.499_991_42
    let odd = square * 0.008_334_713 + 0.166_668_77
    let power = (odd * r + even) * square + (r + 1)
    let root = power * powerOfTwo(n)
    let exponential = root * root
    return x < -104 ? 0 : exponential / (exponential + 1)
  }

  /// The greatest multiple of one that is not above `x`, in vector instructions of any processor.
  ///
  /// - Precondition: its magnitude is below 2²².
  @inline(__always)
  private static func floor(_ x: Float) -> Float {
    let magic: Float = 0x1.8p23
    let nearest = (x + magic) - magic
    return nearest > x ? nearest - 1 : nearest
  }

  @inline(__always)
  private static func powerOfTwo(_ exponent: Float) -> Float {
    let biased = exponent + 127
    let bounded = biased < 0 ? 0 : biased > 255 ? 255 : biased
    // The lowest bits of a number of this magnitude are those of an integer.
    return Float(bitPattern: (bounded + 0x1p23).bitPattern << 23)
  }
}
