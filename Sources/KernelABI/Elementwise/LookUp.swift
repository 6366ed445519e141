/// The operands of the table lookup; the output may be the input.
@frozen public struct LookUpArguments {
  /// The bytes to replace.
  public var input: UnsafePointer<UInt8>
  /// 256 entries, indexed by the byte as unsigned.
  public var table: UnsafePointer<UInt8>
  /// The same table as a line, where it has that form and the kernel prefers it.
  public var line: ByteLine?
  /// The result.
  public var output: UnsafeMutablePointer<UInt8>
  /// The bytes of the result.
  public var count: Int

  /// Creates the arguments.
  public init(
    input: UnsafePointer<UInt8>, table: UnsafePointer<UInt8>,
    line: ByteLine? = nil, output: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    self.input = input
    self.table = table
    self.line = line
    self.output = output
    self.count = count
  }
}

/// A table of 256 bytes that is a line, rounded and clamped, or two that meet.
///
/// Straight lines between two quantizations have this form, lines with a bend, and lines that are rounded away from
/// a place. Bytes are signed numbers here, and so are entries. Numbers have 16 bits, and their sums saturate: the entry of
/// `x` is
///
///     (((256 · x + fraction) · multiplier + 2¹⁴) >> 15 + offset) >> shift
@frozen public struct ByteLine: Sendable {
  /// One line.
  @frozen public struct Part: Sendable {
    /// How steep it is.
    public var multiplier: Int16
    /// What is added to products.
    public var offset: Int16

    /// Creates the line.
    public init(multiplier: Int16, offset: Int16) {
      self.multiplier = multiplier
      self.offset = offset
    }
  }

  /// The line.
  public var part: Part
  /// The line of lesser arguments than `bend`.
  public var partBelow: Part
  /// Where one line takes over from the other, if there are two.
  public var bend: Int8?
  /// What arguments are more than they say, in 256ths.
  public var fraction: UInt8
  /// The places that sums are shifted by in the end.
  public var shift: UInt8
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
    part: Part, partBelow: Part, bend: Int8?, fraction: UInt8, shift: UInt8, minimum: Int8,
    maximum: Int8, argumentFlip: UInt8, entryFlip: UInt8
  ) {
    self.part = part
    self.partBelow = partBelow
    self.bend = bend
    self.fraction = fraction
    self.shift = shift
    self.minimum = minimum
    self.maximum = maximum
    self.argumentFlip = argumentFlip
    self.entryFlip = entryFlip
  }
}
