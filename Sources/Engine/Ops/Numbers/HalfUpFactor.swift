import OcellusKernelABI

/// A factor in single precision, by which integers are multiplied exactly before they are rounded,
/// half up: XNNPACK's scaling in fixed point on Arm.
///
/// Its instructions multiply by the significand, drop bits, and round when they shift; what they
/// drop decides no rounding.
struct HalfUpFactor: Sendable {
  private let value: Float
  /// The 24 bits of the significand, as an integer.
  private let significand: Int64
  /// The number of binary places of the product.
  private let places: Int64

  /// - Precondition: the factor is positive, normal and below 256, as XNNPACK requires.
  init(_ factor: Float) {
    value = factor
    significand = Int64(factor.significand * 0x1p23)
    places = min(max(23 - Int64(factor.exponent), 1), 62)
  }

  @inline(__always)
  func scaled(_ sum: Int64) -> Int32 {
    let half: Int64 = 1 &<< (places &- 1)
    return Int32(clamping: (sum &* significand &+ half) &>> places)
  }

  /// Whether the significand has so few bits that a sum within the range of bytes can be a tie.
  ///
  /// A tie takes as many factors of two as the product has places, less one, and most of them must
  /// be the sum's: with a long significand, such sums exceed 256 steps.
  private var allowsTies: Bool { significand & 0x3FFF == 0 }

  /// Calls `body` with the scaling for kernels that has the same results.
  ///
  /// Without ties, the product in double precision and its rounding are exact. With ties, the
  /// rounding of a multiplication in fixed point without a right shift is half up.
  static func withScaling(_ factors: [HalfUpFactor], _ body: (SumScaling) -> Void) {
    guard factors.allSatisfy(\.allowsTies) else {
      factors.map { Double($0.value) }.withUnsafeBufferPointer { multipliers in
        if let start = multipliers.baseAddress { body(.real(multipliers: start)) }
      }
      return
    }
    let multipliers = factors.map { $0.multiplier(afterShift: $0.leftShift) }
    let shifts = factors.map(\.leftShift)
    multipliers.withUnsafeBufferPointer { multipliers in
      shifts.withUnsafeBufferPointer { shifts in
        guard let multipliers = multipliers.baseAddress, let shifts = shifts.baseAddress
        else { return }
        body(.fixedPoint(multipliers: multipliers, shifts: shifts))
      }
    }
  }

  /// The shift that leaves a factor below one.
  private var leftShift: Int32 { max(Int32(value.exponent) + 1, 0) }

  /// Returns the rest of the factor in units of 2⁻³¹.
  private func multiplier(afterShift shift: Int32) -> Int32 {
    let units = Double(value) * Double(sign: .plus, exponent: 31 - Int(shift), significand: 1)
    return Int32(clamping: Int64(units))
  }
}
