extension String {
  /// What a message may have in Unicode scalars, since names and numbers in it may come from a file.
  ///
  /// Characters would not do: one of them may have megabytes of accents.
  private static let longestMessage = 1500

  /// The text, without its middle where it is longer than anybody reads.
  package var shortened: String {
    let scalars = unicodeScalars
    guard utf8.count > Self.longestMessage, scalars.count > Self.longestMessage else { return self }
    let beginning = scalars.prefix(Self.longestMessage * 2 / 3)
    let ending = scalars.suffix(Self.longestMessage / 3)
    return "\(String(beginning)) … \(String(ending))"
  }
}
