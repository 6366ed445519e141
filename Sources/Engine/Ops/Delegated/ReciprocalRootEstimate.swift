/// An estimate of `1 / √x` by an instruction of a processor, from which XNNPACK begins.
///
/// Each was measured for all floats on such a processor.
protocol ReciprocalRootEstimate: SendableMetatype {
  /// Calls `body` with the estimate, whose tables are looked up once.
  static func withTables(_ body: (Self) -> Void)
  /// Returns the estimate for a number from one to four, in units of 2 to the power of
  /// `-fractionBits`.
  func steps(_ argument: RootArgument) -> Int
  static var fractionBits: Int { get }
}

/// The parts of a positive, normal number that tell its estimate.
struct RootArgument {
  /// The lowest bit of the exponent: 0 for numbers from one to two, 1 for those from two to four.
  let octave: Int
  /// The 23 bits of the significand behind its leading one.
  let significand: Int
  /// Half of the rest of the exponent.
  let halfExponent: Int

  @inline(__always)
  init(_ x: Float) {
    let bits = Int(x.bitPattern)
    let exponent = bits >> 23
    // 127, the exponent of one, is odd.
    octave = ~exponent & 1
    significand = bits & 0x7F_FFFF
    halfExponent = (exponent &- 127 &- octave) >> 1
  }
}

extension ReciprocalRootEstimate {
  /// Whether `x` is positive, finite and not subnormal.
  @inline(__always)
  static func isNormal(_ x: Float) -> Bool { x.bitPattern &- 0x0080_0000 < 0x7F00_0000 }

  /// Returns the estimate for a positive, normal number.
  @inline(__always)
  func ofNormal(_ x: Float) -> Float {
    let argument = RootArgument(x)
    let power = 127 &- argument.halfExponent &- Self.fractionBits
    return Float(steps(argument)) * Float(bitPattern: UInt32(truncatingIfNeeded: power) << 23)
  }

  /// Returns the estimate for other numbers: infinity of the sign of `x` for zero and subnormal
  /// ones, else NaN.
  static func ofExtreme(_ x: Float) -> Float {
    x.isZero || x.isSubnormal
      ? Float(sign: x.sign, exponent: 128, significand: 1) : x == .infinity ? 0 : .nan
  }
}

/// The estimate of twelve bits by AMD's instruction RSQRTPS, as measured on Zen 3.
///
/// It is the sum of two tables. One depends on the lowest bit of the exponent and the first eight
/// bits of the significand, the other on the exponent, the first four bits and the next four.
struct RootEstimateOfAMD: ReciprocalRootEstimate {
  private let coarse: UnsafePointer<Int>
  private let fine: UnsafePointer<Int>

  static var fractionBits: Int { 13 }

  @inline(__always)
  static func withTables(_ body: (Self) -> Void) {
    coarse.withUnsafeBufferPointer { coarse in
      fine.withUnsafeBufferPointer { fine in
        guard let coarse = coarse.baseAddress, let fine = fine.baseAddress else { return }
        body(Self(coarse: coarse, fine: fine))
      }
    }
  }

  @inline(__always)
  func steps(_ argument: RootArgument) -> Int {
    let significand = argument.significand >> 11
    let first = argument.octave << 8 | significand >> 4
    let second = argument.octave << 4 | significand >> 8
    return coarse[first] &+ fine[second << 4 | significand & 15]
  }

  /// The estimates at the ends of 1/256 octaves, in units of 2⁻¹³.
  private static let coarse: [Int] = corrections.enumerated().map { index, correction in
    let (octave, part) = (index >> 8, index & 255)
    // The middle of the last of sixteen intervals.
    let significand = 1 + (Double(part) * 16 + 15.5) / 4096
    let root = (Double(1 << octave) * significand).squareRoot()
    return Int((8192 / root).rounded()) + correction
  }

  /// The differences of the estimates within them.
  private static let fine: [Int] = digits(
    """
    edcba98776543210dcbaa98765433210cbaa987665432110ba99877654432110
    aa98876554332110a99877655443221099877665543321108877665443322100
    8776655443322110776655443322110077665544433221107665554433221110
    6655544333221100665544433222111066555443332211105554443322211100
    a998776554332110998776654432210088766554432211008876655443322110
    7766554433221100766655443322111066554443322111006655444332221100
    5554433322211000554443332221110055444333222111005444333222111100
    4443332222111000444333222211100044333322221111004433332222111100
    """)

  /// What the processor's table has more than the rounded values.
  private static let corrections: [Int] = digits(
    """
    2223222322222212323222232222222223222222223222222322222222322222
    2232222222222222222222122211222222222222222221222332222222222222
    3223232322222222223333333322233222222222222222222223222222222222
    2223222232232222223222222222222212222221222222222222233222322232
    2332233222322222233222222322222232332233333332222222222222222122
    3333332222322223232222222222222233333222332232222222222222222222
    2233333333222223322322222322222223222222222222322222222222222222
    2332222322232232222322222222222322222222222222222222222122222222
    """
  ).map { $0 - 2 }

  private static func digits(_ text: String) -> [Int] { text.compactMap(\.hexDigitValue) }
}

/// The estimate of twelve bits by Intel's instruction RSQRTPS, as measured on Sapphire Rapids: the
/// rounded reciprocal root of the middle of the number's 1/1024 octave.
struct RootEstimateOfIntel: ReciprocalRootEstimate {
  private let rounded: UnsafePointer<Int>

  static var fractionBits: Int { 13 }

  @inline(__always)
  static func withTables(_ body: (Self) -> Void) {
    rounded.withUnsafeBufferPointer { rounded in
      guard let rounded = rounded.baseAddress else { return }
      body(Self(rounded: rounded))
    }
  }

  @inline(__always)
  func steps(_ argument: RootArgument) -> Int {
    rounded[argument.octave << 10 | argument.significand >> 13]
  }

  private static let rounded: [Int] = (0..<2048).map { index in
    let middle = 1 + (Double(index & 1023) + 0.5) / 1024
    return Int((8192 / (middle * Double(1 + (index >> 10))).squareRoot()).rounded())
  }
}

/// The estimate of fourteen bits by Intel's instruction VRSQRT14PS, as measured on Sapphire Rapids:
/// straight lines over 1/32 octaves, and one for powers of four.
struct RootEstimateOfAVX512: ReciprocalRootEstimate {
  private let bases: UnsafePointer<Int>
  private let slopes: UnsafePointer<Int>

  static var fractionBits: Int { 17 }

  @inline(__always)
  static func withTables(_ body: (Self) -> Void) {
    bases.withUnsafeBufferPointer { bases in
      slopes.withUnsafeBufferPointer { slopes in
        guard let bases = bases.baseAddress, let slopes = slopes.baseAddress else { return }
        body(Self(bases: bases, slopes: slopes))
      }
    }
  }

  @inline(__always)
  func steps(_ argument: RootArgument) -> Int {
    if argument.octave | argument.significand == 0 { return 1 << 17 }
    let line = argument.octave << 5 | argument.significand >> 18
    let offset = argument.significand >> 8 & 1023
    return (bases[line] << 7 &- slopes[line] &* offset) >> 9
  }

  /// The estimates at the beginnings of the lines, in units of 2⁻¹⁹.
  private static let bases = [
    524265, 516257, 508613, 501298, 494286, 487559, 481101, 474897, 468922, 463169,
    457623, 452276, 447106, 442106, 437279, 432603, 428071, 423683, 419423, 415288,
    411277, 407379, 403592, 399907, 396319, 392827, 389430, 386110, 382879, 379734,
    376655, 373658, 370709, 365049, 359644, 354468, 349516, 344759, 340193, 335801,
    331581, 327515, 323589, 319805, 316149, 312618, 309201, 305899, 302695, 299587,
    296575, 293657, 290819, 288062, 285380, 282776, 280242, 277773, 275367, 273022,
    270741, 268509, 266336, 264214,
  ]

  /// What the lines lose in each of 1024 intervals, in units of 2⁻²⁶.
  private static let slopes = [
    1001, 955, 915, 877, 841, 807, 775, 747, 719, 693, 669, 647, 625, 603, 585, 567,
    549, 533, 517, 501, 487, 473, 461, 449, 437, 425, 415, 403, 393, 385, 375, 367,
    707, 675, 647, 619, 595, 571, 549, 527, 509, 491, 473, 457, 441, 427, 413, 401,
    389, 377, 365, 355, 345, 335, 325, 317, 309, 301, 293, 285, 279, 271, 265, 259,
  ]
}
