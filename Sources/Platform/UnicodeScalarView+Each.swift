extension String.UnicodeScalarView {
  /// Appends scalars one by one, in amortised constant time each.
  ///
  /// `append(contentsOf:)` reserves exactly what it appends, so that building a text from many
  /// short pieces would take quadratic time.
  package mutating func append(eachOf scalars: some Sequence<Unicode.Scalar>) {
    for scalar in scalars { append(scalar) }
  }
}
