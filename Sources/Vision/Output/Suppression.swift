import OcellusImaging

/// What is done about boxes that overlap: usually they are one object, found more than once.
public enum Suppression: Hashable, Sendable, CustomStringConvertible {
  /// Every box is kept.
  case none
  /// Of boxes of one class that overlap more than this, the best is kept.
  case perCategory(overlap: Double)
  /// Of boxes that overlap more than this, the best is kept, whatever their classes.
  case agnostic(overlap: Double)
  /// Boxes of one class lose score the more they overlap a better one: multiplied by
  /// exp(−overlap² ÷ sigma) (Bodla et al., "Soft-NMS", 2017).
  case soft(sigma: Double)
  /// Boxes that overlap more than this become one: their mean, weighted by score, as face detectors
  /// with many anchors for one face expect.
  case blend(overlap: Double)

  /// The rule and its number.
  public var description: String {
    switch self {
    case .none: "none"
    case .perCategory(let overlap): "by class above \(overlap)"
    case .agnostic(let overlap): "of all classes above \(overlap)"
    case .soft(let sigma): "soft, sigma \(sigma)"
    case .blend(let overlap): "blending above \(overlap)"
    }
  }

  /// The same rule with another overlap; by class where there was none that has one.
  func allowing(overlap: Double) -> Suppression {
    switch self {
    case .none, .perCategory, .soft: .perCategory(overlap: overlap)
    case .agnostic: .agnostic(overlap: overlap)
    case .blend: .blend(overlap: overlap)
    }
  }

  /// The candidates that remain, best first; those of equal score stay in their order.
  ///
  /// `limit` ends the search early: no more than that many remain.
  package func apply(to candidates: [Candidate], threshold: Float, limit: Int?) -> [Candidate] {
    apply(to: candidates, threshold: threshold, limit: limit, recorder: nil)
  }

  /// The same; a recorder is told what becomes of the others.
  func apply(
    to candidates: [Candidate], threshold: Float, limit: Int?, recorder: LedgerRecorder?
  ) -> [Candidate] {
    let ordered = candidates.stablySorted()
    let limit = limit.map { max($0, 0) } ?? .max
    switch self {
    case .none:
      for candidate in ordered.dropFirst(limit) { recorder?.drop(candidate, .overLimit) }
      return Array(ordered.prefix(limit))
    case .perCategory(let overlap):
      return Self.greedy(ordered, overlap: overlap, limit: limit, recorder) {
        $0.category == $1.category
      }
    case .agnostic(let overlap):
      return Self.greedy(ordered, overlap: overlap, limit: limit, recorder) { _, _ in true }
    case .soft(let sigma):
      return Self.soft(ordered, sigma, threshold: threshold, limit: limit, recorder)
    case .blend(let overlap):
      return Self.blend(ordered, overlap: overlap, limit: limit, recorder)
    }
  }

  private static func greedy(
    _ candidates: [Candidate], overlap: Double, limit: Int, _ recorder: LedgerRecorder?,
    rivals: (Candidate, Candidate) -> Bool
  ) -> [Candidate] {
    var kept: [Candidate] = []
    for candidate in candidates {
      guard kept.count < limit else {
        recorder?.drop(candidate, .overLimit)
        continue
      }
      let rival = kept.first {
        rivals($0, candidate) && $0.box.intersectionOverUnion(candidate.box) > overlap
      }
      if let rival {
        recorder?.drop(
          candidate,
          .suppressed(
            by: rival.number ?? 0, overlap: rival.box.intersectionOverUnion(candidate.box)))
      } else {
        kept.append(candidate)
      }
    }
    return kept
  }

  private static func soft(
    _ candidates: [Candidate], _ sigma: Double, threshold: Float, limit: Int,
    _ recorder: LedgerRecorder?
  ) -> [Candidate] {
    var rest = candidates
    var kept: [Candidate] = []
    while kept.count < limit, let best = rest.bestIndex, rest[best].score >= threshold {
      let winner = rest.remove(at: best)
      kept.append(winner)
      for index in rest.indices where rest[index].category == winner.category {
        let overlap = winner.box.intersectionOverUnion(rest[index].box)
        rest[index].score *= Float(exponential(-overlap * overlap / sigma))
      }
    }
    for candidate in rest {
      recorder?.drop(candidate, candidate.score >= threshold ? .overLimit : .faded)
    }
    return kept
  }

  private static func blend(
    _ candidates: [Candidate], overlap: Double, limit: Int, _ recorder: LedgerRecorder?
  ) -> [Candidate] {
    var rest = candidates
    var kept: [Candidate] = []
    while kept.count < limit, let best = rest.first {
      let joins = { (other: Candidate) in
        other.category == best.category && other.box.intersectionOverUnion(best.box) > overlap
      }
      // A box of no area does not even overlap itself.
      let others = rest.dropFirst().filter(joins)
      kept.append(best.blended(with: others))
      for other in others {
        recorder?.drop(
          other,
          .blended(
            into: best.number ?? 0, overlap: best.box.intersectionOverUnion(other.box)))
      }
      rest = rest.dropFirst().filter { !joins($0) }
    }
    for candidate in rest { recorder?.drop(candidate, .overLimit) }
    return kept
  }
}

extension Candidate {
  /// The mean of this one and those that stand for the same object, weighted by their scores.
  fileprivate func blended(with others: [Candidate]) -> Candidate {
    guard !others.isEmpty else { return self }
    let all = [self] + others
    let total = all.reduce(0) { $0 + Double($1.score) }
    guard total > 0 else { return self }
    func mean(_ value: (Candidate) -> Double) -> Double {
      all.reduce(0) { $0 + value($1) * Double($1.score) } / total
    }
    var blended = self
    blended.box = BoundingBox(
      left: mean(\.box.left), top: mean(\.box.top), right: mean(\.box.right),
      bottom: mean(\.box.bottom))
    if all.allSatisfy({ $0.keypoints.count == keypoints.count }) {
      blended.keypoints = keypoints.indices.map { index in
        PixelPoint(x: mean { $0.keypoints[index].x }, y: mean { $0.keypoints[index].y })
      }
    }
    return blended
  }
}

extension [Candidate] {
  /// Best first, equal ones in their order: a total order, whatever the sorting algorithm.
  func stablySorted() -> [Candidate] {
    indices.sorted { (self[$0].score, $1) > (self[$1].score, $0) }.map { self[$0] }
  }

  /// The first of those with the highest score.
  fileprivate var bestIndex: Int? {
    indices.max { (self[$0].score, $1) < (self[$1].score, $0) }
  }
}
