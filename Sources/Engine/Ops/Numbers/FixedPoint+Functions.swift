/// The transcendental functions of gemmlowp (`fixedpoint.h`).
extension FixedPoint {
  /// `exp(self)` for a number that is not positive; the result has no integer bits.
  package var exponentialOfNegative: Self {
    let quarter = Self(raw: 1 << Raw(fractionalBits - 2), integerBits: integerBits)
    let insideQuarter = Self(raw: raw & (quarter.raw - 1), integerBits: integerBits) - quarter
    var result = insideQuarter.rescaled(integerBits: 0).exponentialInLastQuarter
    let remainder = (insideQuarter - self).raw
    for (exponent, constant) in exponentialConstants where integerBits > exponent {
      if remainder & (1 << Raw(fractionalBits + exponent)) != 0 {
        result = result * Self(constant: constant)
      }
    }
    if integerBits > 5, raw < -(1 << Raw(36 - integerBits)) { result.raw = 0 }
    return raw == 0 ? .one(integerBits: 0) : result
  }

  /// `exp(self)` on [-1/4, 0): a Taylor expansion around -1/8.
  private var exponentialInLastQuarter: Self {
    let center = Self(constant: 1_895_147_668)  // exp(-1/8)
    let third = Self(constant: 715_827_883)
    let x = self + Self(raw: 1 << Raw(fractionalBits - 3), integerBits: 0)
    let x2 = x * x
    let x3 = x2 * x
    let x4 = x2 * x2
    let tail = ((x4.scaled(byPowerOfTwo: -2) + x3) * third + x2).scaled(byPowerOfTwo: -1)
    let correction = center * (x + tail)
    // As in gemmlowp, only this addition saturates on 16 bits and wraps on 32.
    return Raw.bitWidth == 16
      ? Self(raw: center.raw.saturatingAdding(correction.raw), integerBits: 0)
      : center + correction
  }

  /// `1 / (1 + self)` for a number in [0, 1] without integer bits.
  package var reciprocalOfOnePlus: Self {
    reciprocalOfHalfOfOnePlus.halvedExactly.rescaled(integerBits: 0)
  }

  /// `(1 - self) / (1 + self)` for a number in [0, 1] without integer bits.
  var oneMinusOverOnePlus: Self {
    (reciprocalOfHalfOfOnePlus - .one(integerBits: 2)).rescaled(integerBits: 0)
  }

  /// `2 / (1 + self)` by Newton's iteration, with two integer bits.
  private var reciprocalOfHalfOfOnePlus: Self {
    let one = Self.one(integerBits: 0)
    let half = Self(raw: Raw.roundingHalfSum(raw, one.raw), integerBits: 0)
    let start = Self(constant: 1_515_870_810, integerBits: 2)  // 48/17
    let slope = Self(constant: -1_010_580_540, integerBits: 2)  // -32/17
    var x = start + half * slope
    for _ in 0..<3 {
      let error = .one(integerBits: 2) - half * x
      x = x + (x * error).rescaled(integerBits: 2)
    }
    return x
  }

  /// `1 / (1 + exp(-self))`; the result has no integer bits.
  package var logistic: Self {
    if raw == 0 { return Self(raw: 1 << Raw(Raw.bitWidth - 2), integerBits: 0) }
    let negated = raw > 0 ? -self : self
    let result = negated.exponentialOfNegative.reciprocalOfOnePlus
    return raw > 0 ? result : .one(integerBits: 0) - result
  }

  /// `tanh(self)`; the result has no integer bits.
  package var tanh: Self {
    if raw == 0 { return Self(raw: 0, integerBits: 0) }
    let negative = raw < 0 ? self : -self
    let result = negative.doubledExactly.exponentialOfNegative.oneMinusOverOnePlus
    return raw < 0 ? -result : result
  }
}

/// `exp(-2^exponent)` in units of 2⁻³¹.
private let exponentialConstants: [(exponent: Int, constant: Int32)] = [
  (-2, 1_672_461_947), (-1, 1_302_514_674), (0, 790_015_084), (1, 290_630_308), (2, 39_332_535),
  (3, 720_401), (4, 242),
]

extension FixedPointMultiplier {
  /// Computes `1 / √value` by Newton's iteration, as in `GetInvSqrtQuantizedMultiplierExp`; 1 for 0
  /// and 1.
  package init(inverseSquareRootOf value: Int32) {
    guard value > 1 else {
      self.init(fraction: .max, exponent: 0)
      return
    }
    var (value, shift) = (value, 11)
    while value >= 1 << 29 {
      value /= 4
      shift += 1
    }
    let bitPairs = (value.leadingZeroBitCount - 1) / 2 - 1
    shift -= bitPairs
    value <<= Int32(2 * bitPairs)
    let half = FixedPoint(raw: value >> 1, integerBits: 3).scaled(byPowerOfTwo: -1)
    let threeHalves = FixedPoint<Int32>(raw: 3 << 27, integerBits: 3)
    var x = FixedPoint<Int32>.one(integerBits: 3)
    for _ in 0..<5 {
      let cube = (x * x * x).rescaled(integerBits: 3)
      x = (threeHalves * x - half * cube).rescaled(integerBits: 3)
    }
    x = x * FixedPoint(constant: 1_518_500_250)  // √2 / 2
    self.init(fraction: x.raw << Int32(max(-shift, 0)), exponent: -max(shift, 0))
  }
}
