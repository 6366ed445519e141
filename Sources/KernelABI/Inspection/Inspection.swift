/// What audits and profiles ask of an instruction set: to look at tensors about as fast as memory gives them,
/// and its limits.
public struct Inspection: Sendable {
  /// Tensors are looked at in blocks of bytes of which this is a divisor.
  public static let blockByteCount = 256

  /// Mixes the 32 words of every block into as many 64-bit lanes.
  ///
  /// `lanes[i] = mix(lanes[i] ^ word[i])`, where `mix(x)` is `x ^= x >> 29; x *= 0x9E3779B1`.
  public var mixBlocks:
    @Sendable (_ memory: UnsafeRawPointer, _ blockCount: Int, _ lanes: UnsafeMutableRawPointer) ->
      Void
  /// Finds the extremes and the sum of the floats in some blocks.
  public var momentsOfFloats:
    @Sendable (_ memory: UnsafeRawPointer, _ blockCount: Int) -> FloatMoments
  /// Finds the extremes and the sum of the bytes in some blocks.
  public var momentsOfBytes:
    @Sendable (_ memory: UnsafeRawPointer, _ blockCount: Int, _ isSigned: Bool) -> ByteMoments
  /// What no kernel can be faster than.
  public var limits: LimitLoops

  /// Creates the entry from its functions.
  public init(
    mixBlocks: @escaping @Sendable (UnsafeRawPointer, Int, UnsafeMutableRawPointer) -> Void,
    momentsOfFloats: @escaping @Sendable (UnsafeRawPointer, Int) -> FloatMoments,
    momentsOfBytes: @escaping @Sendable (UnsafeRawPointer, Int, Bool) -> ByteMoments,
    limits: LimitLoops
  ) {
    self.mixBlocks = mixBlocks
    self.momentsOfFloats = momentsOfFloats
    self.momentsOfBytes = momentsOfBytes
    self.limits = limits
  }
}

/// What floats are like; nothing of it counts unless all are finite.
@frozen public struct FloatMoments: Sendable {
  /// The lowest; positive infinity where there is none.
  public var minimum: Float
  /// The highest; negative infinity where there is none.
  public var maximum: Float
  /// All of them, added in 32 parts in the same way by every instruction set.
  public var sum: Double
  /// Whether none is infinite or no number.
  public var isFinite: Bool

  /// Creates the figures.
  public init(minimum: Float, maximum: Float, sum: Double, isFinite: Bool) {
    self.minimum = minimum
    self.maximum = maximum
    self.sum = sum
    self.isFinite = isFinite
  }
}

/// What bytes are like, as numbers with or without a sign.
@frozen public struct ByteMoments: Sendable {
  /// The lowest; the highest of the type where there is none.
  public var minimum: Int
  /// The highest; the lowest of the type where there is none.
  public var maximum: Int
  /// All of them.
  public var sum: Int
  /// How many are the lowest of the type.
  public var lowestCount: Int
  /// How many are the highest of the type.
  public var highestCount: Int

  /// Creates the figures.
  public init(minimum: Int, maximum: Int, sum: Int, lowestCount: Int, highestCount: Int) {
    self.minimum = minimum
    self.maximum = maximum
    self.sum = sum
    self.lowestCount = lowestCount
    self.highestCount = highestCount
  }
}
