extension String {
  /// The text without control characters other than line breaks: names in a file from a stranger may
  /// hold sequences that a terminal obeys.
  package var printable: String {
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control && scalar != "\n"
      scalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(scalars)
  }
}
