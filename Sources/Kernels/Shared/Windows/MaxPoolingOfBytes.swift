import OcellusKernelABI

// Max pooling of bytes. If pixels are shorter than the longest vectors, shorter vectors are used:
// long ones would mostly straddle two cache lines, and overwrite several pixels.

/// The signedness of bytes as a type.
protocol ByteSign {
  static var isSigned: Bool { get }
}

enum SignedElements: ByteSign {
  @inline(__always)
  static var isSigned: Bool { true }
}

enum UnsignedElements: ByteSign {
  @inline(__always)
  static var isSigned: Bool { false }
}

@inline(__always)
func reduceLargestBytes<Sign: ByteSign>(_ arguments: PoolingArguments, _: Sign.Type) {
  #if SHORT_VECTORS
    let pixelBytes = arguments.windows.pixelStride
    if pixelBytes <= 16 { return reduceLargestBytes(arguments, Sign.self, SixteenBytes.self) }
    if pixelBytes <= 32 && sumVectorBytes > 32 {
      return reduceLargestBytes(arguments, Sign.self, ThirtyTwoBytes.self)
    }
  #endif
  reduceLargestBytes(arguments, Sign.self, WholeVector.self)
}

/// Reduces with vectors of one length, in a function of its own to have all registers available.
@inline(never)
private func reduceLargestBytes<Sign: ByteSign, Length: VectorLength>(
  _ arguments: PoolingArguments, _: Sign.Type, _: Length.Type
) {
  reduceSharedWindows(arguments, LargestBytes<Sign, Length>(arguments))
}

/// The length of vectors, with operations on them.
private protocol VectorLength {
  associatedtype Vector: SIMD where Vector.Scalar == Int32
  static func maximum(_ a: Vector, _ b: Vector, isSigned: Bool) -> Vector
  /// Inverts all bits; the standard library's generic operator would work lane by lane.
  static func inverted(_ vector: Vector) -> Vector
}

private enum WholeVector: VectorLength {
  @inline(__always)
  static func maximum(_ a: SumVector, _ b: SumVector, isSigned: Bool) -> SumVector {
    maximumOfBytes(a, b, isSigned: isSigned)
  }

  @inline(__always)
  static func inverted(_ vector: SumVector) -> SumVector { ~vector }
}

#if SHORT_VECTORS
  private enum SixteenBytes: VectorLength {
    @inline(__always)
    static func maximum(
      _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, isSigned: Bool
    ) -> SIMD4<Int32> {
      maximumOfBytes(a, b, isSigned: isSigned)
    }

    @inline(__always)
    static func inverted(_ vector: SIMD4<Int32>) -> SIMD4<Int32> { ~vector }
  }

  private enum ThirtyTwoBytes: VectorLength {
    @inline(__always)
    static func maximum(
      _ a: SIMD8<Int32>, _ b: SIMD8<Int32>, isSigned: Bool
    ) -> SIMD8<Int32> {
      maximumOfBytes(a, b, isSigned: isSigned)
    }

    @inline(__always)
    static func inverted(_ vector: SIMD8<Int32>) -> SIMD8<Int32> { ~vector }
  }
#endif

private struct LargestBytes<Sign: ByteSign, Length: VectorLength>: ColumnReduction {
  private let low: Length.Vector
  private let high: Length.Vector

  @inline(__always)
  init(_ arguments: PoolingArguments) {
    low = Self.every(arguments.lowerBound)
    high = Self.every(arguments.upperBound)
  }

  /// Returns a vector with one byte repeated.
  @inline(__always)
  private static func every(_ bound: Float) -> Length.Vector {
    let byte = UInt32(UInt8(truncatingIfNeeded: Int64(bound)))
    return Length.Vector(repeating: Int32(bitPattern: byte &* 0x0101_0101))
  }

  @inline(__always)
  static var elementBytes: Int { 1 }
  @inline(__always)
  static var lanes: Int { MemoryLayout<Length.Vector>.size }

  @inline(__always)
  var initial: Length.Vector { low }

  @inline(__always)
  func add(_ largest: Length.Vector, _ pixel: UnsafeRawPointer, _: Int) -> Length.Vector {
    Length.maximum(
      pixel.loadUnaligned(as: Length.Vector.self), largest, isSigned: Sign.isSigned)
  }

  @inline(__always)
  func combined(_ first: Length.Vector, _ second: Length.Vector) -> Length.Vector {
    Length.maximum(second, first, isSigned: Sign.isSigned)
  }

  @inline(__always)
  func finish(
    _ largest: Length.Vector, _ target: UnsafeMutableRawPointer, _: UnsafeMutableRawPointer
  ) {
    let lesser = Length.maximum(
      Length.inverted(largest), Length.inverted(high), isSigned: Sign.isSigned)
    target.storeBytes(of: Length.inverted(lesser), as: Length.Vector.self)
  }
}
