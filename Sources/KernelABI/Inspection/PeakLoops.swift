/// Loops that measure the peak throughput of multiply-adds in registers and of memory reads.
///
/// Profiles time them, and report the fraction of the peak that a step reaches.
public struct PeakLoops: Sendable {
  /// Runs the given number of rounds of multiply-adds in registers.
  ///
  /// It starts from the numbers at `memory`, of `memoryByteCount` bytes, and stores the sums there.
  public typealias Products = @Sendable (_ rounds: Int, _ memory: UnsafeMutableRawPointer) -> Void

  /// The size in bytes of the start values for the multiply-add loops.
  public static let memoryByteCount = 2048
  /// The granularity of `read`: byte counts are multiples of it.
  public static let readByteCount = 512

  /// Multiply-adds of floats.
  public var multiplyFloats: Products
  /// The number of multiply-adds in a round of `multiplyFloats`.
  public var floatProductsPerRound: Int
  /// Multiply-adds of bytes, with the instructions of quantized GEMM.
  public var multiplyBytes: Products
  /// The number of multiply-adds in a round of `multiplyBytes`.
  public var byteProductsPerRound: Int
  /// Reads a multiple of `readByteCount` bytes, and stores a vector of their sums at `sum`.
  public var read:
    @Sendable (_ memory: UnsafeRawPointer, _ byteCount: Int, _ sum: UnsafeMutableRawPointer) -> Void

  /// Creates the entry from its functions.
  public init(
    multiplyFloats: @escaping Products, floatProductsPerRound: Int,
    multiplyBytes: @escaping Products, byteProductsPerRound: Int,
    read: @escaping @Sendable (UnsafeRawPointer, Int, UnsafeMutableRawPointer) -> Void
  ) {
    self.multiplyFloats = multiplyFloats
    self.floatProductsPerRound = floatProductsPerRound
    self.multiplyBytes = multiplyBytes
    self.byteProductsPerRound = byteProductsPerRound
    self.read = read
  }
}
