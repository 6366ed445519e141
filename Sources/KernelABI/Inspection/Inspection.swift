/// What audits and profiles ask of an instruction set: to look at tensors about as fast as memory gives them,
/// and its limits.
public struct Inspection: Sendable {
  /// Tensors are looked at in blocks of bytes of which this is a divisor.
  public static let blockByteCount = 256

  /// The sums over the words of some blocks, of which the first is at the first place.
  public var sumWords: @Sendable (_ memory: UnsafeRawPointer, _ blockCount: Int) -> WordSums
  /// The same over the words of the columns of a matrix of 32-bit elements that lies in memory row by row:
  /// pairs of them, one column after the other.
  ///
  /// The number of rows must be even.
  public var sumColumns:
    @Sendable (_ memory: UnsafeRawPointer, _ rows: Int, _ columns: Int) -> WordSums
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
    sumWords: @escaping @Sendable (UnsafeRawPointer, Int) -> WordSums,
    sumColumns: @escaping @Sendable (UnsafeRawPointer, Int, Int) -> WordSums,
    momentsOfFloats: @escaping @Sendable (UnsafeRawPointer, Int) -> FloatMoments,
    momentsOfBytes: @escaping @Sendable (UnsafeRawPointer, Int, Bool) -> ByteMoments,
    limits: LimitLoops
  ) {
    (self.sumWords, self.sumColumns) = (sumWords, sumColumns)
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
