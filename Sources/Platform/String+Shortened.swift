extension String {
  /// The most Unicode scalars in a message, since names and numbers in it may come from a file.
  ///
  /// The limit does not count characters, because one character may have megabytes of accents.
  private static let longestMessage = 1500

  /// The text, without its middle if it is too long to read.
  package var shortened: String {
    let scalars = unicodeScalars
    guard utf8.count > Self.longestMessage, scalars.count > Self.longestMessage else { return self }
    let beginning = scalars.prefix(Self.longestMessage * 2 / 3)
    let ending = scalars.suffix(Self.longestMessage / 3)
    return "\(String(beginning)) … \(String(ending))"
  }
}
