/// A candidate of which only the ranges of its score and of its box are known.
package struct CandidateRange: Sendable {
  /// What makes it the same candidate in other runs: its place, and its class if each has one.
  struct Identity: Hashable {
    let origin: Candidate.Origin?
    let category: Int?
  }

  let identity: Identity
  /// The classes that it may have.
  package let categories: [Int]
  /// The lower end of its score; −∞ if that is far below the threshold.
  package let lowScore: Float
  /// The upper end of its score.
  package let highScore: Float
  package internal(set) var box: BoxRange

  /// Whether its score is known.
  var hasExactScore: Bool { lowScore == highScore }

  /// The place in the outputs that it comes from.
  package var origin: Candidate.Origin? { identity.origin }

  init(
    identity: Identity, categories: [Int], lowScore: Float, highScore: Float, box: BoxRange
  ) {
    self.identity = identity
    self.categories = categories
    self.lowScore = lowScore
    self.highScore = highScore
    self.box = box
  }

  /// Creates a candidate of one class.
  package init(
    origin: Candidate.Origin, category: Int, scores: ClosedRange<Float>, box: BoxRange
  ) {
    self.init(
      identity: .init(origin: origin, category: category), categories: [category],
      lowScore: scores.lowerBound, highScore: scores.upperBound, box: box)
  }

  /// Returns the candidates that a decoder may find in outputs that are not known exactly.
  ///
  /// - Returns: `nil` if the decoder is not covered.
  package static func all(
    from decoder: any DetectionDecoder, in outputs: [OutputRange], threshold: Float
  ) throws(VisionError) -> [CandidateRange]? {
    guard let decoder = decoder as? any CornerDecoder, decoder.isCovered else { return nil }
    return try decoder.ranges(in: outputs, threshold: threshold)
  }
}
