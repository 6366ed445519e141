/// The kernels of one instruction set for audits and profiles.
///
/// They read tensors about as fast as memory delivers them, or measure the limits of the processor.
public struct Inspection: Sendable {
  /// The size in bytes of a block, the unit in which these kernels read tensors.
  public static let blockByteCount = 256

  /// Returns the sums over the words of some blocks; the first word has index 0.
  public var sumWords: @Sendable (_ memory: UnsafeRawPointer, _ blockCount: Int) -> WordSums
  /// Returns the sums over the words of a transposed matrix of 32-bit elements, stored row by row.
  ///
  /// A word is two elements below each other, and words are counted column by column. The number of
  /// rows must be even.
  public var sumColumns:
    @Sendable (_ memory: UnsafeRawPointer, _ rows: Int, _ columns: Int) -> WordSums
  /// Computes the extremes and the sum of the floats in some blocks.
  public var momentsOfFloats:
    @Sendable (_ memory: UnsafeRawPointer, _ blockCount: Int) -> FloatMoments
  /// Computes the extremes and the sum of the bytes in some blocks.
  public var momentsOfBytes:
    @Sendable (_ memory: UnsafeRawPointer, _ blockCount: Int, _ isSigned: Bool) -> ByteMoments
  /// The loops that measure the peak throughput of the processor.
  public var limits: PeakLoops

  /// Creates the entry from its functions.
  public init(
    sumWords: @escaping @Sendable (UnsafeRawPointer, Int) -> WordSums,
    sumColumns: @escaping @Sendable (UnsafeRawPointer, Int, Int) -> WordSums,
    momentsOfFloats: @escaping @Sendable (UnsafeRawPointer, Int) -> FloatMoments,
    momentsOfBytes: @escaping @Sendable (UnsafeRawPointer, Int, Bool) -> ByteMoments,
    limits: PeakLoops
  ) {
    (self.sumWords, self.sumColumns) = (sumWords, sumColumns)
    self.momentsOfFloats = momentsOfFloats
    self.momentsOfBytes = momentsOfBytes
    self.limits = limits
  }
}

/// The statistics of some floats, valid only if all are finite.
@frozen public struct FloatMoments: Sendable {
  /// The minimum; positive infinity if there are no floats.
  public var minimum: Float
  /// The maximum; negative infinity if there are no floats.
  public var maximum: Float
  /// The sum, made of 32 partial sums in the same order on every instruction set.
  public var sum: Double
  /// Whether all floats are finite.
  public var isFinite: Bool

  /// Creates the statistics.
  public init(minimum: Float, maximum: Float, sum: Double, isFinite: Bool) {
    self.minimum = minimum
    self.maximum = maximum
    self.sum = sum
    self.isFinite = isFinite
  }
}

/// The statistics of some signed or unsigned bytes.
@frozen public struct ByteMoments: Sendable {
  /// The minimum; the type's largest value if there are no bytes.
  public var minimum: Int
  /// The maximum; the type's smallest value if there are no bytes.
  public var maximum: Int
  /// The sum.
  public var sum: Int
  /// The number of bytes with the type's smallest value.
  public var lowestCount: Int
  /// The number of bytes with the type's largest value.
  public var highestCount: Int

  /// Creates the statistics.
  public init(minimum: Int, maximum: Int, sum: Int, lowestCount: Int, highestCount: Int) {
    self.minimum = minimum
    self.maximum = maximum
    self.sum = sum
    self.lowestCount = lowestCount
    self.highestCount = highestCount
  }
}
