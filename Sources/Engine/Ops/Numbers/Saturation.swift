extension FixedWidthInteger {
  /// The number without its fraction, or the nearest end of the range; 0 for NaN.
  ///
  /// For data, which may be anything: the plain conversion traps where the number does not fit.
  package init<Number: BinaryFloatingPoint>(saturating value: Number) {
    // The ends may be rounded outwards as floats, so they count as outside; comparing takes a
    // fraction of the time of `init(exactly:)`.
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
  /// The same for the two types that quantization computes with, whose conversion is an instruction:
  /// the generic one is a walk through the number's bits.
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

/// The product of counts, or the largest integer where it does not fit.
package func saturatingProduct(_ factors: Int...) -> Int {
  var product = 1
  for factor in factors {
    let (next, isOverflow) = product.multipliedReportingOverflow(by: factor)
    if isOverflow { return .max }
    product = next
  }
  return product
}
