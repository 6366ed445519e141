/// The operands of the table lookup; the output may be the input.
@frozen public struct LookUpArguments {
  /// The bytes to replace.
  public var input: UnsafePointer<UInt8>
  /// 256 entries, indexed by the byte as unsigned.
  public var table: UnsafePointer<UInt8>
  /// The same table as an affine function, if it has that form and the kernel prefers it.
  public var affineTable: AffineTable?
  /// The destination, which may be `input`.
  public var output: UnsafeMutablePointer<UInt8>
  /// The number of bytes.
  public var count: Int

  /// Creates the arguments.
  public init(
    input: UnsafePointer<UInt8>, table: UnsafePointer<UInt8>,
    affineTable: AffineTable? = nil, output: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    self.input = input
    self.table = table
    self.affineTable = affineTable
    self.output = output
    self.count = count
  }
}

/// A table of 256 bytes in the form of a rounded and clamped affine function, or two of them.
///
/// Requantizations have this form; those of a leaky ReLU, and those that round away from a point,
/// have a bend. Arguments and entries are signed bytes. The arithmetic has 16 bits and saturates;
/// the entry of `x` is
///
///     (((256 · x + fraction) · multiplier + 2¹⁴) >> 15 + offset) >> shift
@frozen public struct AffineTable: Sendable {
  /// One affine function.
  @frozen public struct Function: Sendable {
    /// The slope.
    public var multiplier: Int16
    /// The intercept, which is added to the product.
    public var offset: Int16

    /// Creates an affine function.
    public init(multiplier: Int16, offset: Int16) {
      self.multiplier = multiplier
      self.offset = offset
    }
  }

  /// The function, above the bend if there is one.
  public var function: Function
  /// The function of arguments below `bend`.
  public var functionBelow: Function
  /// The first argument of `function`, if there are two functions.
  public var bend: Int8?
  /// The fraction that is added to arguments, in units of 1/256.
  public var fraction: UInt8
  /// The number of bits that sums are shifted to the right in the end.
  public var shift: UInt8
  /// The minimum of the entries.
  public var minimum: Int8
  /// The maximum of the entries.
  public var maximum: Int8
  /// The XOR mask that converts an argument to a signed byte: 0x80 for `uint8`, else 0.
  public var argumentSignToggle: UInt8
  /// The XOR mask that converts an entry to the type of the output.
  public var entrySignToggle: UInt8

  /// Creates the table.
  public init(
    function: Function, functionBelow: Function, bend: Int8?, fraction: UInt8, shift: UInt8,
    minimum: Int8,
    maximum: Int8, argumentSignToggle: UInt8, entrySignToggle: UInt8
  ) {
    self.function = function
    self.functionBelow = functionBelow
    self.bend = bend
    self.fraction = fraction
    self.shift = shift
    self.minimum = minimum
    self.maximum = maximum
    self.argumentSignToggle = argumentSignToggle
    self.entrySignToggle = entrySignToggle
  }
}
