/// The reductions of one instruction set along the middle axis of `[outer, reduced, inner]`.
public struct Reductions: Sendable {
  /// A function that computes the results of some outer positions.
  public typealias Kernel = @Sendable (ReductionArguments) -> Void

  /// Adds floats and divides the sums by `divisor`.
  public var sumFloat: Kernel
  /// Multiplies floats in order.
  public var productFloat: Kernel
  /// Computes the maximum of `initial` and some floats; NaN is never larger than another number.
  public var maximumFloat: Kernel
  /// Computes the minimum of `initial` and some floats; NaN is never smaller than another number.
  public var minimumFloat: Kernel
  /// Adds unsigned bytes to 32-bit sums.
  public var sumUInt8: Kernel
  /// Adds signed bytes to 32-bit sums.
  public var sumInt8: Kernel
  /// Computes the maximum of `initial` and some unsigned bytes.
  public var maximumUInt8: Kernel
  /// Computes the maximum of `initial` and some signed bytes.
  public var maximumInt8: Kernel
  /// Computes the minimum of `initial` and some unsigned bytes.
  public var minimumUInt8: Kernel
  /// Computes the minimum of `initial` and some signed bytes.
  public var minimumInt8: Kernel
  /// Finds the index of the first maximum of unsigned bytes, as `Int32`.
  ///
  /// If `innerCount` is 1, there may be at most 2²⁴ of them.
  public var indexOfMaximumUInt8: Kernel
  /// Finds the index of the first maximum of signed bytes, as `indexOfMaximumUInt8` does.
  public var indexOfMaximumInt8: Kernel
  /// Finds the index of the first minimum of unsigned bytes, as `indexOfMaximumUInt8` does.
  public var indexOfMinimumUInt8: Kernel
  /// Finds the index of the first minimum of signed bytes, as `indexOfMaximumUInt8` does.
  public var indexOfMinimumInt8: Kernel
  /// Adds 32-bit integers, wrapping.
  public var sumInt32: Kernel
  /// Multiplies 32-bit integers, wrapping.
  public var productInt32: Kernel
  /// Adds 64-bit integers, wrapping.
  public var sumInt64: Kernel
  /// Finds the maximum of 32-bit integers.
  public var maximumInt32: Kernel
  /// Finds the minimum of 32-bit integers.
  public var minimumInt32: Kernel
  /// Finds the index of the first maximum of 32-bit integers, as `Int32`.
  public var indexOfMaximumInt32: Kernel
  /// Finds the index of the first minimum of 32-bit integers, as `Int32`.
  public var indexOfMinimumInt32: Kernel
  /// Finds the index of the first maximum of floats, as `Int32`; NaN is skipped.
  public var indexOfMaximumFloat: Kernel
  /// Finds the index of the first minimum of floats, as `Int32`; NaN is skipped.
  public var indexOfMinimumFloat: Kernel

  /// Creates the entry from its functions.
  public init(
    sumFloat: @escaping Kernel, productFloat: @escaping Kernel, maximumFloat: @escaping Kernel,
    minimumFloat: @escaping Kernel,
    sumUInt8: @escaping Kernel, sumInt8: @escaping Kernel, maximumUInt8: @escaping Kernel,
    maximumInt8: @escaping Kernel, minimumUInt8: @escaping Kernel,
    minimumInt8: @escaping Kernel, indexOfMaximumUInt8: @escaping Kernel,
    indexOfMaximumInt8: @escaping Kernel, indexOfMinimumUInt8: @escaping Kernel,
    indexOfMinimumInt8: @escaping Kernel, sumInt32: @escaping Kernel,
    productInt32: @escaping Kernel, sumInt64: @escaping Kernel, maximumInt32: @escaping Kernel,
    minimumInt32: @escaping Kernel,
    indexOfMaximumInt32: @escaping Kernel, indexOfMinimumInt32: @escaping Kernel,
    indexOfMaximumFloat: @escaping Kernel, indexOfMinimumFloat: @escaping Kernel
  ) {
    self.sumFloat = sumFloat
    self.productFloat = productFloat
    self.maximumFloat = maximumFloat
    self.minimumFloat = minimumFloat
    self.sumUInt8 = sumUInt8
    self.sumInt8 = sumInt8
    self.maximumUInt8 = maximumUInt8
    self.maximumInt8 = maximumInt8
    self.minimumUInt8 = minimumUInt8
    self.minimumInt8 = minimumInt8
    self.indexOfMaximumUInt8 = indexOfMaximumUInt8
    self.indexOfMaximumInt8 = indexOfMaximumInt8
    self.indexOfMinimumUInt8 = indexOfMinimumUInt8
    self.indexOfMinimumInt8 = indexOfMinimumInt8
    self.sumInt32 = sumInt32
    self.productInt32 = productInt32
    self.sumInt64 = sumInt64
    self.maximumInt32 = maximumInt32
    self.minimumInt32 = minimumInt32
    self.indexOfMaximumInt32 = indexOfMaximumInt32
    self.indexOfMinimumInt32 = indexOfMinimumInt32
    self.indexOfMaximumFloat = indexOfMaximumFloat
    self.indexOfMinimumFloat = indexOfMinimumFloat
  }
}

/// The operands of a reduction.
@frozen public struct ReductionArguments {
  /// The first element of the first outer position.
  public var input: UnsafeRawPointer
  /// The first result of the first outer position.
  ///
  /// Results have the type of the elements, or `Int32` for indices and sums of bytes.
  public var output: UnsafeMutableRawPointer
  /// The outer positions to compute.
  public var outer: Range<Int>
  /// The number of all outer positions, which tells where the input ends.
  public var outerCount: Int
  /// The distance in elements from one outer position to the next.
  public var outerStride: Int
  /// The number of elements that are reduced to one.
  public var reducedCount: Int
  /// The number of results of one outer position.
  public var innerCount: Int
  /// The start value of maxima and minima; an integer for bytes.
  public var initial: Float
  /// The divisor of float sums.
  public var divisor: Float
  /// The order of additions along contiguous floats.
  ///
  /// With `.fast`, sixteen partial sums are added at the end, the same on every instruction set;
  /// with `.exact`, floats are added one after the other.
  public var numerics: Numerics

  /// Creates the arguments; by default outer positions are contiguous.
  public init(
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, outer: Range<Int>,
    outerCount: Int, outerStride: Int? = nil, reducedCount: Int, innerCount: Int,
    initial: Float = 0, divisor: Float = 1, numerics: Numerics = .exact
  ) {
    self.input = input
    self.output = output
    self.outer = outer
    self.outerCount = outerCount
    self.outerStride = outerStride ?? reducedCount * innerCount
    self.reducedCount = reducedCount
    self.innerCount = innerCount
    self.initial = initial
    self.divisor = divisor
    self.numerics = numerics
  }
}
