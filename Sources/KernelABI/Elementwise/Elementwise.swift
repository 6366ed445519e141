/// The elementwise kernels of one instruction set.
public struct Elementwise: Sendable {
  /// Combines two arrays of floats and clamps the results.
  public var floats: @Sendable (BinaryFloatFunction, FloatRange, BinaryRows) -> Void
  /// Combines two arrays of integers.
  public var integers: @Sendable (BinaryIntegerFunction, PlainElement, BinaryRows) -> Void
  /// Stores a byte for each two elements of two arrays: 1 where a relation holds, or where it does not
  /// (`isNegated`), else 0.
  public var comparisons:
    @Sendable (_ relation: Relation, _ isNegated: Bool, PlainElement, BinaryRows) -> Void
  /// Applies a function to an array of floats.
  public var mappedFloats: @Sendable (UnaryFloatFunction, ElementRow) -> Void
  /// Brings an array to another type.
  public var converted: @Sendable (ElementConversion, ElementRow) -> Void
  /// Adds two quantized arrays.
  public var quantizedSum: @Sendable (QuantizedSum, BinaryRows) -> Void
  /// Adds two 8-bit arrays in the shortest way, where that is exact.
  public var linearSum: @Sendable (LinearSum, BinaryRows) -> Void
  /// Multiplies two quantized arrays.
  public var quantizedProduct: @Sendable (QuantizedProduct, BinaryRows) -> Void
  /// Squares the differences of two signed 8-bit arrays.
  public var quantizedSquaredDifference: @Sendable (QuantizedSquaredDifference, BinaryRows) -> Void
  /// Multiplies the negative elements of one 8-bit array by those of another.
  public var quantizedRectification: @Sendable (QuantizedRectification, BinaryRows) -> Void
  /// The scaling in floats whose results are those in fixed point for all numbers up to the largest; `nil`
  /// where none was found, or where fixed point is faster.
  public var floatScaling: @Sendable (FixedPointResult, _ largest: Int32) -> FloatScaling?
  /// The softmax of rows of floats.
  public var softmax: @Sendable (SoftmaxArguments) -> Void
  /// The logarithm of the softmax of rows of floats, for a factor of one.
  public var logSoftmax: @Sendable (SoftmaxArguments) -> Void
  /// The softmax of rows of bytes.
  public var softmaxOfBytes: @Sendable (ByteSoftmaxArguments) -> Void
  /// Replaces every byte by its entry in a table of 256.
  public var lookUp: @Sendable (LookUpArguments) -> Void
  /// Whether places on lines are found faster than entries of tables.
  public var prefersLines: Bool

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
    lookUp: @escaping @Sendable (LookUpArguments) -> Void, prefersLines: Bool
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
    self.prefersLines = prefersLines
  }
}
