/// The estimate of `1 / √x` by AMD's instruction RSQRTPS, as measured for all floats on Zen 3.
///
/// It has twelve bits, and is the sum of two tables. One depends on the lowest bit of the exponent
/// and the first eight bits of the significand, the other on the exponent, the first four bits and
/// the next four. Other makers' estimates have other bits, so the operators that begin with it are
/// named by `LiteRTCoverage`.
struct ReciprocalRootEstimate {
  private let coarse: UnsafePointer<Int>
  private let fine: UnsafePointer<Int>

  /// Calls `body` with the tables at hand.
  @inline(__always)
  static func withTables(_ body: (Self) -> Void) {
    coarse.withUnsafeBufferPointer { coarse in
      fine.withUnsafeBufferPointer { fine in
        guard let coarse = coarse.baseAddress, let fine = fine.baseAddress else { return }
        body(Self(coarse: coarse, fine: fine))
      }
    }
  }

  /// Whether `x` is positive, finite and not subnormal.
  @inline(__always)
  static func isNormal(_ x: Float) -> Bool { x.bitPattern &- 0x0080_0000 < 0x7F00_0000 }

  /// Returns the estimate for a positive, normal number.
  @inline(__always)
  func ofNormal(_ x: Float) -> Float {
    let bits = Int(x.bitPattern)
    let exponent = bits >> 23
    // 127, the exponent of one, is odd.
    let octave = ~exponent & 1
    let significand = bits >> 11 & 0xFFF
    let (first, second) = (octave << 8 | significand >> 4, octave << 4 | significand >> 8)
    let steps = coarse[first] &+ fine[second << 4 | significand & 15]
    // Half the negated exponent, in units of 2⁻¹³, and biased again.
    let power = (127 &- exponent &+ octave) >> 1 &+ (127 - 13)
    return Float(steps) * Float(bitPattern: UInt32(truncatingIfNeeded: power) << 23)
  }

  /// Returns the estimate for other numbers: infinity of the sign of `x` for zero and subnormal
  /// ones, else NaN.
  func ofExtreme(_ x: Float) -> Float {
    x.isZero || x.isSubnormal
      ? Float(sign: x.sign, exponent: 128, significand: 1) : x == .infinity ? 0 : .nan
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
