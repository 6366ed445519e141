/// Loops that do nothing but what limits an instruction set: products in registers, and reading memory.
///
/// Profiles time them to say how far from the limit a step is.
public struct LimitLoops: Sendable {
  /// Multiplies and adds in registers so many times.
  ///
  /// It starts from the numbers at `memory`, of `memoryByteCount` bytes, and leaves the sums there.
  public typealias Products = @Sendable (_ rounds: Int, _ memory: UnsafeMutableRawPointer) -> Void

  /// What the loops over products want to start from.
  public static let memoryByteCount = 2048
  /// What `read` takes at a time.
  public static let readByteCount = 512

  /// Multiply-adds of floats.
  public var multiplyFloats: Products
  /// How many of them a round is.
  public var floatProductsPerRound: Int
  /// Multiply-adds of 8-bit numbers, as the kernels of products make them.
  public var multiplyBytes: Products
  /// How many of them a round is.
  public var byteProductsPerRound: Int
  /// Reads memory, a multiple of `readByteCount` bytes, and leaves their sum at `sum`, which has room for
  /// a vector.
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
