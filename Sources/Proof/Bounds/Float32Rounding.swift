/// What rounding to float32 may change.
enum Float32Rounding {
  /// The largest relative error of a rounding to the nearest number.
  static let halfUnit = 0x1p-24
  /// The smallest normal number; an engine may flush what is smaller to zero.
  static let smallestNormal = 0x1p-126

  /// Returns the distance between neighbouring numbers at a magnitude, or that to zero where
  /// engines may flush numbers to zero.
  static func unit(at number: Double) -> Double {
    let magnitude = abs(number)
    guard magnitude.isFinite, magnitude >= smallestNormal else { return smallestNormal }
    return Double(sign: .plus, exponent: magnitude.exponent - 23, significand: 1)
  }

  /// Returns γₙ = n·u / (1 − n·u): the relative error of a product of `count` factors (1 + δ) with
  /// |δ| ≤ u, as in Higham's *Accuracy and Stability of Numerical Algorithms*.
  static func gamma(_ count: Int) -> Double {
    let product = Double(count) * halfUnit
    return product < 1 ? product / (1 - product) : .infinity
  }

  /// Returns the smallest number that is not below an end of an interval.
  static func up(_ end: Double) -> Float {
    let nearest = Float(end)
    return Double(nearest) < end ? nearest.nextUp : nearest
  }

  /// Returns the largest number that is not above an end of an interval.
  static func down(_ end: Double) -> Float {
    let nearest = Float(end)
    return Double(nearest) > end ? nearest.nextDown : nearest
  }
}

/// The relative error of float64, which every float64 sum of bounds is widened by, for each term.
let doubleUnit = 0x1p-52
