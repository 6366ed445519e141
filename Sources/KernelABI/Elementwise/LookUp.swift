/// The operands of the table lookup; the output may be the input.
@frozen public struct LookUpArguments {
  /// The bytes to replace.
  public var input: UnsafePointer<UInt8>
  /// 256 entries, indexed by the byte as unsigned.
  public var table: UnsafePointer<UInt8>
  /// The same table as differences, where it has that form and the kernel prefers it.
  public var differences: UnsafePointer<DifferenceTable>?
  /// The result.
  public var output: UnsafeMutablePointer<UInt8>
  /// The bytes of the result.
  public var count: Int

  /// Creates the arguments.
  public init(
    input: UnsafePointer<UInt8>, table: UnsafePointer<UInt8>,
    differences: UnsafePointer<DifferenceTable>? = nil, output: UnsafeMutablePointer<UInt8>,
    count: Int
  ) {
    self.input = input
    self.table = table
    self.differences = differences
    self.output = output
    self.count = count
  }
}

/// A table of 256 bytes in two of 16: an entry is a number that belongs to the upper four bits of the
/// byte, less one that belongs to the lower four, rounded down and clamped.
///
/// Straight lines between two quantizations have this form, and lines with a bend where the numbers of
/// lower bits are others below the bend. Bytes are signed numbers here, and so are entries.
@frozen public struct DifferenceTable: Sendable {
  /// Sixteen numbers in fixed point.
  @frozen public struct Part: Sendable {
    /// The numbers, rounded down.
    public var wholes: SIMD16<Int8>
    /// What is left of them, in 128ths.
    public var fractions: SIMD16<Int8>

    /// Creates the numbers.
    public init(wholes: SIMD16<Int8>, fractions: SIMD16<Int8>) {
      self.wholes = wholes
      self.fractions = fractions
    }
  }

  /// The numbers of the upper bits.
  public var upper: Part
  /// The numbers of the lower bits.
  public var lower: Part
  /// Those of shifted bytes below the bend.
  public var lowerBelowBend: Part
  /// Where the line bends, if it does.
  public var bend: Int8?
  /// Lesser bytes have the entry of this one.
  public var firstByte: Int8
  /// Greater bytes have the entry of this one.
  public var lastByte: Int8
  /// What is taken from a byte between these two before it is looked up.
  public var shift: Int8
  /// The smallest entry.
  public var minimum: Int8
  /// The greatest entry.
  public var maximum: Int8
  /// What makes a byte a signed number by an exclusive or: 0x80 for `uint8`, else 0.
  public var argumentFlip: UInt8
  /// What makes an entry the byte to store.
  public var entryFlip: UInt8

  /// Creates the table.
  public init(
    upper: Part, lower: Part, lowerBelowBend: Part, bend: Int8?, firstByte: Int8, lastByte: Int8,
    shift: Int8, minimum: Int8, maximum: Int8, argumentFlip: UInt8, entryFlip: UInt8
  ) {
    self.upper = upper
    self.lower = lower
    self.lowerBelowBend = lowerBelowBend
    self.bend = bend
    self.firstByte = firstByte
    self.lastByte = lastByte
    self.shift = shift
    self.minimum = minimum
    self.maximum = maximum
    self.argumentFlip = argumentFlip
    self.entryFlip = entryFlip
  }
}
