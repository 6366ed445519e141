extension String {
  /// What a message may have in characters: names and numbers in it may come from a file, which may
  /// hold megabytes of them.
  private static let longestMessage = 1500

  /// The text, without its middle where it is longer than anybody reads.
  package var shortened: String {
    guard utf8.count > Self.longestMessage, count > Self.longestMessage else { return self }
    return "\(prefix(Self.longestMessage * 2 / 3)) … \(suffix(Self.longestMessage / 3))"
  }
}
