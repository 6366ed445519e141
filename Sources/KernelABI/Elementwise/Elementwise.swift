/// The elementwise kernels of one instruction set.
public struct Elementwise: Sendable {
  /// Combines two arrays of floats and clamps the results.
  public var floats: @Sendable (BinaryFloatFunction, FloatRange, BinaryRows) -> Void
  /// Combines two arrays of integers.
  public var integers: @Sendable (BinaryIntegerFunction, PlainElement, BinaryRows) -> Void
  /// Compares two arrays and stores a byte per element: 1 if the relation holds, else 0.
  ///
  /// With `isNegated`, it stores 0 if the relation holds, else 1.
  public var comparisons:
    @Sendable (_ relation: Relation, _ isNegated: Bool, PlainElement, BinaryRows) -> Void
  /// Applies a function to an array of floats.
  public var mappedFloats: @Sendable (UnaryFloatFunction, ElementRow) -> Void
  /// Converts an array to another type.
  public var converted: @Sendable (ElementConversion, ElementRow) -> Void
  /// Adds two quantized arrays.
  public var quantizedSum: @Sendable (QuantizedSum, BinaryRows) -> Void
  /// Adds two 8-bit arrays by the cheaper method of `LinearSum`.
  public var linearSum: @Sendable (LinearSum, BinaryRows) -> Void
  /// Multiplies two quantized arrays.
  public var quantizedProduct: @Sendable (QuantizedProduct, BinaryRows) -> Void
  /// Squares the differences of two signed 8-bit arrays.
  public var quantizedSquaredDifference: @Sendable (QuantizedSquaredDifference, BinaryRows) -> Void
  /// Multiplies the negative elements of one 8-bit array by the elements of another (PRELU).
  public var quantizedRectification: @Sendable (QuantizedRectification, BinaryRows) -> Void
  /// Returns a float scaling with the same results as fixed point for numbers up to `largest`.
  ///
  /// `nil` means that none was found, or that fixed point is faster.
  public var floatScaling: @Sendable (FixedPointResult, _ largest: Int32) -> FloatScaling?
  /// Computes the softmax of rows of floats.
  public var softmax: @Sendable (SoftmaxArguments) -> Void
  /// Computes the log-softmax of rows of floats, with a `beta` of one.
  public var logSoftmax: @Sendable (SoftmaxArguments) -> Void
  /// Computes the softmax of rows of bytes.
  public var softmaxOfBytes: @Sendable (ByteSoftmaxArguments) -> Void
  /// Replaces every byte by its entry in a table of 256 entries.
  public var lookUp: @Sendable (LookUpArguments) -> Void
  /// Whether evaluating a `AffineTable` is faster than looking up its table.
  public var prefersAffineTables: Bool

  /// Creates the entry from its functions.
  public init(
    floats: @escaping @Sendable (BinaryFloatFunction, FloatRange, BinaryRows) -> Void,
    integers: @escaping @Sendable (BinaryIntegerFunction, PlainElement, BinaryRows) -> Void,
    comparisons: @escaping @Sendable (Relation, Bool, PlainElement, BinaryRows) -> Void,
    mappedFloats: @escaping @Sendable (UnaryFloatFunction, ElementRow) -> Void,
    converted: @escaping @Sendable (ElementConversion, ElementRow) -> Void,
    quantizedSum: @escaping @Sendable (QuantizedSum, BinaryRows) -> Void,
    linearSum: @escaping @Sendable (LinearSum, BinaryRows) -> Void,
    quantizedProduct: @escaping @Sendable (QuantizedProduct, BinaryRows) -> Void,
    quantizedSquaredDifference:
      @escaping @Sendable (QuantizedSquaredDifference, BinaryRows) -> Void,
    quantizedRectification: @escaping @Sendable (QuantizedRectification, BinaryRows) -> Void,
    floatScaling: @escaping @Sendable (FixedPointResult, _ largest: Int32) -> FloatScaling?,
    softmax: @escaping @Sendable (SoftmaxArguments) -> Void,
    logSoftmax: @escaping @Sendable (SoftmaxArguments) -> Void,
    softmaxOfBytes: @escaping @Sendable (ByteSoftmaxArguments) -> Void,
    lookUp: @escaping @Sendable (LookUpArguments) -> Void, prefersAffineTables: Bool
  ) {
    self.floats = floats
    self.integers = integers
    self.comparisons = comparisons
    self.mappedFloats = mappedFloats
    self.converted = converted
    self.quantizedSum = quantizedSum
    self.linearSum = linearSum
    self.quantizedProduct = quantizedProduct
    self.quantizedSquaredDifference = quantizedSquaredDifference
    self.quantizedRectification = quantizedRectification
    self.floatScaling = floatScaling
    self.softmax = softmax
    self.logSoftmax = logSoftmax
    self.softmaxOfBytes = softmaxOfBytes
    self.lookUp = lookUp
    self.prefersAffineTables = prefersAffineTables
  }
}
