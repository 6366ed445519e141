/// The elementwise kernels of one instruction set, on contiguous arrays.
public struct Elementwise: Sendable {
  /// A function of two arrays of the same count.
  public typealias Binary = @Sendable (BinaryFloatArguments) -> Void

  /// Adds two arrays.
  public var add: Binary
  /// Subtracts the second array from the first.
  public var subtract: Binary
  /// Multiplies two arrays.
  public var multiply: Binary
  /// `first > second ? first : second`, element by element.
  public var maximum: Binary
  /// `first < second ? first : second`, element by element.
  public var minimum: Binary
  /// Clamps an array to a range; NaN passes.
  public var clamp: @Sendable (ClampFloatArguments) -> Void
  /// Replaces every byte by its entry in a table of 256.
  public var lookUp: @Sendable (LookUpArguments) -> Void

  /// Creates the entry from its functions.
  public init(
    add: @escaping Binary, subtract: @escaping Binary, multiply: @escaping Binary,
    maximum: @escaping Binary, minimum: @escaping Binary,
    clamp: @escaping @Sendable (ClampFloatArguments) -> Void,
    lookUp: @escaping @Sendable (LookUpArguments) -> Void
  ) {
    self.add = add
    self.subtract = subtract
    self.multiply = multiply
    self.maximum = maximum
    self.minimum = minimum
    self.clamp = clamp
    self.lookUp = lookUp
  }
}

/// The operands of a binary elementwise kernel; the output may be one of the inputs.
@frozen public struct BinaryFloatArguments {
  /// The first operand.
  public var first: UnsafePointer<Float>
  /// The second operand: an array, or one element where `secondIsScalar`.
  public var second: UnsafePointer<Float>
  /// Whether every element meets the same second operand.
  public var secondIsScalar: Bool
  /// The result.
  public var output: UnsafeMutablePointer<Float>
  /// The elements of the result.
  public var count: Int
  /// The lower end of the activation's range, `-infinity` where it has none; NaN passes.
  public var lowerBound: Float
  /// The upper end of the activation's range, `infinity` where it has none; NaN passes.
  public var upperBound: Float

  /// Creates the arguments.
  public init(
    first: UnsafePointer<Float>, second: UnsafePointer<Float>, secondIsScalar: Bool = false,
    output: UnsafeMutablePointer<Float>, count: Int, lowerBound: Float = -.infinity,
    upperBound: Float = .infinity
  ) {
    self.first = first
    self.second = second
    self.secondIsScalar = secondIsScalar
    self.output = output
    self.count = count
    self.lowerBound = lowerBound
    self.upperBound = upperBound
  }
}

/// The operands of the clamping kernel; the output may be the input.
@frozen public struct ClampFloatArguments {
  /// The array to clamp.
  public var input: UnsafePointer<Float>
  /// The result.
  public var output: UnsafeMutablePointer<Float>
  /// The elements of the result.
  public var count: Int
  /// The lower end of the range.
  public var lowerBound: Float
  /// The upper end of the range.
  public var upperBound: Float

  /// Creates the arguments.
  public init(
    input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, count: Int,
    lowerBound: Float, upperBound: Float
  ) {
    self.input = input
    self.output = output
    self.count = count
    self.lowerBound = lowerBound
    self.upperBound = upperBound
  }
}

/// The operands of the table lookup; the output may be the input.
@frozen public struct LookUpArguments {
  /// The bytes to replace.
  public var input: UnsafePointer<UInt8>
  /// 256 entries, indexed by the byte as unsigned.
  public var table: UnsafePointer<UInt8>
  /// The result.
  public var output: UnsafeMutablePointer<UInt8>
  /// The bytes of the result.
  public var count: Int

  /// Creates the arguments.
  public init(
    input: UnsafePointer<UInt8>, table: UnsafePointer<UInt8>,
    output: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    self.input = input
    self.table = table
    self.output = output
    self.count = count
  }
}
