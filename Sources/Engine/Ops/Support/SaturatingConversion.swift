extension FixedWidthInteger {
  /// The number without its fraction, or the nearest end of the range; 0 for NaN.
  ///
  /// For data, which may be anything: the plain conversion traps where the number does not fit.
  package init<Number: BinaryFloatingPoint>(saturating value: Number) {
    if let exact = Self(exactly: value.rounded(.towardZero)) {
      self = exact
    } else {
      self = value.isNaN ? 0 : value < 0 ? .min : .max
    }
  }
}
