extension String.UnicodeScalarView {
  /// Appends scalars one by one: `append(contentsOf:)` makes room for just what it appends, again and again, so
  /// that a text of many short pieces would take a time that grows as its length squared.
  package mutating func append(eachOf scalars: some Sequence<Unicode.Scalar>) {
    for scalar in scalars { append(scalar) }
  }
}
