/// The reliability of new objects: how many of them were seen again in the next picture.
struct NewTrackReliability {
  /// Exponentially decaying counts, which start with one failure.
  private var seenAgain = 0.0
  private var notSeenAgain = 1.0

  /// Whether new objects are reliable enough to be confirmed at once.
  var isReliable: Bool { seenAgain >= 0.8 * (seenAgain + notSeenAgain) }

  /// Notes whether an object that was new in the last picture is seen in this one.
  mutating func learn(isSeenAgain: Bool) {
    seenAgain = 0.95 * seenAgain + (isSeenAgain ? 1 : 0)
    notSeenAgain = 0.95 * notSeenAgain + (isSeenAgain ? 0 : 1)
  }
}
