/// The reductions of one instruction set: elements folded along the middle axis of
/// `[outer, reduced, inner]`.
public struct Reductions: Sendable {
  /// A function that makes the results of some outer positions.
  public typealias Kernel = @Sendable (ReductionArguments) -> Void

  /// Adds floats and divides the sums by `divisor`.
  public var sumFloat: Kernel
  /// Multiplies floats in their order.
  public var productFloat: Kernel
  /// The largest of `initial` and some floats; NaN is not larger than anything.
  public var maximumFloat: Kernel
  /// The smallest of `initial` and some floats; NaN is not smaller than anything.
  public var minimumFloat: Kernel
  /// Adds unsigned bytes to 32-bit sums.
  public var sumUInt8: Kernel
  /// Adds signed bytes to 32-bit sums.
  public var sumInt8: Kernel
  /// The largest of `initial` and some unsigned bytes.
  public var maximumUInt8: Kernel
  /// The largest of `initial` and some signed bytes.
  public var maximumInt8: Kernel
  /// The smallest of `initial` and some unsigned bytes.
  public var minimumUInt8: Kernel
  /// The smallest of `initial` and some signed bytes.
  public var minimumInt8: Kernel
  /// The place of the first of the largest of unsigned bytes, as `Int32`: of neighbouring ones of up
  /// to 2²⁴.
  public var placeOfMaximumUInt8: Kernel
  /// The same of signed bytes.
  public var placeOfMaximumInt8: Kernel
  /// The place of the first of the smallest of unsigned bytes, as above.
  public var placeOfMinimumUInt8: Kernel
  /// The same of signed bytes.
  public var placeOfMinimumInt8: Kernel
  /// Adds integers of 32 bits, which may wrap.
  public var sumInt32: Kernel
  /// Multiplies integers of 32 bits, which may wrap.
  public var productInt32: Kernel
  /// Adds integers of 64 bits, which may wrap.
  public var sumInt64: Kernel
  /// Finds the greatest integer of 32 bits.
  public var maximumInt32: Kernel
  /// Finds the least integer of 32 bits.
  public var minimumInt32: Kernel
  /// The place of the first of the greatest integers of 32 bits, as `Int32`.
  public var placeOfMaximumInt32: Kernel
  /// The same of the least.
  public var placeOfMinimumInt32: Kernel
  /// The place of the first of the largest of floats, as `Int32`; NaN is passed over.
  public var placeOfMaximumFloat: Kernel
  /// The same of the smallest.
  public var placeOfMinimumFloat: Kernel

  /// Creates the entry from its functions.
  public init(
    sumFloat: @escaping Kernel, productFloat: @escaping Kernel, maximumFloat: @escaping Kernel,
    minimumFloat: @escaping Kernel,
    sumUInt8: @escaping Kernel, sumInt8: @escaping Kernel, maximumUInt8: @escaping Kernel,
    maximumInt8: @escaping Kernel, minimumUInt8: @escaping Kernel,
    minimumInt8: @escaping Kernel, placeOfMaximumUInt8: @escaping Kernel,
    placeOfMaximumInt8: @escaping Kernel, placeOfMinimumUInt8: @escaping Kernel,
    placeOfMinimumInt8: @escaping Kernel, sumInt32: @escaping Kernel,
    productInt32: @escaping Kernel, sumInt64: @escaping Kernel, maximumInt32: @escaping Kernel,
    minimumInt32: @escaping Kernel,
    placeOfMaximumInt32: @escaping Kernel, placeOfMinimumInt32: @escaping Kernel,
    placeOfMaximumFloat: @escaping Kernel, placeOfMinimumFloat: @escaping Kernel
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
    self.placeOfMaximumUInt8 = placeOfMaximumUInt8
    self.placeOfMaximumInt8 = placeOfMaximumInt8
    self.placeOfMinimumUInt8 = placeOfMinimumUInt8
    self.placeOfMinimumInt8 = placeOfMinimumInt8
    self.sumInt32 = sumInt32
    self.productInt32 = productInt32
    self.sumInt64 = sumInt64
    self.maximumInt32 = maximumInt32
    self.minimumInt32 = minimumInt32
    self.placeOfMaximumInt32 = placeOfMaximumInt32
    self.placeOfMinimumInt32 = placeOfMinimumInt32
    self.placeOfMaximumFloat = placeOfMaximumFloat
    self.placeOfMinimumFloat = placeOfMinimumFloat
  }
}

/// The operands of a reduction.
@frozen public struct ReductionArguments {
  /// The first element of the first outer position.
  public var input: UnsafeRawPointer
  /// The first result of the first outer position: of the type of the elements, or `Int32` for
  /// sums of bytes.
  public var output: UnsafeMutableRawPointer
  /// The outer positions to compute.
  public var outer: Range<Int>
  /// All outer positions, which says where the input ends.
  public var outerCount: Int
  /// The elements from one outer position to the next.
  public var outerStride: Int
  /// The elements that are folded into one.
  public var reducedCount: Int
  /// The results of one outer position.
  public var innerCount: Int
  /// What the search for an extreme starts from; a whole number for bytes.
  public var initial: Float
  /// What sums of floats are divided by.
  public var divisor: Float
  /// Whether neighbouring floats are added in sixteen sums that are added at the end, the same on
  /// every instruction set, or one after the other.
  public var numerics: Numerics

  /// Creates the arguments; outer positions follow each other unless there is a stride.
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
