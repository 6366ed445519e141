extension FixedWidthInteger {
  /// Truncates a number, or takes the nearest end of the range; 0 for NaN.
  ///
  /// It is meant for untrusted data: the plain conversion traps if the number does not fit.
  package init<Number: BinaryFloatingPoint>(saturating value: Number) {
    // The ends of the range count as outside, since they may be rounded outwards as floats. The
    // comparison takes a fraction of the time of `init(exactly:)`.
    if value >= Number(Self.max) {
      self = .max
    } else if value <= Number(Self.min) {
      self = .min
    } else {
      self = value.isNaN ? 0 : Self(value)
    }
  }
}

extension Int32 {
  /// Truncates and saturates a `Float`, with one instruction for the conversion.
  ///
  /// Quantization uses these types; the generic conversion walks through the number's bits.
  @inline(__always)
  package init(saturating value: Float) {
    if value >= 0x1p31 {
      self = .max
    } else if value <= -0x1p31 {
      self = .min
    } else {
      self = value.isNaN ? 0 : Int32(value)
    }
  }
}

/// Returns the product of counts, or the largest integer if it overflows.
package func saturatingProduct(_ factors: Int...) -> Int {
  var product = 1
  for factor in factors {
    let (next, isOverflow) = product.multipliedReportingOverflow(by: factor)
    if isOverflow { return .max }
    product = next
  }
  return product
}
