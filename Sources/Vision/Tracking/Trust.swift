/// How far new objects are to be trusted, by how many of those before were seen again in the next picture.
struct Trust {
  /// How many were, and how many were not: counts that forget, with one doubt to begin with.
  private var seenAgain = 0.0
  private var notSeenAgain = 1.0

  /// Whether a new object need not be seen again to be believed.
  var isGreat: Bool { seenAgain >= 0.8 * (seenAgain + notSeenAgain) }

  /// Notes whether an object that was new in the last picture is seen in this one.
  mutating func learn(isSeenAgain: Bool) {
    seenAgain = 0.95 * seenAgain + (isSeenAgain ? 1 : 0)
    notSeenAgain = 0.95 * notSeenAgain + (isSeenAgain ? 0 : 1)
  }
}
