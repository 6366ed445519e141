import OcellusImaging

/// A decoder of which a few corners of the outputs' ranges show everything that it may find.
///
/// That takes scores that never fall when an element rises, and edges of boxes that each go in one
/// direction with each element, whatever the others are; `role` tells which element is which.
protocol CornerDecoder: DetectionDecoder {
  /// Whether a row's best class alone becomes a candidate, not each class.
  var picksBestClass: Bool { get }

  /// Whether scores are products of elements that the graph computed, which are not below zero.
  var multipliesElements: Bool { get }

  /// Whether engines decode boxes by themselves, and may round where this program does not.
  var isInGraph: Bool { get }

  /// Returns the decoder with everything decided that it would find out from the numbers.
  func settled(in outputs: [OutputTensor]) throws(VisionError) -> Self

  /// Returns the decoder and the outputs with scores that depend on one element each.
  func uncoupled(_ outputs: [OutputRange]) -> (Self, [OutputRange])

  /// Returns the role of an element of an output.
  func role(of element: Int, inOutput index: Int, _ output: OutputRange) -> ElementRole

  /// Returns the classes that may be the best of a candidate's row.
  func categories(of candidate: Candidate, in outputs: [OutputRange]) -> [Int]
}

extension CornerDecoder {
  var picksBestClass: Bool { false }
  var multipliesElements: Bool { false }
  var isInGraph: Bool { false }
  func settled(in outputs: [OutputTensor]) throws(VisionError) -> Self { self }
  func uncoupled(_ outputs: [OutputRange]) -> (Self, [OutputRange]) { (self, outputs) }
  func categories(of candidate: Candidate, in outputs: [OutputRange]) -> [Int] {
    [candidate.category]
  }
}

extension CornerDecoder {
  /// The margin for the rounding of decoding itself, in units of the input and of scores.
  ///
  /// Roundings to float32, and an approximation of exp that is off by a few of them.
  private static var roundingMargin: Double { 0x1p-20 }

  /// Returns the candidates that may score at least `threshold`.
  func ranges(
    in outputs: [OutputRange], threshold: Float
  ) throws(VisionError) -> [CandidateRange] {
    var (decoder, outputs) = uncoupled(outputs)
    let roles = outputs.enumerated().map { index, output in
      (0..<output.count).map { decoder.role(of: $0, inOutput: index, output) }
    }
    if decoder.multipliesElements { outputs.clampScores(roles) }
    func candidates(
      _ corner: RangeCorner, _ threshold: Float
    ) throws(VisionError) -> [Candidate] {
      try outputs.withOutputs(in: corner, roles) { tensors throws(VisionError) in
        try decoder.candidates(in: tensors, threshold: threshold)
      }
    }
    let best = try candidates(.best, threshold)
    var boxes = best.map { BoxRange($0.box) }
    for corner in RangeCorner.withBestScores.dropFirst() {
      let others = try candidates(corner, threshold)
      guard others.map(decoder.identity) == best.map(decoder.identity) else {
        throw .mismatched("the candidates depend on the boxes")
      }
      for (index, other) in others.enumerated() { boxes[index].include(other.box) }
    }
    // What cannot stay above half of the threshold will not count.
    let worst = try candidates(.worst, threshold / 2)
    let lowScores = Dictionary(
      worst.map { (decoder.identity(of: $0), $0.score) }, uniquingKeysWith: min)
    let isExact = outputs.allSatisfy(\.isExact)
    return zip(best, boxes).map { candidate, box in
      let identity = decoder.identity(of: candidate)
      let low = lowScores[identity] ?? -.infinity
      return CandidateRange(
        identity: identity, categories: decoder.categories(of: candidate, in: outputs),
        lowScore: isExact ? low : low - Float(Self.roundingMargin),
        highScore: isExact ? candidate.score : candidate.score + Float(Self.roundingMargin),
        box: isExact && !isInGraph ? box : box.widened(by: Self.roundingMargin))
    }
  }

  func identity(of candidate: Candidate) -> CandidateRange.Identity {
    .init(origin: candidate.origin, category: picksBestClass ? nil : candidate.category)
  }
}

extension [OutputRange] {
  /// Limits scores to what is not below zero.
  fileprivate mutating func clampScores(_ roles: [[ElementRole]]) {
    for index in indices where roles[index].contains(.score) {
      func clamped(_ numbers: [Float]) -> [Float] {
        zip(numbers, roles[index]).map { $1 == .score ? Swift.max($0, 0) : $0 }
      }
      let output = self[index]
      self[index] = OutputRange(
        name: output.name, shape: output.shape, lows: clamped(output.lows),
        highs: clamped(output.highs))
    }
  }

  /// Returns the columns that may hold the largest number of a row, counted from the first one.
  func best(
    of columns: Range<Int>, inOutput index: Int, place: (_ column: Int) -> Int
  ) -> [Int] {
    let output = self[index]
    let bar = columns.map { output.lows[place($0)] }.max() ?? 0
    return columns.filter { output.highs[place($0)] >= bar }.map { $0 - columns.lowerBound }
  }
}
